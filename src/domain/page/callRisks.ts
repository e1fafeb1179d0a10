import type { CallWords, Warning } from '../abi/callWords.ts'
import type { Change, Simulation } from '../activity/calls.ts'
import type { Address } from '../token/token.ts'
import { allowanceQuestions, allowanceRisks } from './allowanceRisks.ts'
import type { CallFacts, CallQuestions } from './callFacts.ts'
import { exchangeQuestions, exchangeRisks } from './exchangeRisks.ts'
import type { Risk } from './risk.ts'
import { unseenChanges } from './unseenChanges.ts'

const graveWarnings: ReadonlySet<Warning> = new Set(['unknown-router', 'coins-along', 'operator'])
/** Judged with the facts, or with their own words. */
const otherWarnings: ReadonlySet<Warning> = new Set(['unknown-spender', 'no-floor', 'foreign-receiver'])

/** Why `calls` need a second look. Amounts are compared with what the account has and with the market, not with constants. */
export function callRisks(calls: CallWords[], facts: CallFacts): Risk[] {
  const warnings = new Set(calls.flatMap((call) => call.warnings).filter((one) => !otherWarnings.has(one)))
  return [
    ...simulationRisks(facts.simulation),
    ...unseenChanges(calls, facts.simulation),
    ...recipientRisks(calls),
    ...allowanceRisks(calls, facts),
    ...exchangeRisks(calls, facts),
    ...[...warnings].map(
      (warning) => ({ kind: 'call', warning, isGrave: graveWarnings.has(warning) }) as const,
    ),
  ]
}

/** About the simulation itself: one that saw only a part, or that contracts may have played to. */
export function simulationRisks(simulation: Simulation | undefined): Risk[] {
  if (simulation?.status === 'unknown' && simulation.isCrowded) return [{ kind: 'unseen', isGrave: true }]
  if (simulation?.status !== 'succeeds') return []
  return [
    ...(simulation.isUnstable ? [{ kind: 'unstable', isGrave: true } as const] : []),
    ...(simulation.isWeak ? [{ kind: 'weak', isGrave: isExchange(simulation.changes) } as const] : []),
  ]
}

/** True where one asset leaves and another arrives: a contract that knows it is simulated can promise the latter. */
function isExchange(changes: Change[]): boolean {
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
export function questionsOf(calls: CallWords[], facts: CallFacts): CallQuestions {
  const allowances = allowanceQuestions(calls, facts)
  const sold = calls.flatMap((call) => (call.kind === 'swap' ? [call.sell] : []))
  const balances = [...new Set([...allowances.map(({ token }) => token), ...sold])]
  return { balances, allowances, trades: exchangeQuestions(calls, facts) }
}
