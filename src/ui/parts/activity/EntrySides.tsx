import { type Activity, partsOf, stateOf } from '../../../domain/activity/activity.ts'
import { chainIdOf } from '../../../domain/activity/intent.ts'
import { isForOther, sideWords } from '../../words/activityWords.ts'
import { TokenSide } from '../tokens/TokenSide.tsx'
import type { Tokens } from '../tokens/useTokens.ts'

/** What went and what came; of what is not done, what is to. */
export function EntrySides({ one, tokens }: { one: Activity; tokens: Tokens }) {
  const chainId = chainIdOf(one.intent)
  const { out, in: into } = partsOf(one)
  const words = sideWords(one)
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
          isGain={stateOf(one) === 'done' && !isForOther(one)}
        />
      )}
    </section>
  )
}
