import type { WalletError } from '../errors.ts'
import { isMined, isSigned, type SwapRecord } from './journal.ts'

/** The record with its end told, and what an approval before it left behind. */
export function fail(record: SwapRecord, { code, message, facts }: WalletError): SwapRecord {
  const swapped = record.steps.some((step) => step.kind === 'swap' && isSigned(step))
  const approved = record.steps.some((step) => step.kind === 'approve' && isMined(step))
  const note = approved && !swapped ? ' The approval before it stands; the funds are as they were.' : ''
  return { ...record, outcome: { status: 'failed', code, message: message + note, facts } }
}
