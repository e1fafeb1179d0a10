import type { PastPrice, Swap } from '../swap/swap.ts'
import type { Address, Hex } from '../token/token.ts'
import type { CallBatch } from './callBatch.ts'
import { getChainId } from './intent.ts'

/** Tokens received, as the user's RPC showed it. Absent fields were not seen. */
export type IncomingTransfer = {
  /** Derived from what was seen, so that the same transfer is stored once. */
  id: string
  account: Address
  chainId: number
  token: Address
  amount: bigint
  /** Time of its block, else when the balance was read; milliseconds since 1970. */
  createdAt: number
  from?: Address
  hash?: Hex
  block?: bigint
  /** When it was seen, soon after it arrived. */
  price?: PastPrice
}

export type ActivityEntry = Swap | CallBatch | IncomingTransfer

export function isIncoming(entry: ActivityEntry): entry is IncomingTransfer {
  return !('intent' in entry)
}

export function isOwnActivity(entry: ActivityEntry): entry is Swap | CallBatch {
  return !isIncoming(entry)
}

export function getEntryId(entry: ActivityEntry): string {
  return isIncoming(entry) ? entry.id : entry.intent.id
}

export function getEntryChainId(entry: ActivityEntry): number {
  return isIncoming(entry) ? entry.chainId : getChainId(entry.intent)
}

export function getEntryAccount(entry: ActivityEntry): Address {
  return isIncoming(entry) ? entry.account : entry.intent.account
}
