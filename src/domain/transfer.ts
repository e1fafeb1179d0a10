import type { Simulation } from './calls.ts'
import type { Review, Speed } from './swap.ts'
import type { Address } from './token.ts'

/** Coins or tokens for somebody. `amount` is what leaves, in base units. */
export type TransferAsk = {
  chainId: number
  account: Address
  token: Address
  to: Address
  amount: bigint
  /** `normal` unless given. */
  speed?: Speed
}

/** What a transfer would do. Fees are wei. */
export type TransferPreview = Pick<Review, 'gas' | 'networkFee' | 'speeds' | 'l1Fee' | 'feeCap'> & {
  /** It succeeds, or the node cannot say. */
  simulation: Exclude<Simulation, { status: 'reverts' }>
  /** By how much the receiver's balance would grow: less than what leaves where the token takes a fee. Absent where nobody can say. */
  arrives?: bigint
}

export type MostToSend = {
  amount: bigint
  /** What has to be set aside of the coin, in wei. */
  networkFee: bigint
  /** What it is made with. A transfer of the most has to be sent with these very fees, as its `speed`. */
  speed: Exclude<Speed, string>
}

/** Of the coin all but its fee is sent, or nothing where that is more than there is. */
export function mostOf(balance: bigint, networkFee: bigint): bigint {
  return balance > networkFee ? balance - networkFee : 0n
}
