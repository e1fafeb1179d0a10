import type { Network } from '../network/network.ts'
import { type Address, type Hex, nativeTokenAddress } from '../token/token.ts'
import type { Trade } from './quote.ts'

export type WrapKind = 'wrap' | 'unwrap'

/**
 * Code hashes of WETH9 deployments. It has neither immutables nor an owner, so wherever this code stands a deposit is credited one to one.
 * Of other wrapped tokens (WBNB, other builds) a simulation decides.
 */
export const weth9CodeHashes: readonly Hex[] = [
  // Ethereum, 0xC02a…6Cc2.
  '0xd0a06b12ac47863b5c7be4185c2deaad1c61557033f56c7d4ea74429cbb25e23',
  // Base, the predeploy 0x4200…0006.
  '0x8a3a1f6a9f9dce633117adee5b458245835a8645a8c8726a26382a4622508b1c',
  // The build of @uniswap/v2-periphery, on the local chain.
  '0xe524bd0c25f819b88ff6694c74b8757e843232d912f1d88fc5f924da716e8aaf',
]

type Pair = Pick<Trade, 'sell' | 'buy'>

/** Whether a trade only turns the coin into its token, or back: one to one, and nobody else is needed for it. */
export function wrapKind({ sell, buy }: Pair, wrapped: Address | undefined): WrapKind | undefined {
  if (sell === nativeTokenAddress && buy === wrapped) return 'wrap'
  return buy === nativeTokenAddress && sell === wrapped ? 'unwrap' : undefined
}

export function isWrap(pair: Pair, { wrapped }: Pick<Network, 'wrapped'>): boolean {
  return wrapKind(pair, wrapped) !== undefined
}
