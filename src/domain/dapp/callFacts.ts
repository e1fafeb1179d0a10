import type { BalanceChange, Simulation } from '../activity/callBatch.ts'
import type { CallWords } from '../calldata/describeCall.ts'
import type { MarketRequest } from '../swap/market.ts'
import type { ImitableNetwork } from '../token/lookalike.ts'
import { type Address, isNative, type Token } from '../token/token.ts'

/**
 * Facts about calls by the account's own node. Whatever is absent could not be read, and counts as
 * dangerous.
 */
export type CallFacts = {
  account: Address
  /** The network's wrapped token, worth as much as the native token. */
  wrapped: readonly Address[]
  simulation?: Simulation
  /** The account's balances before the calls. */
  balances?: Record<Address, bigint>
  /** The allowances before the calls. A missing one is none. */
  allowances?: { token: Address; spender: Address; amount: bigint }[]
  /** Market return of a trade, in base units of `buy`; of `oracle` prices alone where that is asked. */
  returns?(ask: MarketRequest, only?: 'oracle'): bigint | undefined
  /** Well-known tokens of the network and those that the user added, beside those of the service's list. */
  listed?: readonly Address[]
  /** The network, to tell imitations of its well-known tokens. */
  network?: ImitableNetwork
  /** The calls move the native token alone, to accounts without code. */
  isPlain?: boolean
}

/** The facts by which the risks of `calls` are found. */
export type NeededFacts = {
  balances: Address[]
  allowances: { token: Address; spender: Address }[]
  trades: MarketRequest[]
}

/** Changes of a simulation that succeeds. */
export function simulatedChanges({ simulation }: CallFacts): BalanceChange[] {
  return simulation?.status === 'succeeds' ? simulation.changes : []
}

/** True for a token of a list, or of the wallet's own. */
export function isListed({ address, listed }: Token, { wrapped, listed: known = [] }: CallFacts): boolean {
  return listed || isNative(address) || wrapped.includes(address) || known.includes(address)
}

/** True for the address of a token of a list, as far as the simulation or the facts name it. */
export function isListedAt(address: Address, facts: CallFacts): boolean {
  const { simulation, wrapped, listed = [] } = facts
  const seen = simulation?.status === 'succeeds' ? [...simulation.changes, ...simulation.grants] : []
  return (
    wrapped.includes(address) ||
    listed.includes(address) ||
    seen.some(({ token }) => token.address === address && isListed(token, facts))
  )
}

/**
 * True for a call of which nobody can tell what it does: one that is not decoded, and a delegation of votes
 * at a contract that is no known token, where the same function may hand over anything.
 */
export function isUndecoded(call: CallWords, facts: CallFacts): boolean {
  return call.kind === 'unknown' || (call.kind === 'delegate' && !isListedAt(call.contract, facts))
}

/** Change of a fungible balance. */
export function simulatedChange(facts: CallFacts, token: Address): bigint {
  return (
    simulatedChanges(facts).find((each) => each.token.address === token && each.nft === undefined)?.amount ??
    0n
  )
}
