const freshForMs = 12 * 60 * 60 * 1_000

/** Times in milliseconds since 1970. A future `listedAt` is stale: the clock was set back. */
export function isFreshList(listedAt: number, now: number): boolean {
  const age = now - listedAt
  return age >= 0 && age < freshForMs
}
