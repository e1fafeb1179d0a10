import type { Simulation } from '../../domain/activity/simulation.ts'
import { t } from '../../i18n/translate.ts'
import type { PreviewState } from '../../state/approvals/callPreview.ts'
import { ErrorWhat } from '../components/ErrorWhat.tsx'
import { Warning } from '../components/Warning.tsx'
import { formatRevertReason } from '../messages/revertReason.ts'
import { AllowanceChanges } from '../swap/review/AllowanceChanges.tsx'
import { BalanceChanges } from '../swap/review/BalanceChanges.tsx'
import { getRejection } from './simulationStatus.ts'

export function SendOutcome({ state }: { state: PreviewState }) {
  switch (state.status) {
    case 'idle':
      return null
    case 'loading':
      return state.slow ? (
        <Warning>{t('The RPC hasn’t responded. The effects of this request are unknown.')}</Warning>
      ) : (
        <section class="panel sides" aria-busy="true" aria-label={t('Simulating…')}>
          <div class="side">
            <span class="bone bone-round" />
            <span class="bone" />
          </div>
        </section>
      )
    case 'failed':
      // `SendWarnings` shows the rejection.
      if (getRejection(state)) return null
      return (
        <Warning>
          <ErrorWhat error={state.error} /> {t('The effects of this request are unknown.')}
        </Warning>
      )
    case 'ready':
      return (
        <>
          <Simulated simulation={state.preview.simulation} />
          {state.trouble && (
            <Warning>
              <ErrorWhat error={state.trouble} /> {t('These numbers may be outdated.')}
            </Warning>
          )}
        </>
      )
  }
}

function Simulated({ simulation }: { simulation: Simulation }) {
  if (simulation.status === 'reverts') return null
  if (simulation.status === 'unknown') {
    return (
      <Warning>
        {t('{reason}. The effects of this transaction are unknown.', {
          reason: formatRevertReason(simulation.reason),
        })}
      </Warning>
    )
  }
  return (
    <>
      <h2 class="part">{t('Estimated changes')}</h2>
      <BalanceChanges changes={simulation.changes} />
      <AllowanceChanges grants={simulation.grants} />
    </>
  )
}
