import { useEffect, useRef, useState } from 'preact/hooks'
import { type Activity, isCancelling, waitingStep } from '../../domain/activity/activity.ts'
import type { ReplacementKind } from '../../domain/activity/replacement.ts'
import { t } from '../../i18n/translate.ts'
import { ReplaceSheet } from './ReplaceSheet.tsx'

/** Speed up and cancel buttons for a stuck transaction. */
export function ReplaceButtons({ entry }: { entry: Activity }) {
  const [wish, setWish] = useState<ReplacementKind | undefined>()
  const isLong = useIsStuck(entry)
  const step = waitingStep(entry)
  const isCancel = step !== undefined && isCancelling(step)
  const acts: [ReplacementKind, string][] = isCancel
    ? [
        ['cancel', t('Cancel faster')],
        ['faster', t('Keep transaction')],
      ]
    : [
        ['faster', t('Speed up')],
        ['cancel', t('Cancel transaction')],
      ]
  return (
    <>
      {isLong ? (
        <div class="two replace-room">
          {acts.map(([each, label]) => (
            <button
              key={each}
              type="button"
              class="second"
              aria-haspopup="dialog"
              onClick={() => setWish(each)}
            >
              {label}
            </button>
          ))}
        </div>
      ) : (
        entry.outcome.status === 'working' && (
          <p class="replace-room small dim">
            {t('If it takes long, you can speed it up or cancel it here.')}
          </p>
        )
      )}
      {wish && <ReplaceSheet entry={entry} wish={wish} onClose={() => setWish(undefined)} />}
    </>
  )
}

/** Long enough for most transactions on fast chains, short enough to cancel on slow ones. */
const patienceMs = 5_000

/** True after a transaction has been pending for `patienceMs`. */
function useIsStuck(entry: Activity): boolean {
  const [isLong, setLong] = useState(false)
  const isFirst = useRef(true)
  const nonce = waitingStep(entry)?.nonce
  useEffect(() => {
    setLong(false)
    if (nonce === undefined) return
    const waited = isFirst.current ? Math.max(0, Date.now() - entry.createdAt) : 0
    isFirst.current = false
    const timer = setTimeout(() => setLong(true), Math.max(0, patienceMs - waited))
    return () => clearTimeout(timer)
  }, [nonce])
  return isLong && nonce !== undefined
}
