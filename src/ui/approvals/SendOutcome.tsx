import type { Simulation } from '../../domain/activity/callBatch.ts'
import { t } from '../../i18n/translate.ts'
import type { PreviewState } from '../../state/approvals/callPreview.ts'
import { ErrorWhat } from '../components/ErrorWhat.tsx'
import { Note } from '../components/Warning.tsx'
import { formatRevertReason } from '../messages/revertReason.ts'
import { Grants } from '../swap/review/AllowanceChanges.tsx'
import { Changes } from '../swap/review/BalanceChanges.tsx'
import { getRejection } from './simulationStatus.ts'

/** Changes that the node's simulation tells, or why it tells none. */
export function SendOutcome({ state }: { state: PreviewState }) {
  switch (state.status) {
    case 'idle':
      return null
    case 'loading':
      return state.slow ? (
        <Note>{t('The node has not answered. What this changes is not known.')}</Note>
      ) : (
        <section class="panel sides" aria-busy="true" aria-label={t('Checking what this changes')}>
          <div class="side">
            <span class="bone bone-round" />
            <span class="bone" />
          </div>
        </section>
      )
    case 'failed':
      // A refusal stands above, with what to do.
      if (getRejection(state)) return null
      return (
        <Note>
          <ErrorWhat error={state.error} /> {t('What this changes is not known.')}
        </Note>
      )
    case 'ready':
      return (
        <>
          <Simulated simulation={state.preview.simulation} />
          {state.trouble && (
            <Note>
              <ErrorWhat error={state.trouble} /> {t('These numbers may be old.')}
            </Note>
          )}
        </>
      )
  }
}

function Simulated({ simulation }: { simulation: Simulation }) {
  if (simulation.status === 'reverts') return null
  if (simulation.status === 'unknown') {
    return (
      <Note>
        {t('{reason}. What this changes is not known.', { reason: formatRevertReason(simulation.reason) })}
      </Note>
    )
  }
  return (
    <>
      <h2 class="part">{t('What changes')}</h2>
      <Changes changes={simulation.changes} />
      <Grants grants={simulation.grants} />
    </>
  )
}
