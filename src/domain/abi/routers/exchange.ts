import { larger } from '../../bounds.ts'
import { type Address, nativeTokenAddress } from '../../token/token.ts'

/** Tokens that an undecoded call sells, and its minimums. The wrapped token counts as native. */
export type Exchange = {
  sold: Address[]
  /** `token` is absent if not in the calldata. */
  minimums: { token?: Address; amount: bigint }[]
}

export function createExchange(wrapped: readonly Address[]) {
  const sold = new Set<Address>()
  const swapped = new Map<Address | undefined, bigint>()
  const paid = new Map<Address | undefined, bigint>()
  const plain = (token: Address) => (wrapped.includes(token) ? nativeTokenAddress : token)

  return {
    sells(token: Address): void {
      sold.add(plain(token))
    },
    buys(token: Address | undefined, min: bigint): void {
      add(swapped, token && plain(token), min)
    },
    paysOut(token: Address, min: bigint): void {
      add(paid, plain(token), min)
    },
    /** Undefined without a swap. Payouts repeat swap proceeds: the larger counts. */
    result(): Exchange | undefined {
      if (swapped.size === 0) return undefined
      const minimums = [...swapped].map(([token, amount]) => ({
        ...(token && { token }),
        // Sold again, so without a minimum.
        amount: token && sold.has(token) ? 0n : larger(amount, paid.get(token) ?? 0n),
      }))
      return { sold: [...sold], minimums }
    },
  }
}

function add(totals: Map<Address | undefined, bigint>, token: Address | undefined, amount: bigint): void {
  totals.set(token, (totals.get(token) ?? 0n) + amount)
}
