import type { Network } from '../network/network.ts'
import { type Address, native } from '../token/token.ts'
import type { Trade } from './trade.ts'

export type WrapKind = 'wrap' | 'unwrap'

type Pair = Pick<Trade, 'sell' | 'buy'>

/** Whether a trade only turns the coin into its token, or back: one to one, and nobody else is needed for it. */
export function wrapKind({ sell, buy }: Pair, wrapped: Address | undefined): WrapKind | undefined {
  if (sell === native && buy === wrapped) return 'wrap'
  return buy === native && sell === wrapped ? 'unwrap' : undefined
}

export function isWrap(pair: Pair, { wrapped }: Pick<Network, 'wrapped'>): boolean {
  return wrapKind(pair, wrapped) !== undefined
}
