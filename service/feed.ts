import { createChain } from './chain.ts'
import type { ChainConfig } from './config.ts'
import { readUpdate } from './ingest.ts'
import { createLedger } from './ledger.ts'
import type { Update } from './update.ts'

/** Where an engine gets its pools from, block by block. */
export type Feed = {
  /** Hands everything to `take`, and then each change, in order, one after another. Resolves after the first attempt. */
  start(take: (update: Update) => Promise<void>): Promise<void>
  /** Resolves once an update for the block that is newest now, or later, was taken. Rejects when it cannot be read. */
  refresh(): Promise<void>
  stop(): void
}

export type FeedOptions = {
  /** How often the node is asked for a new block. */
  pollMs?: number
  /** Told of each refresh that failed; what was taken before stays. */
  onFailure?: (error: unknown) => void
}

/** Reads the node itself. One that cannot be reached yet is asked again. */
export function createNodeFeed(
  config: ChainConfig,
  rpcUrl: string,
  { pollMs = 250, onFailure }: FeedOptions = {},
): Feed {
  const chain = createChain(rpcUrl, config.multicall)
  const ledger = createLedger()
  let take: (update: Update) => Promise<void> = async () => undefined
  let stopped = false
  let timer: NodeJS.Timeout | undefined

  const refresh = oneAtATime(async () => {
    const update = await readUpdate(config, chain, ledger)
    if (update === undefined) return
    await take(update)
    ledger.apply(update)
  })

  async function poll(): Promise<void> {
    await refresh().catch((error: unknown) => onFailure?.(error))
    if (!stopped) timer = setTimeout(poll, pollMs)
  }

  return {
    async start(given) {
      take = given
      await poll()
    },
    refresh,
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}

/** Runs `work` once at a time. A call during a run waits for a run that begins after it; such calls share one. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined

  function start(): Promise<void> {
    next = undefined
    running = work().finally(() => {
      running = undefined
    })
    return running
  }

  return () => {
    if (next) return next
    if (!running) return start()
    next = running.then(start, start)
    return next
  }
}
