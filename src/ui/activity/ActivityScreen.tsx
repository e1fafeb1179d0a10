import { useMemo, useState } from 'preact/hooks'
import { groupByDay } from '../../domain/activity/activity.ts'
import { type ActivityEntry as Entry, getEntryChainId, getEntryId } from '../../domain/activity/incoming.ts'
import { plural, spokenLocale, t } from '../../i18n/translate.ts'
import { createActivityList, findIn } from '../../state/activity/activityList.ts'
import { ErrorMessage } from '../components/alerts/ErrorMessage.tsx'
import { useActivity } from '../hooks/data/useActivity.ts'
import { useNames } from '../hooks/data/useContacts.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'
import { dayTitle } from '../messages/activity.ts'
import type { ScreenProps } from '../screenProps.ts'
import { Header } from '../shell/Header.tsx'
import type { Tokens } from '../tokens/useTokens.ts'
import { ActivityFilters } from './list/ActivityFilters.tsx'
import { ActivityRow } from './list/ActivityRow.tsx'
import { ExportSheet } from './list/ExportSheet.tsx'
import { HistoryHead } from './list/HistoryHead.tsx'
import { useEntryTokens } from './useEntryTokens.ts'
import '../style/lazy/activity.css'

export function ActivityScreen({ account, accounts, network }: ScreenProps) {
  const stores = useStores()
  const { activity } = stores
  const list = stores.get(createActivityList)
  const wanted = useStore(list, (state) => state)
  const { entries, error } = useActivity((state) => state)
  const tokens = useEntryTokens(entries ?? none)
  const personOf = useNames()
  const names = useMemo(() => ({ tokenOf: tokens.tokenOf, personOf }), [tokens, personOf])
  const [isExporting, setExporting] = useState(false)
  const found = useMemo(
    () => findIn(entries ?? none, wanted, { account: account.address, chainId: network.chainId }, names),
    [entries, wanted, account.address, network.chainId, names],
  )
  return (
    <>
      <Header account={account} />
      <main class="activity">
        <h1 class="unseen">{t('Activity')}</h1>
        {error && (
          <ErrorMessage error={error}>
            <button type="button" class="link" onClick={activity.refresh}>
              {t('Try again')}
            </button>
          </ErrorMessage>
        )}
        {entries === undefined && error === undefined && <Bones />}
        {entries?.length === 0 && <Nothing />}
        {entries !== undefined && entries.length > 0 && (
          <>
            <HistoryHead entries={entries} account={wanted.isOfAll ? undefined : account.address} />
            <ActivityFilters list={list} hasAccounts={accounts.length > 1} found={found.length} />
            <div class="activity-count small dim">
              <span role="status">{plural(found.length, '{count} entry', '{count} entries')}</span>
              {found.length > 0 && (
                <button type="button" class="link" aria-haspopup="dialog" onClick={() => setExporting(true)}>
                  {t('Export')}
                </button>
              )}
            </div>
            {found.length === 0 && (
              <div class="nothing stack">
                <p>{t('No results')}</p>
                <button type="button" class="second" onClick={list.clear}>
                  {t('Clear filters')}
                </button>
              </div>
            )}
            <Days entries={found.slice(0, wanted.most)} tokens={tokens} chainId={network.chainId} />
            {found.length > wanted.most && (
              <button type="button" class="second" onClick={list.more}>
                {t('Show more')}
              </button>
            )}
          </>
        )}
      </main>
      {isExporting && <ExportSheet entries={found} tokens={tokens} onClose={() => setExporting(false)} />}
    </>
  )
}

const none: Entry[] = []

function Days({ entries, tokens, chainId }: { entries: Entry[]; tokens: Tokens; chainId: number }) {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  const now = Date.now()
  return groupByDay(entries, timeZone).map(({ day, entries }) => (
    <section key={day} class="act-day" aria-labelledby={`day-${day}`}>
      <h2 class="part" id={`day-${day}`}>
        {dayTitle(day, now, timeZone, spokenLocale())}
      </h2>
      <ul class="panel group">
        {entries.map((entry) => (
          <ActivityRow
            key={getEntryId(entry)}
            entry={entry}
            tokens={tokens}
            isElsewhere={getEntryChainId(entry) !== chainId}
          />
        ))}
      </ul>
    </section>
  ))
}

function Nothing() {
  const { router } = useStores()
  return (
    <div class="nothing stack">
      <p>{t('No activity yet')}</p>
      <button type="button" class="second" onClick={() => router.go('swap')}>
        {t('Swap tokens')}
      </button>
    </div>
  )
}

function Bones() {
  return (
    <div class="panel group" role="status" aria-label={t('Loading activity…')}>
      {[0, 1, 2, 3].map((row) => (
        <div key={row} class="list-row entry-row" aria-hidden="true">
          <span class="bone bone-face" />
          <span class="act-main">
            <span class="bone" />
          </span>
          <span class="bone" />
        </div>
      ))}
    </div>
  )
}
