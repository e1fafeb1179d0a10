const local = 31337

/** Returns the delay in milliseconds after `looks` unchanged polls. */
export function pollDelay(chainId: number, looks: number): number {
  if (chainId === local) return looks < 60 ? 1_000 : 15_000
  if (looks === 0) return 5_000
  if (looks === 1) return 3_000
  if (looks < 30) return 2_000
  if (looks < 50) return 15_000
  return 30_000
}
