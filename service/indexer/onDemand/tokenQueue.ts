import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from '../../config.ts'
import { isBlockMissing } from '../node.ts'
import type { Update } from '../update.ts'
import type { TokenDiscovery } from './discoverTokens.ts'
import type { TokenCoverage, Want } from './tokenCoverage.ts'

export type TokenQueue = {
  /** Resolves when the pools of all `wants` are part of the state, with the tokens that have no code. */
  find(wants: readonly Want[]): Promise<Address[]>
}

export type TokenQueueOptions = {
  /** Batches that run at once, each two requests to the RPC at a time. */
  atOnce?: number
  /** Batches that start per second, after a burst of twice as many. */
  perSecond?: number
  /** Tokens that are found at once, and per second. */
  foundAtOnce?: number
  foundPerSecond?: number
  /** Wants per batch. */
  perBatch?: number
  /** Wants that wait. */
  maxWaiting?: number
}

type Job = {
  want: Want
  over: Promise<Address[]>
  end(codeless: Address[]): void
  fail(error: unknown): void
}

/** For a replica of the RPC to receive a block that another one has. */
const lagMs = 200
/** Reorganizations, or missing blocks, in a row. */
const maxAttempts = 4

/**
 * Creates a queue that discovers tokens in batches, each once however many requests want it. Any client can
 * name any address, so batches are bounded in number, rate and size, and so are the tokens found: shared
 * memory keeps some 140 bytes of each dropped pool (snapshot/poolTables.ts). `apply` runs the settlement
 * while no update is read or applied, and applies what it returns.
 */
export function createTokenQueue(
  { discover, settle }: Pick<TokenDiscovery, 'discover' | 'settle'>,
  coverage: TokenCoverage,
  apply: (settle: () => Promise<Update | undefined>) => Promise<Update | undefined>,
  {
    atOnce = 2,
    perSecond = 5,
    foundAtOnce = 20_000,
    foundPerSecond = 1,
    perBatch = 32,
    maxWaiting = 512,
  }: TokenQueueOptions = {},
): TokenQueue {
  const jobs = new Map<string, Job>()
  const waiting = new Set<Job>()
  let running = 0
  let isDelayed = false

  const batches = createBucket(perSecond, 2 * perSecond)
  const tokens = createBucket(foundPerSecond, foundAtOnce)

  function start(): void {
    while (running < atOnce && waiting.size > 0) {
      if (!batches.isFilled() || !tokens.isFilled()) {
        if (!isDelayed) setTimeout(startLater, 1_000 / perSecond)
        isDelayed = true
        return
      }
      batches.take(1)
      const batch = [...waiting].slice(0, perBatch)
      for (const job of batch) waiting.delete(job)
      running++
      run(batch).finally(() => {
        running--
        start()
      })
    }
  }

  function startLater(): void {
    isDelayed = false
    start()
  }

  async function run(batch: readonly Job[]): Promise<void> {
    try {
      const update = await attempt(batch.map(({ want }) => want))
      const { absent = [], found = [] } = update.tokens ?? {}
      tokens.take(found.length)
      const codeless = absent.flatMap(({ token, hasCode }) => (hasCode ? [] : [token]))
      for (const { end } of batch) end(codeless)
    } catch (error) {
      for (const { fail } of batch) fail(error)
    } finally {
      for (const { want } of batch) jobs.delete(want.join(' '))
    }
  }

  async function attempt(wants: readonly Want[]): Promise<Update> {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      try {
        const discovered = await discover(wants)
        const update = await apply(() => settle(discovered))
        if (update !== undefined) return update
      } catch (error) {
        if (!isBlockMissing(error)) throw error
        await sleep(lagMs)
      }
    }
    throw new Error('The chain has moved on whenever tokens were looked up.')
  }

  function enqueue(want: Want): Job {
    const key = want.join(' ')
    const known = jobs.get(key)
    if (known !== undefined) return known
    if (waiting.size >= maxWaiting) throw new Error('Too many tokens are being looked up.')
    const job = createJob(want)
    jobs.set(key, job)
    waiting.add(job)
    return job
  }

  return {
    async find(wants) {
      const begun = wants.filter((want) => !coverage.covers(want)).map(enqueue)
      start()
      const found = await Promise.all(begun.map(({ over }) => over))
      const tokens = new Set(wants.flat())
      return [...new Set(found.flat())].filter((token) => tokens.has(token))
    },
  }
}

function createJob(want: Want): Job {
  const job: Partial<Job> = { want }
  job.over = new Promise((resolve, reject) => {
    job.end = resolve
    job.fail = reject
  })
  // Callers have it from `find`, if they still wait.
  job.over.catch(() => undefined)
  return job as Job
}

/** Token bucket, which may be overdrawn. */
function createBucket(perSecond: number, burst: number) {
  let left = burst
  let at = performance.now()

  function fill(): void {
    const now = performance.now()
    left = Math.min(burst, left + ((now - at) * perSecond) / 1_000)
    at = now
  }

  return {
    isFilled() {
      fill()
      return left >= 1
    },
    take(count: number) {
      fill()
      left -= count
    },
  }
}
