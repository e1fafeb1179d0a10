import { createSharedFeed, type SharedFeedOptions } from './cluster/feed.ts'
import { createSharedLimiter } from './cluster/limiter.ts'
import type { Redis, RedisOptions } from './cluster/redis.ts'
import type { ChainConfig } from './config.ts'
import { createRateLimiter, type Rate, type RateLimiter, wrongKeyRate } from './http/rateLimiter.ts'
import { createNodeFeed, type Feed } from './indexer/nodeFeed.ts'
import { createPoolState, type PoolState } from './indexer/poolState.ts'
import { configHash } from './indexer/snapshotCodec.ts'
import { createSnapshotFile } from './indexer/snapshotFile.ts'
import type { Log } from './log.ts'

export type PoolSourceOptions = {
  config: ChainConfig
  rpcUrl: string
  rpcWsUrl?: string
  minPollMs?: number
  dataFolder?: string
  /** Shares pools and limits between instances. */
  redisUrl?: string
  redis?: RedisOptions
  rate?: Rate
  log?: Log
  feed?: SharedFeedOptions
}

export type PoolSource = { feed: Feed; pools: PoolState; limiter?: RateLimiter; wrongKeys: RateLimiter }

export async function createPoolSource(options: PoolSourceOptions): Promise<PoolSource> {
  const { config, redisUrl, rate, log } = options
  const redis = redisUrl === undefined ? undefined : await connect(redisUrl, { log, ...options.redis })
  const pools = createPoolState()
  const feed = createFeed(options, redis, pools)
  const limit = (limited: Rate, scope: string) => {
    const alone = createRateLimiter(limited)
    return redis ? createSharedLimiter(redis, configHash(config), limited, alone, scope) : alone
  }
  const wrongKeys = limit(wrongKeyRate, 'wrongKeys')
  return { feed, pools, wrongKeys, ...(rate === undefined ? {} : { limiter: limit(rate, 'asker') }) }
}

/** Lazy: loading takes a quarter of a second. */
async function connect(url: string, options: RedisOptions): Promise<Redis> {
  const { connectRedis } = await import('./cluster/redis.ts')
  return connectRedis(url, options)
}

function createFeed(
  { config, rpcUrl, rpcWsUrl, minPollMs, dataFolder, log, feed }: PoolSourceOptions,
  redis: Redis | undefined,
  ledger: PoolState,
): Feed {
  const saved = dataFolder === undefined ? undefined : createSnapshotFile(dataFolder, config, ledger, { log })
  const options = { ...feed, ledger, log, rpcWsUrl, minPollMs }
  const source = redis
    ? createSharedFeed(config, rpcUrl, redis, options)
    : createNodeFeed(config, rpcUrl, options)
  return {
    ...source,
    async start(take) {
      await saved?.load()
      await source.start(take)
      saved?.start()
    },
    async stop() {
      await source.stop()
      redis?.stop()
      await saved?.stop()
    },
  }
}
