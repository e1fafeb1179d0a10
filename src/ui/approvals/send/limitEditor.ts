import { type EditableApproval, findLimitedToken } from '../../../domain/dapp/spendingLimit.ts'
import type { Token } from '../../../domain/token/token.ts'
import type { PreviewState } from '../../../state/approvals/callPreview.ts'
import type { LimitChoice } from './SpendingLimit.tsx'
import { isAwaited } from './simulationStatus.ts'

export type LimitEditor = {
  /** `refused`: the wallet would refuse another limit. */
  status: 'awaited' | 'open' | 'refused'
  /** As read from its contract, whose decimals a typed limit needs. Undefined until simulated. */
  token: Token | undefined
  /** True if the chosen limit is not, or not yet, simulated; the wallet refuses it. */
  isUnproven: boolean
}

/**
 * Tells if the amount of an approval may be changed: once simulated as requested. It stays open while
 * something else is chosen, so that no choice is lost unseen. `before`: token of the last result.
 */
export function toLimitEditor(
  approval: EditableApproval,
  choice: LimitChoice,
  state: PreviewState,
  before: Token | undefined,
): LimitEditor {
  const amount = typeof choice === 'bigint' ? choice : approval.amount
  const simulation = state.status === 'ready' ? state.preview.simulation : undefined
  const found = simulation && findLimitedToken(simulation, approval, amount)
  if (choice !== undefined) {
    const isProven = found !== undefined && found.decimals === before?.decimals
    return { status: 'open', token: before, isUnproven: !isProven }
  }
  const isAsked = state.status === 'idle' || state.status === 'loading'
  const token = found ?? (isAsked ? before : undefined)
  const status = token !== undefined ? 'open' : isAwaited(state) ? 'awaited' : 'refused'
  return { status, token, isUnproven: false }
}
