import { useMemo } from 'preact/hooks'
import { activityTokens } from '../../domain/activity/activity.ts'
import { type ActivityEntry, getEntryChainId } from '../../domain/activity/incoming.ts'
import { type Tokens, useTokens } from '../tokens/useTokens.ts'

export function useEntryTokens(entries: readonly ActivityEntry[]): Tokens {
  const wanted = useMemo(
    () =>
      entries.flatMap((entry) => {
        const chainId = getEntryChainId(entry)
        return activityTokens(entry).map((token) => ({ chainId, token }))
      }),
    [entries],
  )
  return useTokens(wanted)
}
