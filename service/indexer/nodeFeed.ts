import type { ChainConfig } from '../config.ts'
import type { Log } from '../log.ts'
import { createChain } from './chain.ts'
import { type Check, createPolling, type PollingOptions } from './polling.ts'
import { createFinder } from './poolDiscovery.ts'
import { createPoolState, type PoolState } from './poolState.ts'
import { readUpdate } from './readUpdate.ts'
import type { Update } from './update.ts'

/** Where an engine gets its pools from, block by block. */
export type Feed = {
  /** Hands everything to `take`, and then each change, in order, one after another. Resolves after the first attempt. */
  start(take: (update: Update) => Promise<void>): Promise<void>
  /** Resolves once an update for the block that is newest now, or later, was taken. Rejects when it cannot be read. */
  refresh(): Promise<void>
  checked(): Check
  stop(): Promise<void>
}

export type FeedOptions = PollingOptions & {
  /** Where everything is kept that was handed on. When something is in it already, the feed begins with that. */
  ledger?: PoolState
  log?: Log | undefined
}

/** Reads the node itself. One that cannot be reached yet is asked again. */
export function createNodeFeed(
  config: ChainConfig,
  rpcUrl: string,
  { ledger = createPoolState(), log, ...options }: FeedOptions = {},
): Feed {
  const chain = createChain(rpcUrl, config.multicall)
  const find = createFinder(config, chain, { log })
  let take: (update: Update) => Promise<void> = async () => undefined
  const polling = createPolling(async () => {
    const update = await readUpdate(config, chain, ledger, find)
    if (update === undefined) return
    await take(update)
    ledger.apply(update)
  }, options)

  return {
    async start(given) {
      take = given
      const known = ledger.whole()
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
