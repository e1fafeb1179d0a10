import type { Header } from '../block.ts'

/** Expects the next block from the interval and the arrival of earlier ones. */
export type BlockSchedule = {
  /** Learns from a block that was not known `now`, Unix ms. */
  arrived(block: Pick<Header, 'number' | 'timestamp'>, now: number): void
  /** Records that a poll found no news. */
  missed(): void
  /** Milliseconds until a poll for the next block is due. */
  waitMs(now: number): number
  intervalMs(): number
}

const remembered = 128
const fewest = 8
/** As timestamps are whole seconds, an interval is measured over as many blocks as take this long. */
const strideSeconds = 20
/** Of an interval: earlier than the last time, delay after a miss, retries at that delay. */
const advance = 1 / 48
const maxAdvance = 1 / 8
const retry = 1 / 16
const quickRetries = 4

/** Creates a schedule that starts with `blockSeconds`, and never polls more often than every `minMs`. */
export function createBlockSchedule(blockSeconds: number, minMs: number): BlockSchedule {
  let intervalMs = blockSeconds * 1_000
  let recent: { number: number; seconds: number }[] = []
  let misses = 0
  let hits = 0
  let dueAt = 0
  let lastPollAt = 0

  /** Median over strides: a missed slot lengthens few of them. */
  function learn(): void {
    const stride = Math.ceil(strideSeconds / blockSeconds)
    const measured = recent.flatMap((last, i) => {
      const first = recent[i - stride]
      return first ? [(1_000 * (last.seconds - first.seconds)) / (last.number - first.number)] : []
    })
    const median = measured.sort((a, b) => a - b)[measured.length >> 1]
    if (median === undefined || measured.length < fewest) return
    // Timestamps of a chain that stands still, or of a test, tell no rhythm.
    if (median >= blockSeconds * 100 && median <= blockSeconds * 10_000) intervalMs = median
  }

  return {
    arrived({ number, timestamp }, now) {
      const block = { number: Number(number), seconds: Number(timestamp) }
      const last = recent.at(-1)
      if (last && block.number <= last.number) recent = []
      recent = [...recent.slice(1 - remembered), block]
      learn()
      // Found at once: it may have been there for a while.
      hits = misses === 0 ? hits + 1 : 0
      const early = hits === 0 ? 0 : Math.min(maxAdvance, advance * 2 ** (hits - 1))
      // Of the first block only its own time is known.
      const expectedAt = lastPollAt === 0 ? 1_000 * Number(timestamp) : dueAt
      const cameAt = hits === 0 ? now : Math.min(now, Math.max(expectedAt, now - intervalMs))
      dueAt = cameAt + intervalMs * (1 - early)
      misses = 0
      lastPollAt = now
    },

    missed() {
      misses++
    },

    waitMs(now) {
      if (misses > 0) {
        const growth = 2 ** Math.max(0, misses - quickRetries)
        return Math.max(minMs, Math.min(intervalMs, intervalMs * retry * growth))
      }
      return Math.max(dueAt - now, minMs - (now - lastPollAt), 0)
    },

    intervalMs: () => intervalMs,
  }
}
