import type { Call, CallsIntent, ShownOutcome } from '../../domain/activity/callBatch.ts'
import type { Outcome, Simulation } from '../../domain/activity/simulation.ts'
import { findWorse, subtractOutcome, toShown, type Worse } from '../../domain/activity/worse.ts'
import type { Address } from '../../domain/token/token.ts'
import { toWalletError, WalletError } from '../../errors.ts'
import type { Chain } from '../../evm/client.ts'
import { estimateCallGas } from '../fees/fees.ts'

/**
 * Simulates from `index` on and compares with `shown`. Returns what remains after the first call. Throws
 * `outcome-changed` if worse or less certain, or `would-fail`.
 */
export async function checkOutcome(
  chain: Chain,
  { account, calls, mayFail, purpose, expected }: CallsIntent,
  {
    index = 0,
    shown = index === 0 ? expected : undefined,
    gas,
  }: { index?: number; shown?: ShownOutcome | undefined; gas?: bigint } = {},
): Promise<ShownOutcome | undefined> {
  const [first, ...later] = calls.slice(index)
  // The whole is no measure for the rest.
  if (shown === undefined && expected !== undefined) throw changed('what its rest would do is not known')
  if (shown === undefined || first === undefined) return undefined
  const limit = gas ?? (await getFirstLimit(chain, account, first))
  const next = limit === undefined ? first : { ...first, gas: limit }
  const asked =
    purpose?.kind === 'transfer'
      ? { tokens: [purpose.token], receiver: { holder: purpose.to, token: purpose.token } }
      : {}
  const [{ simulation }, alone] = await Promise.all([
    chain.simulate(account, [next, ...later], asked),
    later.length > 0 ? chain.simulate(account, [next]) : undefined,
  ])
  if (simulation.status === 'reverts') {
    if (mayFail) return shown
    const { reason, facts } = simulation
    throw new WalletError('would-fail', `The transaction would fail: ${reason}.`, { ...facts, reason })
  }
  if (simulation.status === 'unknown') throw changed(`it cannot be simulated now. ${simulation.reason}`)
  requireNoWorse(shown, simulation)
  return alone && restAfter(simulation, alone.simulation, expected?.parts?.[index])
}

/** Later calls may never be sent. */
function restAfter(whole: Simulation, alone: Simulation, part: Outcome | undefined): Outcome | undefined {
  if (alone.status !== 'succeeds') {
    throw changed(`its next transaction cannot be simulated by itself. ${alone.reason}`)
  }
  if (part !== undefined) requireNoWorse(part, alone)
  const [all, now] = [toShown(whole), toShown(alone)]
  return all && now && subtractOutcome(all, now)
}

function requireNoWorse(shown: Outcome, simulation: Simulation): void {
  const now = toShown(simulation)
  const worse = now && findWorse(shown, now)
  if (worse !== undefined) throw changed(formatWorse(worse), getFacts(worse))
}

/** Undefined if the call fails now, without requested gas. */
export async function getFirstLimit(chain: Chain, from: Address, first: Call): Promise<bigint | undefined> {
  try {
    return await estimateCallGas(chain, from, first, true)
  } catch (error) {
    // The simulation gives the reason.
    if (!['would-fail', 'not-enough-gas'].includes(toWalletError(error).code)) throw error
    return first.gas
  }
}

function changed(why: string, facts = {}): WalletError {
  return new WalletError('outcome-changed', `The outcome changed since it was shown: ${why}.`, facts)
}

function formatWorse(worse: Worse): string {
  switch (worse.kind) {
    case 'leaves':
      return `the balance of ${worse.token} would change by ${worse.found}, not by ${worse.expected}`
    case 'grants':
      return `${worse.spender} could take ${worse.found} of ${worse.token}`
    case 'arrives':
      return `${worse.found} would arrive, not ${worse.expected}`
    case 'weak':
      return 'contracts can tell its simulation from a real block'
    case 'unstable':
      return 'it depends on the block it lands in'
  }
}

function getFacts(worse: Worse): Record<string, string> {
  if (!('found' in worse)) return worse
  const { expected, found, ...rest } = worse
  return { ...rest, expected: String(expected), found: String(found) }
}
