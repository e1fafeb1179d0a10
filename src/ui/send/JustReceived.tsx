import { useEffect, useMemo, useState } from 'preact/hooks'
import { getEntryId, isIncoming } from '../../domain/activity/incoming.ts'
import type { Network } from '../../domain/network/network.ts'
import type { Address } from '../../domain/token/token.ts'
import { t } from '../../i18n/translate.ts'
import { isReachable } from '../../state/settings.ts'
import { EntryRows } from '../activity/list/EntryRows.tsx'
import { useActivity } from '../hooks/data/useActivity.ts'
import '../style/lazy/receive.css'

/** Lists what arrived while the screen is open. */
export function JustReceived({ account, network }: { account: Address; network: Network }) {
  const entries = useActivity((state) => state.entries)
  const [known, setKnown] = useState<Set<string>>()
  useEffect(() => {
    if (known === undefined && entries !== undefined) setKnown(new Set(entries.map(getEntryId)))
  }, [entries])
  const arrived = useMemo(
    () =>
      (entries ?? []).filter(
        (one) => isIncoming(one) && one.account === account && known?.has(one.id) === false,
      ),
    [entries, known, account],
  )
  if (!isReachable(network)) return null
  return (
    <section role="status">
      {arrived.length === 0 ? (
        <p class="small dim receive-where">
          {t('Funds on {network} show up here seconds after they arrive.', { network: network.name })}
        </p>
      ) : (
        <EntryRows entries={arrived} />
      )}
    </section>
  )
}
