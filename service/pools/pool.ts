import type { Hex } from 'viem'
import type { Address } from '../config.ts'
import type { GasPart } from './gasCosts.ts'
import type { Curve } from './priceCurve.ts'

/** Initialized ticks crossed, and the number of ends of bitmap words (v3-core: TickBitmap). */
export type PoolSteps = {
  crossed: number[]
  words: number
  /** Gas parts of the pool, and that of a tick, where they are not those of Uniswap v3. */
  parts?: readonly [pool: readonly GasPart[], tick: GasPart]
}

/** The pool's fields in the word of a hop (contracts/Route.sol). */
export type EncodedHop = {
  kind: number
  fee: number
  /** A Balancer pool's id. */
  aux?: Hex
  /** 48 bits, instead of the fee. */
  detail?: bigint
  /** Instead of the pool's address. */
  target?: Address
}

/** A pool at one block. */
export type Pool = {
  address: Address
  /** Account that holds the tokens, if not the pool. */
  holder?: Address
  source: string
  tokens: readonly Address[]
  /** True if it trades the native token, known by either name; `tokens` has the wrapped one. */
  isNative?: boolean
  /** Returns the contract's exact output; 0n when it cannot be filled. */
  quote(sell: Address, buy: Address, amount: bigint): bigint
  /** Returns the curve in doubles, for the search. */
  curve(sell: Address, buy: Address): Curve
  /** Returns what indexes hold of a pool, where that is cheaper than its curve. */
  spot?(sell: Address, buy: Address): Spot
  /** Returns the pool after a swap that `quote` fills; absent where a transaction uses the pool once. */
  after?(sell: Address, buy: Address, sold: bigint): Pool
  /** Returns the balance that it pays from where other pools pay from the same, and a name of it. */
  reserve?(buy: Address): { name: string; amount: bigint }
  gas(sell: Address, buy: Address, amount: bigint): bigint
  /** Gas that a swap may take more if it is executed later. */
  lateGas?: bigint
  /**
   * Ten-millionths of its output that may come or go within seconds without a transaction: by yield, by what
   * accounts hold of shares, or by a fee that depends on the time.
   */
  drift?: bigint
  /** Returns what a swap crosses, if its gas depends on that. */
  steps?(sell: Address, amount: bigint): PoolSteps
  /** Returns the hop's fields in calldata (contracts/ISwapRouter.sol). */
  encode(sell: Address, buy: Address): EncodedHop
}

/**
 * Marginal price at zero input, and the output reserve there, virtual in v3; both 0 if nothing is sold.
 * `rounding` as in curves.
 */
export type Spot = { start: number; depth: number; rounding?: number }
