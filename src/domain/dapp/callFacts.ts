import type { BalanceChange, Simulation } from '../activity/simulation.ts'
import type { DecodedCall } from '../calldata/decodedCall.ts'
import type { MarketRequest } from '../swap/market.ts'
import type { ImitableNetwork } from '../token/lookalike.ts'
import { type Address, isNative, type Token } from '../token/token.ts'

/** Facts from the account's RPC; absent ones count as dangerous. */
export type CallFacts = {
  account: Address
  /** Of equal value to the native token. */
  wrapped: readonly Address[]
  simulation?: Simulation
  /** Before the calls. */
  balances?: Record<Address, bigint>
  /** Before the calls; a missing one is 0. */
  allowances?: { token: Address; spender: Address; amount: bigint }[]
  /** Market return in base units of `buy`; `only` restricts the prices. */
  returns?(ask: MarketRequest, only?: 'oracle'): bigint | undefined
  listed?: readonly Address[]
  network?: ImitableNetwork
  /** Only native tokens, to accounts without code. */
  isPlain?: boolean
}

export type NeededFacts = {
  balances: Address[]
  allowances: { token: Address; spender: Address }[]
  trades: MarketRequest[]
}

export function simulatedChanges({ simulation }: CallFacts): BalanceChange[] {
  return simulation?.status === 'succeeds' ? simulation.changes : []
}

/** True for a token of a list or of the wallet. */
export function isListed({ address, listed }: Token, { wrapped, listed: known = [] }: CallFacts): boolean {
  return listed || isNative(address) || wrapped.includes(address) || known.includes(address)
}

/** True for the address of such a token, as far as the facts name it. */
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
 * True for an unknown effect: undecoded, or a delegation at an unknown token, where the same function may
 * transfer anything.
 */
export function isUndecoded(call: DecodedCall, facts: CallFacts): boolean {
  return call.kind === 'unknown' || (call.kind === 'delegate' && !isListedAt(call.contract, facts))
}

/** Returns the change of a fungible balance. */
export function simulatedChange(facts: CallFacts, token: Address): bigint {
  return (
    simulatedChanges(facts).find((each) => each.token.address === token && each.nft === undefined)?.amount ??
    0n
  )
}
