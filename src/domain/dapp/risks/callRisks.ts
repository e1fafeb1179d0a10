import type { BalanceChange, Simulation } from '../../activity/simulation.ts'
import type { CallWarning, DecodedCall } from '../../calldata/decodedCall.ts'
import { type Address, isNative } from '../../token/token.ts'
import { type CallFacts, isListedAt, type NeededFacts } from '../callFacts.ts'
import { allowanceQuestions, allowanceRisks } from './allowanceRisks.ts'
import { exchangeQuestions, exchangeRisks } from './exchangeRisks.ts'
import { returnRisks } from './returnRisks.ts'
import type { Risk } from './risk.ts'
import { undecodedSwapRisks } from './undecodedSwaps.ts'
import { unseenChanges } from './unseenChanges.ts'

const graveWarnings: ReadonlySet<CallWarning> = new Set(['unknown-router', 'coins-along', 'operator'])
const otherWarnings: ReadonlySet<CallWarning> = new Set(['unknown-spender', 'no-floor', 'foreign-receiver'])

/** Returns the risks of `calls`, compared with balance and market instead of constants. */
export function callRisks(calls: DecodedCall[], facts: CallFacts): Risk[] {
  const warnings = new Set(calls.flatMap((call) => call.warnings).filter((one) => !otherWarnings.has(one)))
  return [
    ...simulationRisks(facts.simulation, areBounded(calls, facts)),
    ...unseenChanges(calls, facts),
    ...recipientRisks(calls),
    ...allowanceRisks(calls, facts),
    ...returnRisks(calls, facts),
    ...exchangeRisks(calls, facts),
    ...undecodedSwapRisks(calls, facts),
    ...[...warnings].map(
      (warning) => ({ kind: 'call', warning, isGrave: graveWarnings.has(warning) }) as const,
    ),
  ]
}

/** Returns the risks of an incomplete or detectable simulation. */
export function simulationRisks(simulation: Simulation | undefined, areBounded: boolean): Risk[] {
  if (simulation?.status === 'unknown' && simulation.isCrowded) return [{ kind: 'unseen', isGrave: true }]
  if (simulation?.status !== 'succeeds') return []
  const isGrave = !areBounded || isExchange(simulation.changes)
  return [
    ...(simulation.isUnstable ? [{ kind: 'unstable', isGrave: true } as const] : []),
    ...(simulation.isWeak ? [{ kind: 'weak', isGrave } as const] : []),
  ]
}

/**
 * True if calldata alone bounds the effects: payments to accounts without code, and functions of known
 * tokens. Any other contract may act differently in a real block.
 */
function areBounded(calls: DecodedCall[], facts: CallFacts): boolean {
  if (facts.isPlain) return true
  return calls.every((call) => {
    if (call.kind === 'delegate') return isListedAt(call.contract, facts)
    const isTokenCall = call.kind === 'transfer' || call.kind === 'approve' || call.kind === 'permit'
    return isTokenCall && !isNative(call.token) && isListedAt(call.token, facts)
  })
}

/** A contract that detects the simulation can fake the return. */
function isExchange(changes: BalanceChange[]): boolean {
  return changes.some(({ amount }) => amount < 0n) && changes.some(({ amount }) => amount > 0n)
}

function recipientRisks(calls: DecodedCall[]): Risk[] {
  const foreign = calls.filter(({ warnings }) => warnings.includes('foreign-receiver'))
  const recipients = new Set(foreign.flatMap(toRecipients))
  return [...recipients].map((recipient) => ({
    kind: 'foreign-recipient',
    ...(recipient !== undefined && { recipient }),
    isGrave: true,
  }))
}

/** Undefined if unreadable. */
function toRecipients(call: DecodedCall): (Address | undefined)[] {
  if (call.kind === 'swap') return [call.receiver]
  return call.kind === 'unknown' && call.recipients?.length ? call.recipients : [undefined]
}

export function neededFacts(calls: DecodedCall[], facts: CallFacts): NeededFacts {
  const allowances = allowanceQuestions(calls, facts)
  const sold = calls.flatMap((call) => (call.kind === 'swap' ? [call.sell] : []))
  const balances = [...new Set([...allowances.map(({ token }) => token), ...sold])]
  return { balances, allowances, trades: exchangeQuestions(calls, facts) }
}
