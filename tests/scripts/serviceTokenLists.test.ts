import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { getAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { buildServiceList, type ListedToken } from '../../scripts/serviceTokenLists.ts'
import { pinnedTokens } from '../../scripts/tokens/serviceTokens.ts'
import { findPublicChain } from '../../src/domain/network/chains.ts'
import { toSkeleton } from '../../src/domain/token/lookalike.ts'

const root = resolve(import.meta.dirname, '../..')
const read = (path: string) => JSON.parse(readFileSync(resolve(root, path), 'utf8'))

describe.each([
  [1, 400],
  [10, 60],
  [56, 100],
  [137, 50],
  [8453, 100],
  [42161, 200],
])('service list of chain %i', (chainId, least) => {
  const list = read(`service/chains/tokens/${chainId}.json`)
  const tokens: ListedToken[] = list.tokens
  const config = read(`service/chains/${chainId}.json`)
  const byAddress = new Map(tokens.map((token) => [token.address, token]))

  it('agrees with the installed sources (npm run token-lists writes it)', () => {
    expect(list).toEqual(buildServiceList(chainId))
  })

  it(`has at least ${least} tokens, each with a valid address of this chain and short ASCII labels`, () => {
    expect(tokens.length).toBeGreaterThanOrEqual(least)
    for (const token of tokens) {
      expect(token.chainId).toBe(chainId)
      expect(token.address).toBe(getAddress(token.address))
      expect(token.symbol).toMatch(/^[\w.$+-]{1,20}$/)
      expect(token.name).toMatch(/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/)
      expect(token.decimals).toBeLessThanOrEqual(24)
    }
  })

  it('fits twice into the topics of one log filter, of which go-ethereum takes 1,000 at a place', () => {
    expect(tokens.length + config.connectors.length).toBeLessThan(1_000)
  })

  it('names each contract once, and no two symbols that look alike, nor the native coin’s', () => {
    expect(byAddress.size).toBe(tokens.length)
    const skeletons = [config.coin.symbol, ...tokens.map(({ symbol }) => symbol)].map(toSkeleton)
    expect(skeletons.filter((one, at) => skeletons.indexOf(one) !== at)).toEqual([])
  })

  it('has the wrapped coin, the connectors, the stables of the config and the pinned tokens', () => {
    expect(byAddress.get(config.wrapped)?.tags).toEqual(['wrapped'])
    for (const connector of config.connectors) expect(byAddress.has(connector), connector).toBe(true)
    for (const stable of config.stables) expect(byAddress.get(stable)?.tags).toEqual(['stablecoin'])
    for (const { address, symbol, decimals } of pinnedTokens[chainId] ?? []) {
      expect(byAddress.get(getAddress(address))).toMatchObject({ symbol, decimals })
    }
    const dollars = findPublicChain(chainId)?.stables.map((address) => getAddress(address))
    for (const dollar of dollars ?? []) expect(byAddress.get(dollar)?.tags).toContain('stablecoin')
  })

  it('has logos by https for nine in ten tokens', () => {
    const logos = tokens.flatMap(({ logoURI }) => logoURI ?? [])
    for (const logo of logos) expect(new URL(logo).protocol).toBe('https:')
    expect(logos.length).toBeGreaterThan(0.9 * tokens.length)
  })
})
