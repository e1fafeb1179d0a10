import { useMemo } from 'preact/hooks'
import { type Activity, activityTokens } from '../../domain/activity/activity.ts'
import { getChainId } from '../../domain/activity/intent.ts'
import { type Tokens, useTokens } from '../tokens/useTokens.ts'

export function useEntryTokens(entries: readonly Activity[]): Tokens {
  const wanted = useMemo(
    () =>
      entries.flatMap((entry) => {
        const chainId = getChainId(entry.intent)
        return activityTokens(entry).map((token) => ({ chainId, token }))
      }),
    [entries],
  )
  return useTokens(wanted)
}
