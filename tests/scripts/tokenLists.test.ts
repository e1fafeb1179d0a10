import { readdirSync, readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type BundledEntry, buildTokenList, formatTokenList } from '../../scripts/tokenLists.ts'
import { findPublicChain, publicChains, publicNetworks } from '../../src/domain/network/chains.ts'
import { findLookalike, nativeContracts, toSkeleton } from '../../src/domain/token/lookalike.ts'
import { maxName, maxSymbol, nativeTokenAddress, type Token } from '../../src/domain/token/token.ts'
import { wellKnownOn } from '../../src/domain/token/wellKnown.ts'

const root = resolve(import.meta.dirname, '../..')
const folder = resolve(root, 'public/tokenLists')

type Entry = { chainId: number; address: string; symbol: string; decimals: number }

const read = (path: string) => JSON.parse(readFileSync(resolve(root, path), 'utf8'))
const sources: Entry[][] = [
  'node_modules/@uniswap/default-token-list/build/uniswap-default.tokenlist.json',
  'node_modules/@sushiswap/default-token-list/build/sushiswap-default.tokenlist.json',
  'node_modules/@aave-dao/aave-address-book/tokenlist.json',
].map((path) => read(path).tokens)

const listOf = (chainId: number): BundledEntry[] => read(`public/tokenLists/${chainId}.json`)

it('has a list of each public chain and of no other', () => {
  const names = publicChains.map(({ chainId }) => `${chainId}.json`)
  expect(readdirSync(folder).sort()).toEqual(names.sort())
})

it('takes at most 150 kB for all chains', () => {
  const sizes = readdirSync(folder).map((name) => statSync(resolve(folder, name)).size)
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(150_000)
})

describe.each(publicNetworks().map((network) => [network.name, network] as const))('%s', (_name, network) => {
  const { chainId, wrapped, coin } = network
  const list = listOf(chainId)
  const tokens: Token[] = list.map((entry) => ({
    ...entry,
    listed: true,
    eip2612: entry.eip2612 ?? false,
    taxed: false,
    tags: [],
  }))

  it('agrees with the installed sources (npm run token-lists writes it)', () => {
    const text = readFileSync(resolve(folder, `${chainId}.json`), 'utf8')
    expect(text).toBe(formatTokenList(buildTokenList(chainId)))
  })

  it('has valid fields only', () => {
    expect(list.length).toBeGreaterThan(8)
    expect(list.length).toBeLessThanOrEqual(150)
    for (const entry of list) {
      const { address, symbol, name, decimals, eip2612, ...rest } = entry
      expect(address).toMatch(/^0x[0-9a-f]{40}$/)
      expect(symbol).toMatch(/^[\w.$+-]+$/)
      expect(symbol.length).toBeLessThanOrEqual(maxSymbol)
      expect(name).toMatch(/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/)
      expect(name.length).toBeLessThanOrEqual(maxName)
      expect(Number.isInteger(decimals) && decimals >= 0 && decimals <= 24, symbol).toBe(true)
      expect([undefined, true]).toContain(eip2612)
      expect(rest).toEqual({})
    }
  })

  it('names no address twice, and neither the native token nor a contract of it', () => {
    const addresses = list.map(({ address }) => address)
    expect(new Set(addresses).size).toBe(addresses.length)
    expect(addresses).not.toContain(nativeTokenAddress)
    expect(addresses).not.toContain(nativeContracts[chainId])
  })

  it('has no two symbols that look alike, and none that looks like the native token’s', () => {
    const skeletons = [coin.symbol, ...list.map(({ symbol }) => symbol)].map(toSkeleton)
    expect(skeletons.filter((one, at) => skeletons.indexOf(one) !== at)).toEqual([])
    const imitations = tokens.filter((token) => findLookalike(token, tokens, network))
    expect(imitations.map(({ symbol }) => symbol)).toEqual([])
  })

  it('takes each address, symbol and decimals from sources that agree on the decimals', () => {
    for (const { address, symbol, decimals } of list) {
      const entries = sources.flat().filter((one) => {
        return one.chainId === chainId && one.address.toLowerCase() === address
      })
      expect(entries.map((one) => one.symbol)).toContain(symbol)
      expect([...new Set(entries.map((one) => one.decimals))]).toEqual([decimals])
    }
  })

  it('begins with the wrapped token and the stables', () => {
    const { stables = [] } = findPublicChain(chainId) ?? {}
    expect(list.slice(0, stables.length + 1).map(({ address }) => address)).toEqual([wrapped, ...stables])
  })

  it('includes the well-known tokens with their decimals', () => {
    const missing = wellKnownOn(chainId).filter(
      ({ address, decimals }) => !list.some((one) => one.address === address && one.decimals === decimals),
    )
    // Rebasing: pools do not count its growth, and wstETH is listed.
    expect(missing.map(({ symbol }) => symbol)).toEqual(chainId === 1 ? ['stETH'] : [])
  })

  it('knows permits of Circle’s own tokens only', () => {
    const permits = list.filter(({ eip2612 }) => eip2612).map(({ symbol }) => symbol)
    const eurc = [1, 8453, 43114].includes(chainId) ? ['EURC'] : []
    // Bridged or not by Circle: BNB Chain, Linea, Gnosis.
    expect(permits).toEqual([56, 59144, 100].includes(chainId) ? [] : ['USDC', ...eurc])
  })
})

it('calls the issued token USDC and the bridged one USDC.e', () => {
  for (const chainId of [10, 137, 42161]) {
    const dollars = listOf(chainId).filter(({ symbol }) => symbol.startsWith('USDC'))
    expect(dollars.map(({ symbol }) => symbol)).toEqual(['USDC', 'USDC.e'])
  }
})

it('leaves out a symbol whose sources name different contracts', () => {
  // Uniswap and Sushi differ on Arbitrum's GRT, each alone.
  expect(listOf(42161).map(({ symbol }) => symbol)).not.toContain('GRT')
  // Uniswap has two on Unichain.
  expect(listOf(130).map(({ symbol }) => symbol)).not.toContain('SOL')
})
