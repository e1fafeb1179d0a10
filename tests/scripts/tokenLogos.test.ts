import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { buildTokenLogos, formatTokenLogos, type TokenLogos } from '../../scripts/tokenLogos.ts'
import { publicChains, publicNetworks } from '../../src/domain/network/chains.ts'
import { popularTokens } from '../../src/domain/token/pegGroups.ts'
import { type Address, nativeTokenAddress } from '../../src/domain/token/token.ts'
import { wellKnownOn } from '../../src/domain/token/wellKnown.ts'

const root = resolve(import.meta.dirname, '../..')
const text = readFileSync(resolve(root, 'public/tokenLogos/logos.json'), 'utf8')
const { drawings, tokens }: TokenLogos = JSON.parse(text)

type Listed = { address: Address; symbol: string }
const listOf = (chainId: number): Listed[] =>
  JSON.parse(readFileSync(resolve(root, `public/tokenLists/${chainId}.json`), 'utf8'))

const logoOf = (chainId: number, address: Address) => drawings[tokens[chainId]?.[address] ?? -1]

it('agrees with the installed package and the token lists (npm run token-logos writes it)', async () => {
  expect(text).toBe(formatTokenLogos(await buildTokenLogos()))
})

it('takes at most 400 kB, and each drawing at most 20 kB', () => {
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(400_000)
  expect(Math.max(...drawings.map((svg) => svg.length))).toBeLessThanOrEqual(20_000)
})

it('has no drawing twice and none without a token', () => {
  expect(new Set(drawings).size).toBe(drawings.length)
  const used = new Set(Object.values(tokens).flatMap((of) => Object.values(of)))
  expect([...used].toSorted((one, other) => one - other)).toEqual(drawings.map((_, index) => index))
})

