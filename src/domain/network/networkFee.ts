import { smaller } from '../bounds.ts'

/** In wei. `feeCap` is the maximum: beyond it nothing is signed. */
export type NetworkFee = { expectedFee: bigint; feeCap: bigint }

/** `l1Fee`: of a rollup in wei, with a quarter of headroom (evm/l1Fee.ts). */
export type ExpectedCost = { expectedGas: bigint; baseFeePerGas: bigint; l1Fee: bigint }

type FeesPerGas = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }

/** Returns the likely cost in the next block, in wei: its base fee and the tip, for the expected gas. */
export function expectedFeeAt(cost: ExpectedCost, fees: FeesPerGas): bigint {
  const { expectedGas, baseFeePerGas, l1Fee } = cost
  const perGas = smaller(fees.maxFeePerGas, baseFeePerGas + fees.maxPriorityFeePerGas)
  return expectedGas * perGas + withoutL1Headroom(l1Fee)
}

export function withoutL1Headroom(l1Fee: bigint): bigint {
  return (l1Fee * 4n) / 5n
}
