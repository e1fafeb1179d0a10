import type { Hex } from 'viem'
import type { Address } from '../config.ts'
import type { Curve } from './priceCurve.ts'

/** A place to swap, frozen at one block. To the router a pool is this and no more. */
export type Pool = {
  /** For wrapping, the wrapped coin's own address. */
  address: Address
  /** Who keeps its tokens, when that is not the pool itself. */
  holder?: Address
  /** The id in liquidity-sources. */
  source: string
  tokens: readonly Address[]
  /** What `amount` of `sell` buys, exactly as the pool's contract rounds. 0n when it cannot be filled. */
  quote(sell: Address, buy: Address, amount: bigint): bigint
  /** The same in doubles, for the search. */
  curve(sell: Address, buy: Address): Curve
  /** Gas of one hop of `amount` through the router. */
  gas(sell: Address, buy: Address, amount: bigint): bigint
  /** How the router's calldata names the hop (contracts/ISwapRouter.sol). */
  encode(sell: Address): { kind: number; fee: number; aux?: Hex }
}
