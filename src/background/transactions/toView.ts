import type { CallBatch } from '../../domain/activity/callBatch.ts'
import { isSwapIntent } from '../../domain/activity/intent.ts'
import type { Step, Swap } from '../../domain/swap/swap.ts'
import { isInBlock, isSigned } from './journal.ts'
import type { IntentRecord, StepRecord } from './schemas.ts'

/** Returns the record without signed bytes. */
export function toView({ intent, createdAt, steps, outcome }: IntentRecord): Swap | CallBatch {
  const rest = { createdAt, steps: steps.map(toStep), paid: paidFor(steps), outcome }
  return isSwapIntent(intent) ? { intent, ...rest } : { intent, ...rest }
}

function toStep(step: StepRecord): Step {
  if (!isSigned(step)) return step
  const { kind, state, nonce, hash, fee, settled, block, isDoubted, rivals } = step
  return {
    kind,
    state,
    nonce,
    hash,
    fee,
    ...(settled && { settled }),
    ...(block !== undefined && { block }),
    ...(isDoubted && { isDoubted }),
    ...(rivals && { rivals: rivals.map(({ raw: _, ...rival }) => rival) }),
  }
}

/** Includes reverted transactions. */
function paidFor(steps: StepRecord[]): bigint {
  return steps
    .filter(isSigned)
    .filter(isInBlock)
    .reduce((sum, { fee }) => sum + fee, 0n)
}
