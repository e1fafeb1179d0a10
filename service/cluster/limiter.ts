import { widening } from '../http/clients.ts'
import { type Rate, type RateLimiter, rateFactor } from '../http/rateLimiter.ts'
import type { Redis } from './redis.ts'

/** Creates a rate limiter shared through Redis; falls back to `alone` while Redis is unavailable. */
export function createSharedLimiter(
  redis: Redis,
  mark: string,
  { perSecond, burst }: Rate,
  alone: RateLimiter,
  scope: string,
): RateLimiter {
  return {
    async take(client, cost = 1) {
      if (!redis.isThere()) return alone.take(client, cost)
      const keys = client.map((name) => `sluice:${mark}:${scope}:${name}`)
      const sizes = client.flatMap((_name, i) =>
        [perSecond, burst].map((limit) => String(widening(limit, rateFactor, i))),
      )
      const command = ['EVAL', script, String(keys.length), ...keys, String(cost), ...sizes]
      const waitMs = await redis.ask(command).catch(() => undefined)
      if (typeof waitMs !== 'number') return alone.take(client, cost)
      return waitMs === 0 ? undefined : waitMs
    },
  }
}

/** Buckets like rateLimiter.ts, in Redis time: 0, or milliseconds until a retry. */
const script = `
  local time = redis.call('TIME')
  local now = time[1] * 1000 + time[2] / 1000
  local wait, left = 0, {}
  for i, key in ipairs(KEYS) do
    local rate, burst = ARGV[2 * i] / 1000, tonumber(ARGV[2 * i + 1])
    local known = redis.call('HMGET', key, 'left', 'at')
    left[i] = math.min(burst, (tonumber(known[1]) or burst) + (now - (tonumber(known[2]) or now)) * rate)
    if left[i] < 1 then wait = math.max(wait, math.ceil((1 - left[i]) / rate)) end
  end
  for i, key in ipairs(KEYS) do
    if wait == 0 then left[i] = left[i] - ARGV[1] end
    redis.call('HSET', key, 'left', tostring(left[i]), 'at', string.format('%.3f', now))
    redis.call('PEXPIRE', key, math.ceil(1000 * ARGV[2 * i + 1] / ARGV[2 * i]))
  end
  return wait`
