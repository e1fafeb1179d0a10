import { type Address, nativeTokenAddress } from '../../domain/token/token.ts'
import type { Chain } from '../../evm/client.ts'
import type { Arrival, NativeState } from '../../evm/incoming.ts'
import type { SeenBalances } from './incomingStore.ts'

/** Blocks that are read again, as an RPC may lag. Transfers in them are stored once. */
export const overlapBlocks = 20n

/** An RPC that is further behind serves a chain that was started anew, as a test network. */
const maxLagBlocks = 1_000n

/** `key` is the same whenever this transfer is found. */
export type Found = { token: Address; arrival: Arrival; key: string }

/** Reads the state of one block on a change, as `latest` may be answered by an RPC that lags. */
export async function observeNative(
  chain: Chain,
  account: Address,
  seen: SeenBalances,
  balance: bigint,
  block: bigint,
): Promise<{ native?: NativeState; found: Found[] }> {
  const before = seen.native
  if (before?.balance === balance) {
    return { native: { ...before, block: later(before.block, block - overlapBlocks) }, found: [] }
  }
  const after = await chain.nativeState(account)
  if (before === undefined || isRestarted(before.block, after.block)) return { native: after, found: [] }
  if (after.block <= before.block) return { found: [] }
  const isRaised = after.balance > before.balance
  const arrivals = isRaised ? await chain.nativeArrivals(account, before, after) : []
  const found = arrivals.map((arrival) => ({
    token: nativeTokenAddress,
    arrival,
    key: arrival.hash ?? String(arrival.block ?? `${after.block} ${after.balance}`),
  }))
  return { native: after, found }
}

export function isRestarted(seen: bigint, head: bigint): boolean {
  return head + maxLagBlocks < seen
}

export function later(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}
