import type { Outcome } from '../../activity/simulation.ts'
import type { DecodedCall } from '../../calldata/decodedCall.ts'
import { isNative } from '../../token/token.ts'
import { type CallFacts, isUndecoded } from '../callFacts.ts'
import { isBeyondNoise, ownOutcomes } from '../ownOutcomes.ts'
import type { Risk } from './risk.ts'

/**
 * Returns the risk of undecoded calls without a visible change, which may affect what a contract keeps for
 * the account. The value sent is no change, except for known payments.
 */
export function unseenChanges(calls: DecodedCall[], facts: CallFacts): Risk[] {
  const outcomes = ownOutcomes(facts.simulation, calls.length)
  const unseen = calls.filter((call, index) => {
    const own = outcomes[index]
    const isVote = call.kind === 'unknown' && call.isVote
    if (!isUndecoded(call, facts) || isVote || own === undefined) return false
    const earlier = outcomes.slice(0, index)
    const isShown = call.kind !== 'unknown' || call.isPayment
    const changes = isShown ? own.changes : withoutValue(own.changes, call.value)
    return !changes.some((change) => isBeyondNoise(change, earlier)) && !hasNewGrant(own, earlier.at(-1))
  })
  if (unseen.length === 0) return []
  const isPaid = unseen.some((call) => call.kind === 'unknown' && call.value > 0n)
  return [{ kind: 'no-change', ...(isPaid && { isPaid }), isGrave: true }]
}

function withoutValue(changes: Outcome['changes'], value: bigint): Outcome['changes'] {
  return changes.map((change) => {
    if (!isNative(change.token) || change.amount >= 0n) return change
    return { ...change, amount: -change.amount > value ? change.amount + value : 0n }
  })
}

function hasNewGrant({ grants }: Outcome, before: Outcome | undefined): boolean {
  return grants.some(
    (grant) =>
      !before?.grants.some(
        ({ token, spender, nft, amount }) =>
          token === grant.token && spender === grant.spender && nft === grant.nft && amount === grant.amount,
      ),
  )
}
