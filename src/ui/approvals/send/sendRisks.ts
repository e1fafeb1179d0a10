import type { Call } from '../../../domain/activity/callBatch.ts'
import type { DecodedCall } from '../../../domain/calldata/decodedCall.ts'
import type { knownOn } from '../../../domain/calldata/describeCall.ts'
import { callRisks } from '../../../domain/dapp/risks/callRisks.ts'
import type { Risk } from '../../../domain/dapp/risks/risk.ts'
import { uncheckedRisks } from '../../../domain/dapp/risks/uncheckedRisks.ts'
import type { PreviewState } from '../../../state/approvals/callPreview.ts'
import { getRejection, isAwaited } from './simulationStatus.ts'

/** Risks from the worker, or from the calls until it answers. */
export function toRisks(
  state: PreviewState,
  calls: Call[],
  words: DecodedCall[],
  known: ReturnType<typeof knownOn>,
  ofRecipients: Risk[],
): Risk[] {
  if (getRejection(state)) return []
  if (state.status === 'ready') return state.preview.risks
  const risks = callRisks(words, known)
  if (isAwaited(state)) {
    const certain = risks.filter(({ kind }) => kind === 'call' || kind === 'foreign-recipient')
    return [...ofRecipients, ...certain]
  }
  return [...ofRecipients, ...risks, ...uncheckedRisks(calls)]
}
