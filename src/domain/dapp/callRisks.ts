import type { BalanceChange, Simulation } from '../activity/callBatch.ts'
import type { CallWords, Warning } from '../calldata/describeCall.ts'
import { type Address, isNative } from '../token/token.ts'
import { allowanceQuestions, allowanceRisks } from './allowanceRisks.ts'
import { type CallFacts, isListedAt, type NeededFacts } from './callFacts.ts'
import { exchangeQuestions, exchangeRisks } from './exchangeRisks.ts'
import { returnRisks } from './returnRisks.ts'
import type { Risk } from './risk.ts'
import { undecodedSwapRisks } from './undecodedSwaps.ts'
import { unseenChanges } from './unseenChanges.ts'

const graveWarnings: ReadonlySet<Warning> = new Set(['unknown-router', 'coins-along', 'operator'])
/** Judged with the facts, or with their own words. */
const otherWarnings: ReadonlySet<Warning> = new Set(['unknown-spender', 'no-floor', 'foreign-receiver'])

/**
 * Why `calls` need a second look. Amounts are compared with what the account has and with the market, not
 * with constants.
 */
export function callRisks(calls: CallWords[], facts: CallFacts): Risk[] {
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

/**
 * Risks of the simulation itself: one that saw only a part, or that contracts may have played to.
 * `areBounded` as below.
 */
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
 * True when the calldata alone says all that the calls can do: payments to accounts without code, and
 * functions of tokens that are known. Any other contract may do something else in a real block, whatever the
 * simulation shows.
 */
function areBounded(calls: CallWords[], facts: CallFacts): boolean {
  if (facts.isPlain) return true
  return calls.every((call) => {
    if (call.kind === 'delegate') return isListedAt(call.contract, facts)
    const isTokenCall = call.kind === 'transfer' || call.kind === 'approve' || call.kind === 'permit'
    return isTokenCall && !isNative(call.token) && isListedAt(call.token, facts)
  })
}

/**
 * True where one asset leaves and another arrives: a contract that knows it is simulated can promise the
 * latter.
 */
function isExchange(changes: BalanceChange[]): boolean {
  return changes.some(({ amount }) => amount < 0n) && changes.some(({ amount }) => amount > 0n)
}

/** Recipients other than the account, each once. */
function recipientRisks(calls: CallWords[]): Risk[] {
  const foreign = calls.filter(({ warnings }) => warnings.includes('foreign-receiver'))
  const recipients = new Set(foreign.flatMap(recipientsOf))
  return [...recipients].map((recipient) => ({
    kind: 'foreign-recipient',
    ...(recipient !== undefined && { recipient }),
    isGrave: true,
  }))
}

/** Undefined for a recipient that could not be read. */
function recipientsOf(call: CallWords): (Address | undefined)[] {
  if (call.kind === 'swap') return [call.receiver]
  return call.kind === 'unknown' && call.recipients?.length ? call.recipients : [undefined]
}

/** Everything that `callRisks` would like to know about `calls`. */
export function neededFacts(calls: CallWords[], facts: CallFacts): NeededFacts {
  const allowances = allowanceQuestions(calls, facts)
  const sold = calls.flatMap((call) => (call.kind === 'swap' ? [call.sell] : []))
  const balances = [...new Set([...allowances.map(({ token }) => token), ...sold])]
  return { balances, allowances, trades: exchangeQuestions(calls, facts) }
}
