import type { FeeSpeed, Review } from '../swap/swap.ts'
import type { Address } from '../token/token.ts'
import type { ShownOutcome, Simulation } from './callBatch.ts'

/** Coins or tokens for somebody. `amount` is what leaves, in base units. */
export type TransferRequest = {
  chainId: number
  account: Address
  token: Address
  to: Address
  amount: bigint
  /** `normal` unless given. */
  speed?: FeeSpeed
}

/** A transfer that the user accepted. `expected` is the outcome on the screen; absent where the node could not tell. */
export type OwnTransfer = TransferRequest & { id: string; feeCap: bigint; expected?: ShownOutcome }

/** What a transfer would do. Fees are wei. */
export type TransferPreview = Pick<
  Review,
  'gas' | 'networkFee' | 'speeds' | 'isLegacy' | 'l1Fee' | 'feeCap' | 'feeDoubt'
> & {
  /** It succeeds, or the node cannot say. */
  simulation: Exclude<Simulation, { status: 'reverts' }>
  /** By how much the receiver's balance would grow: less than what leaves where the token takes a fee. Absent where nobody can say. */
  arrives?: bigint
}

/** All of the coin but its fee. */
export type MaxSendable = {
  amount: bigint
  /** What has to be set aside of the coin, in wei. */
  networkFee: bigint
  /** What it is made with. A transfer of the most has to be sent with these very fees, as its `speed`. */
  speed: Exclude<FeeSpeed, string>
}

/**
 * The most of a coin that can be sent, by the preview of sending some of it. What the fee turns out to be less stays in the account. L1 may
 * be dearer by the time it is signed: a quarter is set aside for that.
 */
export function maxSendableNative(
  balance: bigint,
  { gas, l1Fee }: Pick<TransferPreview, 'gas' | 'l1Fee'>,
  speed: MaxSendable['speed'],
): MaxSendable {
  const networkFee = gas * speed.maxFeePerGas + (l1Fee * 5n + 3n) / 4n
  return { amount: balance > networkFee ? balance - networkFee : 0n, networkFee, speed }
}
