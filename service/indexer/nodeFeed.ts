import type { Address, ChainConfig } from '../config.ts'
import { createFindWants, findCodeless } from './onDemand/wants.ts'
import { type Check, createPolling, type PollingOptions } from './polling.ts'
import { createPoolState, type PoolState } from './poolState.ts'
import { createStateWriter, type StateWriterOptions } from './stateWriter.ts'
import type { StreamedUpdate, Update } from './update.ts'

export type Feed = {
  /** Passes the full state, then each change, one at a time. Resolves after the first attempt. */
  start(take: (update: Update | StreamedUpdate) => Promise<void>): Promise<void>
  /** Resolves after an update of the current or a later block. */
  refresh(): Promise<void>
  checked(): Check
  /**
   * Resolves when the pools of `tokens` are part of the state, with those that have no code. Rejects when
   * they cannot be read. Undefined where all pools are followed.
   */
  ensure?(tokens: readonly Address[]): Promise<Address[]>
  stop(): Promise<void>
}

export type FeedOptions = PollingOptions &
  StateWriterOptions & {
    /** Initial state, if not empty, and its store. */
    ledger?: PoolState
    /** Longest wait for tokens. */
    patienceMs?: number
  }

/** Creates a feed that follows an RPC. */
export function createNodeFeed(
  config: ChainConfig,
  rpcUrl: string,
  { ledger = createPoolState(), patienceMs = 5_000, ...options }: FeedOptions = {},
): Feed {
  let take: (update: Update) => Promise<void> = async () => undefined
  const adopt = async (update: Update) => {
    await take(update)
    ledger.apply(update)
  }
  const { advance, find, schedule } = createStateWriter(config, rpcUrl, ledger, adopt, options)
  const polling = createPolling(async () => void (await advance()), options, schedule)
  const findWants = createFindWants(config, ledger.coverage)

  return {
    async start(given) {
      take = given
      const known = ledger.toUpdate()
      if (known) await take(known)
      await polling.start()
    },
    refresh: polling.refresh,
    checked: polling.checked,
    async ensure(tokens) {
      const codeless = findCodeless(ledger.coverage, tokens)
      return [...codeless, ...(await within(patienceMs, find(findWants(tokens))))]
    },
    async stop() {
      polling.stop()
    },
  }
}

/** Rejects after `ms`. */
export async function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('The pools of the tokens were not read in time.')), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
