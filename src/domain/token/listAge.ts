const freshForMs = 12 * 60 * 60 * 1_000

/**
 * True while a service's list of tokens serves as it is; afterwards it is asked for again. Both times are milliseconds since 1970. A list of
 * the future is none: the clock was set back.
 */
export function isFreshList(listedAt: number, now: number): boolean {
  const age = now - listedAt
  return age >= 0 && age < freshForMs
}
