import type { CallWords } from '../abi/callWords.ts'
import type { Outcome, Simulation } from '../activity/calls.ts'
import { restOf, toShown } from '../activity/worse.ts'
import type { Risk } from './risk.ts'

/** Risk of undecoded calls without a visible change: they may change what a contract keeps for the account. */
export function unseenChanges(calls: CallWords[], simulation: Simulation | undefined): Risk[] {
  const total = simulation?.status === 'succeeds' ? toShown(simulation) : undefined
  if (total === undefined) return []
  const parts = total.parts ?? []
  const isUnseen = calls.some((call, index) => {
    const isLast = index === calls.length - 1
    const earlier = parts.slice(0, index)
    const own = isLast ? earlier.reduce<Outcome>(restOf, total) : parts[index]
    if (call.kind !== 'unknown' || call.isVote || own === undefined) return false
    return !own.changes.some((change) => isNoticeable(change, earlier)) && !hasNewGrant(own, parts[index - 1])
  })
  return isUnseen ? [{ kind: 'no-change', isGrave: true }] : []
}

/** False for up to a percent of what earlier calls moved: each simulation has a block of its own. */
function isNoticeable({ token, nft, amount }: Outcome['changes'][number], earlier: Outcome[]): boolean {
  const moved = earlier
    .flatMap(({ changes }) => changes)
    .filter((one) => one.token === token && one.nft === nft)
    .reduce((sum, one) => sum + sizeOf(one.amount), 0n)
  return sizeOf(amount) * 100n > moved
}

function sizeOf(amount: bigint): bigint {
  return amount < 0n ? -amount : amount
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
