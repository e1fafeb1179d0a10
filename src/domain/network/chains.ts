import type { Address } from '../token/token.ts'
import type { Network } from './network.ts'

/** OP stack chains have no `wrapped`, rollups no `confirmations`. */
type Chain = [
  chainId: number,
  name: string,
  wrapped?: Address | undefined,
  confirmations?: number,
  coin?: string,
]

const chains: Chain[] = [
  [1, 'Ethereum', '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2', 12],
  [10, 'OP Mainnet'],
  [56, 'BNB Chain', '0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c', 15, 'BNB'],
  [100, 'Gnosis', '0xe91d153e0b41518a2ce8dd3d7944fa863463a97d', 12, 'xDAI'],
  [130, 'Unichain'],
  [137, 'Polygon', '0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270', 32, 'POL'],
  [8453, 'Base'],
  [42161, 'Arbitrum One', '0x82af49447d8a07e3bd95bd0d56f35241523fbab1'],
  [43114, 'Avalanche', '0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7', 3, 'AVAX'],
  [59144, 'Linea', '0xe5d7c2a44ffddf6b295a15c148167daaaf5cf34f'],
]

export const etherCurrency = { symbol: 'ETH', name: 'Ether' }

/** Returns the shipped networks. Without URLs, so nothing is contacted before the user names an endpoint. */
export function publicNetworks(): Network[] {
  return chains.map(([chainId, name, _wrapped, confirmations, coin]) =>
    withChainConstants({
      chainId,
      name,
      coin: coin === undefined ? etherCurrency : { symbol: coin, name: coin },
      serviceUrl: '',
      rpcUrl: '',
      confirmations: confirmations ?? 3,
      quoteEveryMs: confirmations === undefined ? 6_000 : 12_000,
    }),
  )
}

/** Adds constants of the chain, which old records lack. */
export function withChainConstants(network: Network): Network {
  const chain = chains.find(([chainId]) => chainId === network.chainId)
  if (chain === undefined) return network
  const [, , wrapped] = chain
  return { ...(wrapped ? { wrapped } : opStack), ...network }
}

/** The same on all OP stack chains. */
const opStack = { wrapped: '0x4200000000000000000000000000000000000006', rollup: 'op' } as const
