/** Past total of an account. `at` in Unix milliseconds, `usd` with eight decimals, `chains` ascending. */
export type ValueSnapshot = { at: number; usd: bigint; chains: number[] }

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const hourlyForMs = 2 * dayMs
const dailyForMs = 400 * dayMs
/** A total is compared with one of about a day before. */
const [minDayMs, maxDayMs] = [20 * hourMs, 2 * dayMs]

/**
 * Adds a snapshot in place of an earlier one of its hour. Keeps one per hour for two days and one per day for
 * 400 days, oldest first.
 */
export function addSnapshot(points: ValueSnapshot[], next: ValueSnapshot): ValueSnapshot[] {
  // A clock set back leaves snapshots of the future.
  const past = points.filter(({ at }) => at <= next.at)
  const last = past.at(-1)
  const isSameHour = last !== undefined && bucket(last.at, hourMs) === bucket(next.at, hourMs)
  return thin([...(isSameHour ? past.slice(0, -1) : past), next], next.at)
}

/** Returns the snapshots of the same networks, since other ones are no gain or loss. */
export function comparableSnapshots(points: ValueSnapshot[], chains: number[]): ValueSnapshot[] {
  return points.filter((point) => isSameChains(point.chains, chains))
}

export type ValueChange = { usd: bigint; bps: number | undefined }

/**
 * Returns the change since the snapshot nearest to a day ago; undefined without one from 20 to 48 hours ago.
 */
export function changeSinceYesterday(
  points: ValueSnapshot[],
  now: { at: number; usd: bigint },
): ValueChange | undefined {
  const distance = ({ at }: ValueSnapshot) => Math.abs(now.at - at - dayMs)
  const [before] = points
    .filter(({ at }) => now.at - at >= minDayMs && now.at - at <= maxDayMs)
    .toSorted((one, other) => distance(one) - distance(other))
  if (before === undefined) return undefined
  const usd = now.usd - before.usd
  return { usd, bps: before.usd === 0n ? undefined : Number((usd * 10_000n) / before.usd) }
}

/** Returns one snapshot per bucket, the last one, of what is not too old. */
function thin(points: ValueSnapshot[], now: number): ValueSnapshot[] {
  return points.filter((point, index) => {
    const age = now - point.at
    if (age > dailyForMs) return false
    if (age <= hourlyForMs) return true
    const next = points[index + 1]
    return next === undefined || bucket(next.at, dayMs) !== bucket(point.at, dayMs)
  })
}

function bucket(at: number, size: number): number {
  return Math.floor(at / size)
}

function isSameChains(one: number[], other: number[]): boolean {
  return one.join() === other.join()
}
