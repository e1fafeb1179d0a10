import { useEffect, useState } from 'preact/hooks'
import { getProgressParts, type ProgressPart } from '../../../domain/activity/progress.ts'
import type { Swap } from '../../../domain/swap/swap.ts'
import { t } from '../../../i18n/translate.ts'
import { createBlockIntervals } from '../../../state/blockIntervals.ts'
import { useStore, useStores } from '../../hooks/data/useStore.ts'
import { formatElapsed, formatUsual, progressTitle } from '../../messages/progress.ts'
import '../../style/lazy/progress.css'

type Props = { swap: Swap; symbolOf(token: Swap['intent']['trade']['sell']): string }

/** Steps of a swap under way, with the time that passed. */
export function ProgressPanel({ swap, symbolOf }: Props) {
  const { chainId, sell, buy } = swap.intent.trade
  const parts = getProgressParts(swap)
  const interval = useBlockInterval(chainId)
  const done = parts.filter(({ state }) => state === 'done').length
  const at = parts.findIndex(({ state }) => state !== 'done')
  const current = parts[at]
  const usual =
    interval !== undefined && current?.state === 'running' && current.kind !== 'sign'
      ? t('usually {time}', { time: formatUsual(interval) })
      : undefined
  const words = current && [
    t('{at} of {count}', { at: at + 1, count: parts.length }),
    progressTitle(current.kind, symbolOf(sell), symbolOf(buy)),
    usual,
  ]
  return (
    <section class="panel progress" aria-label={t('Progress')}>
      <p class="progress-words">{words?.filter(Boolean).join(' · ') ?? t('Preparing the next step…')}</p>
      <div
        class="progress-bar"
        role="progressbar"
        aria-label={t('Progress')}
        aria-valuemin={0}
        aria-valuemax={Math.max(1, parts.length)}
        aria-valuenow={done}
      >
        {(parts.length === 0 ? planning : parts).map(({ state }, index) => (
          <Segment key={index} state={state} interval={interval} />
        ))}
      </div>
      <p class="progress-time small dim">
        {t('Elapsed')} <Elapsed since={swap.createdAt} />
      </p>
    </section>
  )
}

const planning: Pick<ProgressPart, 'state'>[] = [{ state: 'waiting' }]

type SegmentProps = Pick<ProgressPart, 'state'> & { interval: number | undefined }

/** The running one fills at the network's pace, and never quite ends. */
function Segment({ state, interval = 12_000 }: SegmentProps) {
  return (
    <span class="progress-part" data-state={state}>
      <span class="progress-fill" style={{ '--usual': `${Math.max(2_000, interval * 2)}ms` }} />
    </span>
  )
}

function Elapsed({ since }: { since: number }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <time class="num progress-clock" dir="ltr">
      {formatElapsed(now - since)}
    </time>
  )
}

function useBlockInterval(chainId: number): number | undefined {
  const intervals = useStores().get(createBlockIntervals)
  useEffect(() => void intervals.measure(chainId), [intervals, chainId])
  return useStore(intervals, (known) => known[chainId])
}