describe('drawings', () => {
  it('use shapes, colours and effects only', () => {
    const allowed = `svg g path defs clipPath linearGradient radialGradient stop mask filter
      feFlood feBlend feColorMatrix feOffset feGaussianBlur feComposite`.split(/\s+/)
    const elements = new Set(
      drawings.flatMap((svg) => [...svg.matchAll(/<([^\s/>]+)/g)].map(([, name]) => name)),
    )
    expect([...elements].filter((name) => !allowed.includes(name ?? ''))).toEqual([])
  })

  it('have no scripts, handlers, links or references to anything outside', () => {
    const outside = /https?:|href|url\((?!#)|\son\w+=|<!|&|javascript|style=|@import/i
    const bad = drawings.filter((svg) => outside.test(svg.replace('http://www.w3.org/2000/svg', '')))
    expect(bad).toEqual([])
  })

  it('refer to parts that they have, each named once', () => {
    for (const svg of drawings) {
      const names = [...svg.matchAll(/\sid="([^"]+)"/g)].map(([, name]) => name)
      const used = new Set([...svg.matchAll(/url\(#([^)]+)\)/g)].map(([, name]) => name))
      expect(new Set(names).size).toBe(names.length)
      expect([...used].toSorted()).toEqual(names.toSorted())
    }
  })

  it('are square, and close what they open', () => {
    for (const svg of drawings) {
      expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" fill="none" viewBox="0 0 24 24">/)
      const open: string[] = []
      for (const [, end, name = '', self] of svg.matchAll(/<(\/?)([a-zA-Z]+)[^>]*?(\/?)>/g)) {
        if (end) expect(open.pop()).toBe(name)
        else if (!self) open.push(name)
      }
      expect(open).toEqual([])
    }
  })
})

describe('coverage', () => {
  it('covers at least 500 tokens on the ten public chains, and no other chain', () => {
    const chains = publicChains.map(({ chainId }) => String(chainId))
    expect(Object.keys(tokens).toSorted()).toEqual(chains.toSorted())
    const count = Object.values(tokens).reduce((sum, of) => sum + Object.keys(of).length, 0)
    expect(count).toBeGreaterThanOrEqual(500)
  })

  it.each(publicNetworks().map((network) => [network.name, network] as const))(
    'has the native, wrapped, stable and pegged tokens of %s',
    (_name, network) => {
      const missing = [...popularTokens(network)].filter((token) => !logoOf(network.chainId, token))
      expect(missing).toEqual([])
      expect(logoOf(network.chainId, nativeTokenAddress)).toBeDefined()
    },
  )

  it('has every well-known token', () => {
    const missing = publicChains.flatMap(({ chainId }) =>
      wellKnownOn(chainId).filter(({ address }) => !logoOf(chainId, address)),
    )
    expect(missing).toEqual([])
  })

  it('names tokens of the trusted tables only', () => {
    for (const { chainId } of publicChains) {
      const trusted = new Set<string>([
        nativeTokenAddress,
        ...listOf(chainId).map(({ address }) => address),
        ...wellKnownOn(chainId).map(({ address }) => address),
      ])
      expect(Object.keys(tokens[chainId] ?? {}).filter((address) => !trusted.has(address))).toEqual([])
    }
  })
})

describe('identity', () => {
  const symbolsOf = (drawing: string | undefined) =>
    publicChains.flatMap(({ chainId }) =>
      [...listOf(chainId), ...wellKnownOn(chainId)]
        .filter(({ address }) => drawing !== undefined && logoOf(chainId, address) === drawing)
        .map(({ symbol }) => symbol),
    )

  it('gives USDC’s drawing to USDC only, and one of its own to its bridged forms', () => {
    const usdc = logoOf(1, '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48')
    expect(new Set(symbolsOf(usdc))).toEqual(new Set(['USDC']))
    const bridged = logoOf(8453, '0xd9aaec86b65d86f6a7b5b1b0c42ffa531710b6ca')
    // The well-known tokens list bridged forms as USDC.
    expect(new Set(symbolsOf(bridged))).toEqual(new Set(['USDC.e', 'USDbC', 'USDC']))
    expect(bridged).not.toBe(usdc)
  })

  it.each(publicChains)('gives no drawing to two tokens of $name', ({ chainId }) => {
    const indexes = Object.values(tokens[chainId] ?? {})
    expect(indexes.filter((index, at) => indexes.indexOf(index) !== at)).toEqual([])
  })

  it('keeps a shared drawing with the chain’s main token', () => {
    const [tether, tether0] = [
      '0x94b008aa00579c1307b0ef2c499ad98a8ce58e58',
      '0x01bff41798a0bcf287b996046ca68b395dbc1071',
    ] as const
    expect(logoOf(10, tether)).toBeDefined()
    expect(logoOf(10, tether0)).toBeUndefined()
    // MATIC became POL, which is Polygon's native token.
    expect(logoOf(1, '0x455e53cbb86018ac2b8092fdcd39d8444affc3f6')).toBeDefined()
    expect(logoOf(1, '0x7d1afa7b718fb893db30a3abc0cfc608aacfebb0')).toBeUndefined()
    // Arbitrum has Tether in this form alone.
    expect(logoOf(42161, '0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9')).toBe(logoOf(10, tether))
  })

  it('draws wrapped tokens unlike native ones', () => {
    for (const { chainId, wrapped } of publicChains) {
      expect(logoOf(chainId, wrapped)).not.toBe(logoOf(chainId, nativeTokenAddress))
    }
  })

  it('draws a symbol alike on every chain', () => {
    const bySymbol = new Map<string, Set<string | undefined>>()
    for (const { chainId } of publicChains) {
      for (const { address, symbol } of listOf(chainId)) {
        const drawing = logoOf(chainId, address)
        if (drawing) bySymbol.set(symbol, (bySymbol.get(symbol) ?? new Set()).add(drawing))
      }
    }
    const differing = [...bySymbol].filter(([, drawn]) => drawn.size > 1).map(([symbol]) => symbol)
    expect(differing).toEqual([])
  })

  it('leaves out namesakes of another project', () => {
    // The package's mUSD is mStable's, its STX Stacks', its PROS Prosper's.
    for (const [chainId, symbol] of [
      [1, 'mUSD'],
      [1, 'STX'],
      [8453, 'PROS'],
    ] as const) {
      const { address } = listOf(chainId).find((one) => one.symbol === symbol)!
      expect(logoOf(chainId, address), symbol).toBeUndefined()
    }
  })
})
