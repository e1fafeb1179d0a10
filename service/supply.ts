import { createNodeFeed, type Feed } from './chain/feed.ts'
import { createLedger } from './chain/ledger.ts'
import { markOf } from './chain/pack.ts'
import { createSaved } from './chain/saved.ts'
import type { ChainConfig } from './config.ts'
import { createLimiter, type Limiter, type Rate, wrongKeyRate } from './gate/limiter.ts'
import type { Log } from './gate/log.ts'
import { createSharedFeed, type SharedFeedOptions } from './sharing/feed.ts'
import { createSharedLimiter } from './sharing/limiter.ts'
import type { Redis, RedisOptions } from './sharing/redis.ts'

export type SupplyOptions = {
  config: ChainConfig
  rpcUrl: string
  /** The folder in which pools are kept between runs; nothing is kept unless given. */
  dataFolder?: string
  /** Of a Redis through which hosts share pools and limits. */
  redisUrl?: string
  redis?: RedisOptions
  rate?: Rate
  log?: Log
  feed?: SharedFeedOptions
}

/** What a host has only one of, however many processes it serves with. */
export type Supply = { feed: Feed; limiter?: Limiter; wrongKeys: Limiter }

export async function createSupply(options: SupplyOptions): Promise<Supply> {
  const { config, redisUrl, rate, log } = options
  const redis = redisUrl === undefined ? undefined : await connect(redisUrl, { log, ...options.redis })
  const feed = createFeed(options, redis)
  const limit = (limited: Rate, scope: string) => {
    const alone = createLimiter(limited)
    return redis ? createSharedLimiter(redis, markOf(config), limited, alone, scope) : alone
  }
  const wrongKeys = limit(wrongKeyRate, 'wrongKeys')
  return rate === undefined ? { feed, wrongKeys } : { feed, wrongKeys, limiter: limit(rate, 'asker') }
}

/** Loading the client takes a quarter of a second, which is not for those who have no Redis. */
async function connect(url: string, options: RedisOptions): Promise<Redis> {
  const { connectRedis } = await import('./sharing/redis.ts')
  return connectRedis(url, options)
}

function createFeed(
  { config, rpcUrl, dataFolder, log, feed }: SupplyOptions,
  redis: Redis | undefined,
): Feed {
  const ledger = createLedger()
  const saved = dataFolder === undefined ? undefined : createSaved(dataFolder, config, ledger, { log })
  const source = redis
    ? createSharedFeed(config, rpcUrl, redis, { ...feed, ledger, log })
    : createNodeFeed(config, rpcUrl, { ...feed, ledger, log })
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
