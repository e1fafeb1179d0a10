import { type Activity, activityAmounts } from '../../domain/activity/activity.ts'
import { getChainId } from '../../domain/activity/intent.ts'
import { isUnreadable } from '../../domain/activity/isUnknown.ts'
import { amountLabels, isForOther } from '../messages/activity.ts'
import { TokenSide } from '../tokens/TokenSide.tsx'
import type { Tokens } from '../tokens/useTokens.ts'

/** Amounts moved, or expected while pending. */
export function ActivityAmounts({ entry, tokens }: { entry: Activity; tokens: Tokens }) {
  const chainId = getChainId(entry.intent)
  const { out, in: into } = isUnreadable(entry) ? {} : activityAmounts(entry)
  const words = amountLabels(entry)
  if (out === undefined && into === undefined) return null
  return (
    <section class="panel sides sides-apart">
      {out && (
        <TokenSide
          what={words.out}
          amount={out.amount}
          address={out.token}
          token={tokens.tokenOf(chainId, out.token)}
          isExact
        />
      )}
      {into && (
        <TokenSide
          what={words.in}
          amount={into.amount}
          address={into.token}
          token={tokens.tokenOf(chainId, into.token)}
          isGain={entry.outcome.status === 'done' && !entry.outcome.isLeast && !isForOther(entry)}
        />
      )}
    </section>
  )
}
