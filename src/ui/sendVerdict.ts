import type { PreviewState } from '../state/preview.ts'
import type { Doubt } from './callView.ts'

/** Whether calls may be sent, and how that is said. */
export type Verdict = {
  label: string
  /** Absent while it cannot be sent yet: the most that the fee may be. */
  feeCap: bigint | undefined
  isDangerous: boolean
  /** A box has to be ticked first. */
  needsTick: boolean
}

/**
 * The fee that is agreed to where the node has told none, in wei for each call. What costs more is refused before it is signed, and
 * asked again.
 */
const unseenFeeCap = 10n ** 16n

/** `label` is what the button says when nothing speaks against it. */
export function verdictOf(
  state: PreviewState,
  doubts: Doubt[],
  { label, calls }: { label: string; calls: number },
): Verdict {
  const needsTick = doubts.some(({ isGrave }) => isGrave)
  if (state.status === 'idle' || (state.status === 'loading' && !state.slow)) {
    return { label: 'Checking…', feeCap: undefined, isDangerous: needsTick, needsTick }
  }
  if (state.status !== 'ready') {
    return { label: 'Send unchecked', feeCap: unseenFeeCap * BigInt(calls), isDangerous: true, needsTick }
  }
  const { simulation, feeCap } = state.preview
  if (simulation.status === 'reverts') return { label: 'Send anyway', feeCap, isDangerous: true, needsTick }
  return { label, feeCap, isDangerous: needsTick, needsTick }
}
