import { useState } from 'preact/hooks'
import { type Activity, isCancelling, waitingStep } from '../../domain/activity/activity.ts'
import type { ReplacementKind } from '../../domain/activity/replacement.ts'
import { t } from '../../i18n/translate.ts'
import { ReplaceSheet } from './ReplaceSheet.tsx'
import { useLongWait } from './useIsStuck.ts'

/** Ways out for whoever does not want to wait for a transaction any longer. Nothing where none waits for long. */
export function ReplaceActs({ entry }: { entry: Activity }) {
  const [wish, setWish] = useState<ReplacementKind | undefined>()
  const isLong = useLongWait(entry)
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
      {isLong && (
        <div class="two">
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
      )}
      {wish && <ReplaceSheet entry={entry} wish={wish} onClose={() => setWish(undefined)} />}
    </>
  )
}
