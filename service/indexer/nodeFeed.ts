import type { ChainConfig } from '../config.ts'
import type { Log } from '../log.ts'
import { createChain } from './chain.ts'
import { type Check, createPolling, type PollingOptions } from './polling.ts'
import { createPoolDiscovery } from './poolDiscovery.ts'
import { createPoolState, type PoolState } from './poolState.ts'
import { readUpdate } from './readUpdate.ts'
import type { Update } from './update.ts'

export type Feed = {
  /** Passes the full state, then each change, one at a time. Resolves after the first attempt. */
  start(take: (update: Update) => Promise<void>): Promise<void>
  /** Resolves after an update of the current or a later block. */
  refresh(): Promise<void>
  checked(): Check
  stop(): Promise<void>
}

export type FeedOptions = PollingOptions & {
  /** Initial state, if not empty, and its store. */
  ledger?: PoolState
  log?: Log | undefined
}

/** Creates a feed that polls an RPC. */
export function createNodeFeed(
  config: ChainConfig,
  rpcUrl: string,
  { ledger = createPoolState(), log, ...options }: FeedOptions = {},
): Feed {
  const chain = createChain(rpcUrl, config.multicall)
  const find = createPoolDiscovery(config, chain, { log })
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
