import * as aave from '@aave-dao/aave-address-book'
import {
  CHAIN_TO_ADDRESSES_MAP,
  SWAP_ROUTER_02_ADDRESSES,
  V2_FACTORY_ADDRESSES,
  V3_CORE_FACTORY_ADDRESSES,
} from '@uniswap/sdk-core'
import * as viemChains from 'viem/chains'
import { describe, expect, it } from 'vitest'
import { type PublicChain, publicChains, publicNetworks } from '../../../src/domain/network/chains.ts'
import { getPriceContracts } from '../../../src/domain/network/markets.ts'

const markets: Record<number, { ORACLE: string; ASSETS: Record<string, { UNDERLYING: string }> }> = {
  1: aave.AaveV3Ethereum,
  10: aave.AaveV3Optimism,
  56: aave.AaveV3BNB,
  100: aave.AaveV3Gnosis,
  137: aave.AaveV3Polygon,
  8453: aave.AaveV3Base,
  42161: aave.AaveV3Arbitrum,
  43114: aave.AaveV3Avalanche,
  59144: aave.AaveV3Linea,
}

const definitions = Object.values(viemChains)

function definitionOf({ chainId }: PublicChain) {
  const found = definitions.find((chain) => 'id' in chain && chain.id === chainId)
  if (found === undefined || !('rpcUrls' in found)) throw new Error(`viem has no chain ${chainId}.`)
  return found as (typeof viemChains)['base']
}

function uniswapAddresses({ uniswap }: PublicChain): string[] {
  return Object.values(uniswap ?? {}).filter((value) => value !== true)
}

describe('publicChains', () => {
  it('lists ten chains in order of use, each once', () => {
    expect(publicChains.map(({ name }) => name)).toEqual([
      'Base',
      'Ethereum',
      'Arbitrum',
      'BNB Chain',
      'Polygon',
      'Optimism',
      'Avalanche',
      'Unichain',
      'Linea',
      'Gnosis',
    ])
    expect(new Set(publicChains.map(({ chainId }) => chainId)).size).toBe(10)
  })

  it('ships networks without any URL', () => {
    for (const network of publicNetworks()) expect(network).toMatchObject({ serviceUrl: '', rpcUrl: '' })
  })

  describe.each(publicChains.map((chain) => [chain.name, chain] as const))('%s', (_name, chain) => {
    it('has addresses in lower case, none twice', () => {
      const { wrapped, stables, oracle } = chain
      const all = [wrapped, ...stables, ...(oracle ? [oracle] : []), ...uniswapAddresses(chain)]
      for (const address of all) expect(address).toMatch(/^0x[0-9a-f]{40}$/)
      expect(new Set(all).size).toBe(all.length)
    })

    it('has two or three public RPCs of different operators, by https and without a key', () => {
      const { rpcs } = chain
      expect([2, 3]).toContain(rpcs.length)
      expect(new Set(rpcs.map(({ operator }) => operator)).size).toBe(rpcs.length)
      expect(new Set(rpcs.map(({ url }) => new URL(url).hostname)).size).toBe(rpcs.length)
      for (const { url } of rpcs) {
        const { protocol, search, hash, username, port } = new URL(url)
        expect([protocol, search, hash, username, port]).toEqual(['https:', '', '', '', ''])
        expect(url).not.toMatch(/\/$|[0-9a-f]{16}/)
      }
    })

    it('agrees with viem on native token, explorer and the stack of the rollup', () => {
      const viem = definitionOf(chain)
      expect(chain.coin.symbol.toLowerCase()).toBe(viem.nativeCurrency.symbol.toLowerCase())
      expect(`https://${chain.explorer}`).toBe(viem.blockExplorers.default.url)
      expect(chain.rollup === 'op').toBe('gasPriceOracle' in (viem.contracts ?? {}))
    })

    it('agrees with the Aave address book on oracle, wrapped token and stables', () => {
      const market = markets[chain.chainId]
      expect(chain.oracle).toBe(market?.ORACLE.toLowerCase())
      if (market === undefined) return
      const symbols = new Map(
        Object.entries(market.ASSETS).map(([symbol, { UNDERLYING }]) => [UNDERLYING.toLowerCase(), symbol]),
      )
      expect(symbols.get(chain.wrapped)).toMatch(/^W(ETH|BNB|POL|AVAX|XDAI)$/)
      for (const stable of chain.stables) expect(symbols.get(stable)).toMatch(/^(USDC|USDbC|USDT|USDt|DAI)/)
    })

    it('agrees with the Uniswap SDK on factories and SwapRouter02', () => {
      const { v2Factory, v3Factory, router } = chain.uniswap ?? {}
      expect(router ?? '').toBe(SWAP_ROUTER_02_ADDRESSES(chain.chainId).toLowerCase())
      expect(v3Factory).toBe(V3_CORE_FACTORY_ADDRESSES[chain.chainId]?.toLowerCase())
      if (v2Factory) expect(v2Factory).toBe(V2_FACTORY_ADDRESSES[chain.chainId]?.toLowerCase())
    })

    it('names a quoter wherever it names a router, and v2 routes only with a v2 factory', () => {
      const { v2Factory, quoter, router, routesV2 } = chain.uniswap ?? {}
      expect(quoter === undefined).toBe(router === undefined)
      if (routesV2) expect([v2Factory, router]).not.toContain(undefined)
    })

    it('prices by its own contracts, whatever a stored network names', () => {
      const { v2Factory, v3Factory } = chain.uniswap ?? {}
      const market = { oracle: `0x${'bad0'.repeat(10)}` as const }
      const { oracle, makers } = getPriceContracts({ chainId: chain.chainId, market })
      expect(oracle).toBe(chain.oracle)
      expect(makers.map(({ deployer }) => deployer)).toEqual(
        expect.arrayContaining([v2Factory, v3Factory].filter((factory) => factory !== undefined)),
      )
    })
  })

  it('names QuoterV2, for which the Uniswap SDK has an older quoter on some chains', () => {
    const agreeing = publicChains.filter(({ chainId, uniswap }) => {
      const { quoterAddress } = CHAIN_TO_ADDRESSES_MAP[chainId as 1] ?? {}
      return uniswap !== undefined && uniswap.quoter === quoterAddress?.toLowerCase()
    })
    expect(agreeing.map(({ name }) => name)).toEqual(['Base', 'BNB Chain', 'Avalanche'])
  })

  it('has one quoter and one router per v3 factory', () => {
    const peripheries = new Map<string, Set<string>>()
    for (const { v3Factory, quoter, router } of publicChains.flatMap(({ uniswap }) => uniswap ?? [])) {
      peripheries.set(v3Factory, (peripheries.get(v3Factory) ?? new Set()).add(`${quoter} ${router}`))
    }
    expect(peripheries.size).toBe(6)
    for (const pairs of peripheries.values()) expect(pairs.size).toBe(1)
  })

  it('names the endpoint of the chain’s operator as viem does', () => {
    const operators = publicChains.filter(({ rpcs }) => rpcs.length === 3)
    const differing = operators.filter((chain) => {
      const urls = definitionOf(chain).rpcUrls.default.http.map((url) => url.replace(/\/$/, ''))
      return !urls.includes(chain.rpcs[0]?.url ?? '')
    })
    // viem names a third party for BNB Chain; its documentation names this one.
    expect(differing.map(({ name }) => name)).toEqual(['BNB Chain'])
    expect(operators).toHaveLength(9)
  })
})
