import { setTimeout as sleep } from 'node:timers/promises'
import type { Address, ChainConfig } from '../config.ts'
import { type Feed, type FeedOptions, within } from '../indexer/nodeFeed.ts'
import type { Want } from '../indexer/onDemand/tokenCoverage.ts'
import { createFindWants, findCodeless } from '../indexer/onDemand/wants.ts'
import { createPoolState } from '../indexer/poolState.ts'
import { configHash } from '../indexer/snapshotCodec.ts'
import { type ClusterNode, createClusterNode, type Role } from './election.ts'
import { createFollower } from './follower.ts'
import { createLeader } from './leader.ts'
import type { Redis } from './redis.ts'
import { createReplicationLog } from './redisStream.ts'
import { createStandalone } from './standalone.ts'

export type SharedFeedOptions = FeedOptions & {
  /** Lease of the leader: the time without a heartbeat until another instance may lead. */
  lockMs?: number
  /** Timeout of requests to the leader. */
  patienceMs?: number
}

/**
 * Creates a feed where one instance per config and Redis reads the chain and the others follow. Another takes
 * over when it or its RPC fails; without Redis each reads the chain itself.
 */
export function createSharedFeed(
  config: ChainConfig,
  rpcUrl: string,
  redis: Redis,
  { ledger = createPoolState(), log, lockMs = 3_000, patienceMs = 5_000, ...options }: SharedFeedOptions = {},
): Feed {
  const stream = createReplicationLog(redis, configHash(config), lockMs, log)
  let isStopped = false
  let playing = createSoon<Role>()
  let role: Role | undefined
  let title = ''
  let aloneUntil = 0
  let lastFault: string | undefined
  let checkedAt: number | undefined

  async function choose(host: ClusterNode): Promise<Role> {
    const aloneMs = aloneUntil - Date.now()
    if (!redis.isThere() || aloneMs > 0) return createStandalone(host, redis, aloneMs, options)
    const mayRead = await stream.claim()
    return mayRead
      ? createLeader(host, stream, lockMs, options)
      : createFollower(host, stream, lockMs, patienceMs)
  }

  async function play(chosen: Role): Promise<void> {
    if (chosen.title !== title) log?.info(chosen.title)
    title = chosen.title
    role = chosen
    playing.is(chosen)
    await chosen.over.finally(() => {
      chosen.stop()
      playing = createSoon()
      checkedAt = chosen.checked().at ?? checkedAt
    })
  }

  async function run(host: ClusterNode): Promise<void> {
    await Promise.race([redis.there(), sleep(lockMs, undefined, { ref: false })])
    while (!isStopped) {
      try {
        await play(await choose(host))
      } catch (error) {
        if (isStopped) return
        const { message: fault } = error as Error
        if (redis.isThere() && fault !== lastFault) log?.warn({ fault }, 'Redis refuses')
        lastFault = fault
        aloneUntil = Date.now() + lockMs
      }
    }
  }

  const findWants = createFindWants(config, ledger.coverage)

  /** When a role ends, the next one is asked. */
  async function findTokens(wants: readonly Want[]): Promise<Address[]> {
    while (!isStopped) {
      const current = await playing.soon
      const found = await current.findTokens(wants)
      if (found !== undefined) return found
      await current.over.catch(() => undefined)
    }
    throw new Error('The service has been stopped.')
  }

  return {
    async start(take) {
      const known = ledger.toUpdate()
      if (known) await take(known)
      void run(createClusterNode(config, rpcUrl, ledger, take, { ...options, log }))
      await (await playing.soon).begun
    },
    async refresh() {
      while (!isStopped) {
        const current = await playing.soon
        if (await current.refresh()) return
        await current.over.catch(() => undefined)
      }
      throw new Error('The service has been stopped.')
    },
    async ensure(tokens) {
      const codeless = findCodeless(ledger.coverage, tokens)
      const wants = findWants(tokens)
      role?.touch?.(tokens)
      return wants.length === 0 ? codeless : [...codeless, ...(await within(patienceMs, findTokens(wants)))]
    },
    checked() {
      const { at = checkedAt, everyMs } = role?.checked() ?? { everyMs: lockMs / 3 }
      return { at, everyMs }
    },
    async stop() {
      isStopped = true
      role?.stop()
      await stream.release().catch(() => undefined)
    },
  }
}

function createSoon<Value>(): { soon: Promise<Value>; is: (value: Value) => void } {
  let is: (value: Value) => void = () => {}
  const soon = new Promise<Value>((resolve) => {
    is = resolve
  })
  return { soon, is }
}
