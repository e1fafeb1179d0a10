import { changeSinceYesterday, comparableSnapshots } from '../../domain/value/snapshots.ts'
import { plural, t } from '../../i18n/translate.ts'
import { createHome } from '../../state/portfolio/home.ts'
import { formatPercent } from '../format/numbers.ts'
import { formatSecondsAgo } from '../format/relativeTime.ts'
import { formatCompactValue } from '../format/value.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'
import { useNow } from '../hooks/useNow.ts'
import { Sparkline } from './Sparkline.tsx'
import type { Portfolio } from './usePortfolio.ts'

type Props = { portfolio: Portfolio; isShown: boolean }

/** One line: what could not be read, or the change since yesterday. Its room is reserved. */
export function TotalStatus({ portfolio, isShown }: Props) {
  const { summary, filtered } = portfolio
  return (
    <div class="total-status small">
      {summary.failed.length > 0 ? (
        <Failed portfolio={portfolio} />
      ) : (
        isShown &&
        !filtered &&
        summary.usd !== undefined && <Change portfolio={portfolio} usd={summary.usd} />
      )}
    </div>
  )
}

function Failed({ portfolio: { summary, reachable } }: { portfolio: Portfolio }) {
  useNow(10_000)
  const [first] = summary.failed
  const count = summary.failed.length
  const times = summary.failed.flatMap(({ readAt }) => readAt ?? [])
  const network = reachable.find(({ chainId }) => chainId === first?.chainId)?.name ?? ''
  const words =
    count === 1
      ? t('{network} not reachable', { network })
      : plural(count, '{count} network not reachable', '{count} networks not reachable')
  return (
    <p class="dim">
      {words} ·{' '}
      {times.length === 0
        ? t('Balance unavailable')
        : t('Updated {ago}', { ago: formatSecondsAgo(Date.now() - Math.min(...times)) })}
    </p>
  )
}

function Change({ portfolio: { summary, reachable }, usd }: { portfolio: Portfolio; usd: bigint }) {
  const stores = useStores()
  const { snapshots } = useStore(stores.get(createHome), (state) => state)
  const rate = useStore(stores.prices, (state) => state.rate)
  const chains = reachable.map(({ chainId }) => chainId).toSorted((one, other) => one - other)
  const points = comparableSnapshots(snapshots, chains)
  // An old total says nothing about today.
  const change = summary.isComplete ? changeSinceYesterday(points, { at: Date.now(), usd }) : undefined
  return (
    <>
      {change && <p class={`num change change-${direction(change.usd)}`}>{toText(change)}</p>}
      {points.length > 2 && <Sparkline points={points.map((point) => point.usd)} />}
    </>
  )

  function toText({ usd: by, bps }: { usd: bigint; bps: number | undefined }) {
    if (by === 0n) return t('No change since yesterday')
    const amount = `${by < 0n ? '−' : '+'}${formatCompactValue(by < 0n ? -by : by, rate)}`
    return (
      <>
        <span aria-hidden="true">{by < 0n ? '▼' : '▲'} </span>
        {t('{change} since yesterday', {
          change: bps === undefined ? amount : `${amount} (${formatPercent(Math.abs(bps))})`,
        })}
      </>
    )
  }
}

function direction(usd: bigint): 'up' | 'down' | 'none' {
  return usd > 0n ? 'up' : usd < 0n ? 'down' : 'none'
}
