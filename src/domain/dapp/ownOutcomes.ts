import type { Outcome, Simulation } from '../activity/simulation.ts'
import { subtractOutcome, toShown } from '../activity/worse.ts'

/** Returns the simulated outcome of each call; the last one gets the rest. */
export function ownOutcomes(simulation: Simulation | undefined, count: number): (Outcome | undefined)[] {
  const total = simulation?.status === 'succeeds' ? toShown(simulation) : undefined
  if (total === undefined) return Array.from({ length: count }, () => undefined)
  const parts = (total.parts ?? []).slice(0, count - 1)
  const last = parts.reduce<Outcome>(subtractOutcome, total)
  return Array.from({ length: count }, (_, index) => (index === count - 1 ? last : parts[index]))
}

/** True when above one percent of earlier moves: each simulation has its own block. */
export function isBeyondNoise(
  { token, nft, amount }: Outcome['changes'][number],
  earlier: (Outcome | undefined)[],
): boolean {
  const moved = earlier
    .flatMap((outcome) => outcome?.changes ?? [])
    .filter((one) => one.token === token && one.nft === nft)
    .reduce((sum, one) => sum + toSize(one.amount), 0n)
  return toSize(amount) * 100n > moved
}

function toSize(amount: bigint): bigint {
  return amount < 0n ? -amount : amount
}
