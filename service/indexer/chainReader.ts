import { setTimeout as sleep } from 'node:timers/promises'
import type { ChainConfig } from '../config.ts'
import type { Log } from '../log.ts'
import { createChain, type Head } from './chain.ts'
import { createBlockSchedule } from './heads/blockSchedule.ts'
import { createFollowedBlocks } from './heads/followedBlocks.ts'
import { type NewHeads, subscribeNewHeads } from './heads/newHeads.ts'
import { isBlockMissing } from './node.ts'
import { createTokenDiscovery, type TokenDiscovery } from './onDemand/discoverTokens.ts'
import { defaultPollMs, type Schedule } from './polling.ts'
import { createPoolDiscovery } from './poolDiscovery.ts'
import type { PoolState } from './poolState.ts'
import { readUpdate } from './readUpdate.ts'
import { createRestlessTurns } from './restlessTurns.ts'
import type { Update } from './update.ts'

/** Reads what has changed since the state's block, and knows when to look. */
export type ChainReader = {
  /** Undefined if the state is up to date. Throws as `readUpdate`. */
  read(): Promise<Update | undefined>
  /** Undefined for a chain without a block interval. */
  schedule: Schedule | undefined
  tokens: TokenDiscovery
}

export type ChainReaderOptions = {
  /** WebSocket URL of the same chain, for `newHeads`. */
  rpcWsUrl?: string | undefined
  /** Minimum between polls. */
  minPollMs?: number | undefined
  log?: Log | undefined
}

/** Seconds for which one reading of priority fees serves. */
const tipSeconds = 30

/** For a replica of the RPC to receive a block that another one has announced. */
const lagMs = 200

export function createChainReader(
  config: ChainConfig,
  rpcUrl: string,
  state: PoolState,
  { rpcWsUrl, minPollMs = defaultPollMs, log }: ChainReaderOptions = {},
): ChainReader {
  const { blockSeconds } = config
  const tipBlocks = blockSeconds === undefined ? 10 : Math.max(1, Math.floor(tipSeconds / blockSeconds))
  const chain = createChain(rpcUrl, config.multicall, { tipBlocks: BigInt(tipBlocks) })
  const find = createPoolDiscovery(config, chain, { log })
  const followed = createFollowedBlocks()
  const turns = createRestlessTurns(config)
  const tokens = createTokenDiscovery(config, chain, state, find, followed, log)
  const blocks = blockSeconds === undefined ? undefined : createBlockSchedule(blockSeconds, minPollMs)
  let pushed: Head | undefined
  let heads: NewHeads | undefined

  const silentMs = () => 1_000 + 1.5 * (blocks?.intervalMs() ?? 60_000)

  function listen(wake: () => void): () => void {
    if (rpcWsUrl === undefined) return () => {}
    const take = (head: Head) => {
      pushed = head
      wake()
    }
    const silenceMs = () => 5_000 + 3 * silentMs()
    heads = subscribeNewHeads(rpcWsUrl, take, {
      silenceMs,
      onLoss: () => log?.warn('the RPC pushes no new heads: it is polled until it does'),
    })
    return heads.stop
  }

  async function readOnce(): Promise<Update | undefined> {
    const head = pushed
    pushed = undefined
    const options = { find, pushed: head, followed, turns, log, onLogs: tokens.recordLogs }
    return readUpdate(config, chain, state, options)
  }

  return {
    tokens,

    async read() {
      const update = await readOnce().catch(async (error: unknown) => {
        if (!isBlockMissing(error)) throw error
        await sleep(lagMs)
        return readOnce()
      })
      if (update === undefined) blocks?.missed()
      else blocks?.arrived(update.block, Date.now())
      return update
    },

    schedule: blocks && {
      waitMs: () => (heads?.isLive() ? silentMs() : blocks.waitMs(Date.now())),
      everyMs: () => (heads?.isLive() ? silentMs() : Math.max(minPollMs, blocks.intervalMs())),
      listen,
    },
  }
}
