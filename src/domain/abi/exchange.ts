import { larger } from '../bounds.ts'
import { type Address, nativeTokenAddress } from '../token/token.ts'

/**
 * Tokens that the swaps of an undecoded call sell, and what they guarantee to bring. The wrapped token counts
 * as the native one.
 */
export type Exchange = {
  sold: Address[]
  /** Each token that is bought, without its address where the calldata does not name it. */
  minimums: { token?: Address; amount: bigint }[]
}

/** Adds up the steps of one call. */
export function createExchange(wrapped: readonly Address[]) {
  const sold = new Set<Address>()
  const swapped = new Map<Address | undefined, bigint>()
  const paid = new Map<Address | undefined, bigint>()
  const plain = (token: Address) => (wrapped.includes(token) ? nativeTokenAddress : token)

  return {
    /** The account or the contract spends `token`. */
    sells(token: Address): void {
      sold.add(plain(token))
    },
    /** A swap brings at least `min` to the account or the contract. */
    buys(token: Address | undefined, min: bigint): void {
      add(swapped, token && plain(token), min)
    },
    /** The contract pays at least `min` to the account. */
    paysOut(token: Address, min: bigint): void {
      add(paid, plain(token), min)
    },
    /** Undefined without a swap. Payouts repeat what swaps bring. */
    result(): Exchange | undefined {
      if (swapped.size === 0) return undefined
      const minimums = [...swapped].map(([token, amount]) => ({
        ...(token && { token }),
        // A return that is sold again has no minimum.
        amount: token && sold.has(token) ? 0n : larger(amount, paid.get(token) ?? 0n),
      }))
      return { sold: [...sold], minimums }
    },
  }
}

function add(totals: Map<Address | undefined, bigint>, token: Address | undefined, amount: bigint): void {
  totals.set(token, (totals.get(token) ?? 0n) + amount)
}
