import type { Simulation } from '../../../domain/activity/simulation.ts'
import { t } from '../../../i18n/translate.ts'
import type { PreviewState } from '../../../state/approvals/callPreview.ts'
import { ErrorWhat } from '../../components/alerts/ErrorWhat.tsx'
import { Warning } from '../../components/alerts/Warning.tsx'
import { useLatest } from '../../hooks/useLatest.ts'
import { SimulatedChanges } from '../../swap/review/simulation/SimulatedChanges.tsx'
import { getRejection, isAwaited } from './simulationStatus.ts'

type Props = {
  state: PreviewState
  /** Effects that the calldata states; their room is reserved until simulated. */
  stated: Simulation
}

export function SendOutcome({ state, stated }: Props) {
  const last = useLatest(state.status === 'ready' ? state : undefined)
  // Dimmed until the next simulation of the request, rather than replaced.
  if (isAwaited(state) && last !== undefined && (state.status === 'idle' || state.id === last.id)) {
    return (
      <div class="effects effects-old" aria-busy="true">
        <SimulatedChanges title={t('Estimated changes')} simulation={last.preview.simulation} />
      </div>
    )
  }
  switch (state.status) {
    case 'idle':
    case 'loading':
      return state.status === 'loading' && state.slow ? (
        <Warning>{t('The RPC hasn’t responded. The effects of this request are unknown.')}</Warning>
      ) : (
        <section class="effects effects-awaited" aria-busy="true" aria-label={t('Simulating…')}>
          <SimulatedChanges title={t('Estimated changes')} simulation={stated} />
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
          <SimulatedChanges title={t('Estimated changes')} simulation={state.preview.simulation} />
          {state.trouble && (
            <Warning>
              <ErrorWhat error={state.trouble} /> {t('These numbers may be outdated.')}
            </Warning>
          )}
        </>
      )
  }
}
