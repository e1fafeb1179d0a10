import type { Network } from '../network/network.ts'
import { type Address, type Hex, nativeTokenAddress } from '../token/token.ts'
import type { Trade } from './quote.ts'

export type WrapKind = 'wrap' | 'unwrap'

/**
 * Code of WETH9, without immutables and owner: wherever it stands, deposits are credited one to one. Other
 * wrapped tokens are simulated.
 */
export const weth9CodeHashes: readonly Hex[] = [
  // Ethereum.
  '0xd0a06b12ac47863b5c7be4185c2deaad1c61557033f56c7d4ea74429cbb25e23',
  // Base.
  '0x8a3a1f6a9f9dce633117adee5b458245835a8645a8c8726a26382a4622508b1c',
  // @uniswap/v2-periphery, on localnet.
  '0xe524bd0c25f819b88ff6694c74b8757e843232d912f1d88fc5f924da716e8aaf',
]

type Pair = Pick<Trade, 'sell' | 'buy'>

/** Returns undefined unless one to one between native and wrapped token. */
export function wrapKind({ sell, buy }: Pair, wrapped: Address | undefined): WrapKind | undefined {
  if (sell === nativeTokenAddress && buy === wrapped) return 'wrap'
  return buy === nativeTokenAddress && sell === wrapped ? 'unwrap' : undefined
}

export function isWrap(pair: Pair, { wrapped }: Pick<Network, 'wrapped'>): boolean {
  return wrapKind(pair, wrapped) !== undefined
}
