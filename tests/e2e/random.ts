/** Numbers from 0 to 1 that follow from `state` alone (mulberry32): a failed run can be repeated by its seed. */
export function randomFrom(state: number): () => number {
  let now = state
  return () => {
    now = (now + 0x6d2b79f5) | 0
    let mixed = Math.imul(now ^ (now >>> 15), 1 | now)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Another one each time, also when a test is repeated. Printed, and taken from the environment to repeat a run. */
export function newSeed(): number {
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
  console.log(`seed ${seed}`)
  return seed
}
