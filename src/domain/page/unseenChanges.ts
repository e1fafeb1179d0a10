import type { CallWords } from '../abi/callWords.ts'
import type { Outcome, Simulation } from '../activity/calls.ts'
import { isBeyondNoise, ownOutcomesOf } from './ownOutcomes.ts'
import type { Risk } from './risk.ts'

/** Risk of undecoded calls without a visible change: they may change what a contract keeps for the account. */
export function unseenChanges(calls: CallWords[], simulation: Simulation | undefined): Risk[] {
  const outcomes = ownOutcomesOf(simulation, calls.length)
  const isUnseen = calls.some((call, index) => {
    const own = outcomes[index]
    if (call.kind !== 'unknown' || call.isVote || own === undefined) return false
    const earlier = outcomes.slice(0, index)
    return !own.changes.some((change) => isBeyondNoise(change, earlier)) && !hasNewGrant(own, earlier.at(-1))
  })
  return isUnseen ? [{ kind: 'no-change', isGrave: true }] : []
}

/** True when a grant of `outcome` was not there after the call before. */
function hasNewGrant({ grants }: Outcome, before: Outcome | undefined): boolean {
  return grants.some(
    (grant) =>
      !before?.grants.some(
        ({ token, spender, nft, amount }) =>
          token === grant.token && spender === grant.spender && nft === grant.nft && amount === grant.amount,
      ),
  )
}
