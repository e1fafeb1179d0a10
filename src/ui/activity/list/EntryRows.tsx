import { type ActivityEntry, getEntryId } from '../../../domain/activity/incoming.ts'
import { formatWhen } from '../../format/time.ts'
import { useEntryTokens } from '../useEntryTokens.ts'
import { ActivityRow } from './ActivityRow.tsx'
import '../../style/lazy/activity.css'

/** Entries of the network shown, without day headings. */
export function EntryRows({ entries }: { entries: ActivityEntry[] }) {
  const tokens = useEntryTokens(entries)
  return (
    <ul class="panel group">
      {entries.map((entry) => (
        <ActivityRow
          key={getEntryId(entry)}
          entry={entry}
          tokens={tokens}
          isElsewhere={false}
          when={formatWhen(entry.createdAt, Date.now())}
        />
      ))}
    </ul>
  )
}
