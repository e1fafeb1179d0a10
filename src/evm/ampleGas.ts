import type { Call } from '../domain/activity/callBatch.ts'
import { larger, smaller } from '../domain/bounds.ts'
import { unlimitedAmount } from '../domain/token/unlimited.ts'
import type { PaidCall, SimulationBackend, SimulationRun } from './simulationBackend.ts'

/** For a call whose gas limit is not known yet: more than nearly all use. */
const amplyGas = 5_000_000n

/** A call that used so much of its gas, in percent, may have failed for want of it: each call inside leaves 1/64 (EIP-150). */
const exhausted = 90n

/**
 * Runs calls whose gas limits are not known yet: with more gas than nearly all use, and again with a share of the block's where that was
 * too little. The first call keeps a limit that it has.
 */
export async function runAmply(
  trials: SimulationBackend[],
  calls: Call[],
  withLimits: (trial: SimulationBackend, limits: bigint[]) => PaidCall[],
): Promise<SimulationRun[]> {
  const hasRoom = (index: number) => index > 0 || calls[0]?.gas === undefined
  const run = async (ample: bigint) => {
    const limits = calls.map(({ gas }, index) => (index === 0 ? (gas ?? ample) : larger(gas ?? 0n, ample)))
    const runs = await Promise.all(trials.map((trial) => trial.run(withLimits(trial, limits))))
    const isShort = (one: SimulationRun) =>
      'results' in one &&
      one.results.some(
        ({ status, gasUsed }, index) =>
          status === '0x0' && hasRoom(index) && gasUsed * 100n >= (limits[index] ?? 0n) * exhausted,
      )
    return { runs, isShort: runs.some(isShort) }
  }
  const first = await run(amplyGas)
  const blockGas = trials.reduce((least, trial) => smaller(trial.blockGas ?? 0n, least), unlimitedAmount)
  const share = blockGas / BigInt(calls.length + 1)
  if (!first.isShort || share <= amplyGas) return first.runs
  const second = await run(share)
  // The node may allow less than its blocks have.
  return second.runs.some((one) => 'refusal' in one) ? first.runs : second.runs
}
