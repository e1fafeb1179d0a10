import type { Outcome, Simulation } from '../activity/callBatch.ts'
import { subtractOutcome, toShown } from '../activity/worse.ts'

/**
 * Returns what each of `count` calls does by itself, as far as the simulation tells. The last one has what
 * the parts of the others leave of the whole.
 */
export function ownOutcomes(simulation: Simulation | undefined, count: number): (Outcome | undefined)[] {
  const total = simulation?.status === 'succeeds' ? toShown(simulation) : undefined
  if (total === undefined) return Array.from({ length: count }, () => undefined)
  const parts = (total.parts ?? []).slice(0, count - 1)
  const last = parts.reduce<Outcome>(subtractOutcome, total)
  return Array.from({ length: count }, (_, index) => (index === count - 1 ? last : parts[index]))
}

/**
 * True for more than a percent of what `earlier` calls moved of it: each simulation has a block of its own.
 */
export function isBeyondNoise(
  { token, nft, amount }: Outcome['changes'][number],
  earlier: (Outcome | undefined)[],
): boolean {
  const moved = earlier
    .flatMap((outcome) => outcome?.changes ?? [])
    .filter((one) => one.token === token && one.nft === nft)
    .reduce((sum, one) => sum + sizeOf(one.amount), 0n)
  return sizeOf(amount) * 100n > moved
}

function sizeOf(amount: bigint): bigint {
  return amount < 0n ? -amount : amount
}
