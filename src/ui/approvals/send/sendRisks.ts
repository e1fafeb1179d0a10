import type { Call } from '../../../domain/activity/callBatch.ts'
import type { DecodedCall } from '../../../domain/calldata/decodedCall.ts'
import type { knownOn } from '../../../domain/calldata/describeCall.ts'
import { callRisks } from '../../../domain/dapp/risks/callRisks.ts'
import type { Risk } from '../../../domain/dapp/risks/risk.ts'
import { uncheckedRisks } from '../../../domain/dapp/risks/uncheckedRisks.ts'
import type { EditableApproval } from '../../../domain/dapp/spendingLimit.ts'
import { isUnlimited } from '../../../domain/token/amount.ts'
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
    return [...ofRecipients, ...risks.flatMap((risk) => toCertain(risk, words))]
  }
  return [...ofRecipients, ...risks, ...uncheckedRisks(calls)]
}

/**
 * Leaves out the note on an unlimited allowance that the user has chosen: the limit editor tells it in place,
 * and a note above would move the choice away.
 */
export function withoutChosen(
  risks: Risk[],
  { token, spender }: Pick<EditableApproval, 'token' | 'spender'>,
): Risk[] {
  return risks.filter(
    (one) =>
      one.kind !== 'beyond-balance' ||
      one.isGrave ||
      one.isHidden ||
      one.token !== token ||
      one.spender !== spender,
  )
}

/** Returns a risk that no simulation can refute: it stays where it is shown. */
function toCertain(risk: Risk, words: DecodedCall[]): Risk[] {
  if (risk.kind === 'call' || risk.kind === 'foreign-recipient') return [risk]
  if (risk.kind !== 'beyond-balance') return []
  const { token, spender } = risk
  const isAbove = words.some(
    (one) =>
      one.kind === 'approve' && one.token === token && one.spender === spender && isUnlimited(one.amount),
  )
  // Above any balance, even an unread one.
  return isAbove ? [{ balance: 0n, ...risk }] : []
}
