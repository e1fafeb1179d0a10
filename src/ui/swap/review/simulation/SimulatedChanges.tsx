import type { Simulation } from '../../../../domain/activity/simulation.ts'
import { t } from '../../../../i18n/translate.ts'
import { Warning } from '../../../components/alerts/Warning.tsx'
import { formatRevertReason } from '../../../messages/errors/revertReason.ts'
import { AllowanceChanges } from './AllowanceChanges.tsx'
import { BalanceChanges } from './BalanceChanges.tsx'

/** Simulated changes below `title`, or the reason why they are unknown. */
export function SimulatedChanges({ title, simulation }: { title: string; simulation: Simulation }) {
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
      <h2 class="part">{title}</h2>
      <BalanceChanges changes={simulation.changes} />
      <AllowanceChanges grants={simulation.grants} />
    </>
  )
}
