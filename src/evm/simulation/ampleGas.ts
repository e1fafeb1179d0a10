import type { Call } from '../../domain/activity/callBatch.ts'
import { larger, smaller } from '../../domain/bounds.ts'
import { maxUint256 } from '../../domain/token/amount.ts'
import type { PaidCall, SimulationBackend, SimulationRun } from './simulationBackend.ts'

const amplyGas = 5_000_000n

/** Percent of gas used above which a failure may be out of gas: inner calls leave 1/64 (EIP-150). */
const exhausted = 90n

/** Simulates with ample gas, then with a share of the block's gas. Keeps the first call's own limit. */
export async function runWithAmpleGas(
  backends: SimulationBackend[],
  calls: Call[],
  withLimits: (backend: SimulationBackend, limits: bigint[]) => PaidCall[],
): Promise<SimulationRun[]> {
  const hasRoom = (index: number) => index > 0 || calls[0]?.gas === undefined
  const run = async (ample: bigint) => {
    const limits = calls.map(({ gas }, index) => (index === 0 ? (gas ?? ample) : larger(gas ?? 0n, ample)))
    const runs = await Promise.all(backends.map((backend) => backend.run(withLimits(backend, limits))))
    const isShort = (one: SimulationRun) =>
      'results' in one &&
      one.results.some(
        ({ status, gasUsed }, index) =>
          status === '0x0' && hasRoom(index) && gasUsed * 100n >= (limits[index] ?? 0n) * exhausted,
      )
    return { runs, isShort: runs.some(isShort) }
  }
  const first = await run(amplyGas)
  const blockGas = backends.reduce((least, backend) => smaller(backend.blockGas ?? 0n, least), maxUint256)
  const share = blockGas / BigInt(calls.length + 1)
  if (!first.isShort || share <= amplyGas) return first.runs
  const second = await run(share)
  // RPCs may cap gas below the block.
  return second.runs.some((one) => 'refusal' in one) ? first.runs : second.runs
}
