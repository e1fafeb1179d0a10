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
        <Note>{t('The RPC hasn’t responded. The effects of this request are unknown.')}</Note>
      ) : (
        <section class="panel sides" aria-busy="true" aria-label={t('Simulating…')}>
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
          <ErrorWhat error={state.error} /> {t('The effects of this request are unknown.')}
        </Note>
      )
    case 'ready':
      return (
        <>
          <Simulated simulation={state.preview.simulation} />
          {state.trouble && (
            <Note>
              <ErrorWhat error={state.trouble} /> {t('These numbers may be outdated.')}
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
        {t('{reason}. The effects of this transaction are unknown.', {
          reason: formatRevertReason(simulation.reason),
        })}
      </Note>
    )
  }
  return (
    <>
      <h2 class="part">{t('Estimated changes')}</h2>
      <Changes changes={simulation.changes} />
      <Grants grants={simulation.grants} />
    </>
  )
}
