import { isSwapIntent } from '../../domain/activity/intent.ts'
import type { WalletError } from '../../errors.ts'
import { type IntentRecord, isMined, isSigned } from './journal.ts'

/** The record with its end told, and what the transactions before it left behind. */
export function fail(record: IntentRecord, { code, message, facts }: WalletError): IntentRecord {
  return { ...record, outcome: { status: 'failed', code, message: message + whatStands(record), facts } }
}

function whatStands({ intent, steps }: IntentRecord): string {
  // With the first one all that were signed before the lost one are mined.
  if (!isSwapIntent(intent)) return steps.slice(0, 1).some(isMined) ? ' The calls before it stand.' : ''
  const swapped = steps.some((step) => step.kind === 'swap' && isSigned(step))
  const approved = steps.some((step) => step.kind === 'approve' && isMined(step))
  return approved && !swapped ? ' The approval before it stands; the funds are as they were.' : ''
}
