import { isSwapIntent } from '../../domain/activity/intent.ts'
import type { WalletError } from '../../errors.ts'
import { isMined, isSigned } from './journal.ts'
import type { IntentRecord } from './schemas.ts'

/** Adds to the message which earlier transactions stand. */
export function fail(record: IntentRecord, { code, message, facts }: WalletError): IntentRecord {
  return { ...record, outcome: { status: 'failed', code, message: message + whatStands(record), facts } }
}

function whatStands({ intent, steps }: IntentRecord): string {
  // If the first call is mined, so are all before the lost one.
  if (!isSwapIntent(intent)) return steps.slice(0, 1).some(isMined) ? ' The calls before it stand.' : ''
  const swapped = steps.some((step) => step.kind === 'swap' && isSigned(step))
  const approved = steps.some((step) => step.kind === 'approve' && isMined(step))
  return approved && !swapped ? ' The approval before it stands; the funds are as they were.' : ''
}
