import type { Step, StepKind, Swap } from '../swap/swap.ts'

/** Part of a swap under way: a transaction, or the signature before it. */
export type ProgressPart = {
  kind: StepKind | 'sign'
  state: 'waiting' | 'running' | 'done' | 'failed'
}

/** Returns the parts of a swap in order, signatures included. Empty until planned. */
export function getProgressParts({ steps, intent, outcome }: Swap): ProgressPart[] {
  const via = intent.permission?.via
  const parts = steps.flatMap((step): ProgressPart[] => {
    const part: ProgressPart = { kind: step.kind, state: toState(step) }
    if (step.kind !== 'swap' || (via !== 'permit' && via !== 'permit2')) return [part]
    return [{ kind: 'sign', state: step.state === 'waiting' ? 'waiting' : 'done' }, part]
  })
  if (outcome.status !== 'working') return parts
  // The next one is being prepared.
  const next = parts.findIndex(({ state }) => state !== 'done')
  return parts.map((part, at) =>
    at === next && part.state === 'waiting' ? { ...part, state: 'running' } : part,
  )
}

function toState({ state }: Step): ProgressPart['state'] {
  if (state === 'mined' || state === 'final') return 'done'
  if (state === 'signed' || state === 'sent') return 'running'
  return state === 'waiting' ? 'waiting' : 'failed'
}
