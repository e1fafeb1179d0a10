import type { ChainConfig } from '../config.ts'
import { type ChainReaderOptions, createChainReader } from './chainReader.ts'
import { type Check, createPolling, type PollingOptions } from './polling.ts'
import { createPoolState, type PoolState } from './poolState.ts'
import type { StreamedUpdate, Update } from './update.ts'

export type Feed = {
  /** Passes the full state, then each change, one at a time. Resolves after the first attempt. */
  start(take: (update: Update | StreamedUpdate) => Promise<void>): Promise<void>
  /** Resolves after an update of the current or a later block. */
  refresh(): Promise<void>
  checked(): Check
  stop(): Promise<void>
}

export type FeedOptions = PollingOptions &
  ChainReaderOptions & {
    /** Initial state, if not empty, and its store. */
    ledger?: PoolState
  }

/** Creates a feed that follows an RPC. */
export function createNodeFeed(
  config: ChainConfig,
  rpcUrl: string,
  { ledger = createPoolState(), ...options }: FeedOptions = {},
): Feed {
  const { read, schedule } = createChainReader(config, rpcUrl, ledger, options)
  let take: (update: Update) => Promise<void> = async () => undefined
  const polling = createPolling(
    async () => {
      const update = await read()
      if (update === undefined) return
      await take(update)
      ledger.apply(update)
    },
    options,
    schedule,
  )

  return {
    async start(given) {
      take = given
      const known = ledger.toUpdate()
      if (known) await take(known)
      await polling.start()
    },
    refresh: polling.refresh,
    checked: polling.checked,
    async stop() {
      polling.stop()
    },
  }
}
