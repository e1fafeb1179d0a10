/** Percentiles in milliseconds. */
export type Times = { runs: number; p50: number; p95: number; p99: number }

/** Times `runs` sequential calls after `warmUp` unmeasured ones. */
export async function time(
  runs: number,
  measured: (index: number) => unknown,
  warmUp = Math.ceil(runs / 10),
): Promise<Times> {
  for (let index = 0; index < warmUp; index++) await measured(index)
  const took: number[] = []
  for (let index = 0; index < runs; index++) {
    const started = performance.now()
    await measured(index)
    took.push(performance.now() - started)
  }
  return summarise(took)
}

/** Throws when empty. */
export function summarise(took: number[]): Times {
  if (took.length === 0 || took.some(Number.isNaN)) throw new Error('Something was not measured.')
  const sorted = took.toSorted((one, other) => one - other)
  const at = (share: number) =>
    Math.round((sorted[Math.floor(sorted.length * share)] ?? Number.NaN) * 1_000) / 1_000
  return { runs: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}
