import type { Network } from './network.ts'
import type { Address } from './token.ts'

type Facts = Pick<Network, 'wrapped' | 'stable' | 'rollup'>

/** Where every chain of the OP stack has its wrapped coin. */
const predeployed: Address = '0x4200000000000000000000000000000000000006'
const opStack: Facts = { wrapped: predeployed, rollup: 'op' }

/** What is true of a chain whoever serves it. Stables are Circle's USDC, for the first pair of the chains that the wallet comes with. */
const known: Readonly<Record<number, Facts>> = {
  1: {
    wrapped: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
    stable: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
  },
  10: opStack,
  56: { wrapped: '0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c' },
  100: { wrapped: '0xe91d153e0b41518a2ce8dd3d7944fa863463a97d' },
  130: opStack,
  137: { wrapped: '0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270' },
  8453: { ...opStack, stable: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913' },
  42161: { wrapped: '0x82af49447d8a07e3bd95bd0d56f35241523fbab1' },
  43114: { wrapped: '0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7' },
  59144: { wrapped: '0xe5d7c2a44ffddf6b295a15c148167daaaf5cf34f' },
}

/** The network with what it does not say itself: no screen asks for it, and records from before have none of it. */
export function withFacts(network: Network): Network {
  return { ...known[network.chainId], ...network }
}
