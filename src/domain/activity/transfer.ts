import type { FeeDoubt } from '../network/feeLimits.ts'
import type { FeeSpeed, PastPrice, Review } from '../swap/swap.ts'
import type { Address } from '../token/token.ts'
import type { ShownOutcome } from './callBatch.ts'
import type { Simulation } from './simulation.ts'

/** `amount` leaves the account, in base units. */
export type TransferRequest = {
  chainId: number
  account: Address
  token: Address
  to: Address
  amount: bigint
  /** Default `normal`. */
  speed?: FeeSpeed
}

/** Accepted transfer. `expected` is the outcome shown and `price` the token's; absent when unknown. */
export type OwnTransfer = TransferRequest & {
  id: string
  feeCap: bigint
  expected?: ShownOutcome
  price?: PastPrice
}

/** Gas and fees of reviewed transactions; fees in wei. */
export type ReviewedCost = Pick<
  Review,
  | 'gas'
  | 'expectedGas'
  | 'baseFeePerGas'
  | 'networkFee'
  | 'expectedFee'
  | 'speeds'
  | 'isLegacy'
  | 'l1Fee'
  | 'feeCap'
>

export type TransferPreview = ReviewedCost & {
  feeDoubt?: FeeDoubt
  simulation: Exclude<Simulation, { status: 'reverts' }>
  /** Growth of the recipient's balance, less for fee-on-transfer tokens; absent when unknown. */
  arrives?: bigint
}

export type MaxSendable = {
  amount: bigint
  /** Fee reserve in wei. */
  networkFee: bigint
  /** The transfer must use exactly these fees. */
  speed: Exclude<FeeSpeed, string>
}

/**
 * Returns the maximum sendable native amount. Reserves 1/4 on top of the L1 fee, which may rise before
 * signing.
 */
export function maxSendableNative(
  balance: bigint,
  { gas, l1Fee }: Pick<TransferPreview, 'gas' | 'l1Fee'>,
  speed: MaxSendable['speed'],
): MaxSendable {
  const networkFee = gas * speed.maxFeePerGas + (l1Fee * 5n + 3n) / 4n
  return { amount: balance > networkFee ? balance - networkFee : 0n, networkFee, speed }
}
