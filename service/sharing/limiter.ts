import type { Limiter, Rate } from '../gate/limiter.ts'
import type { Redis } from './redis.ts'

/** Counts with all hosts of a config together; while Redis is away, `alone` counts. */
export function createSharedLimiter(
  redis: Redis,
  mark: string,
  { perSecond, burst }: Rate,
  alone: Limiter,
): Limiter {
  return {
    async take(asker) {
      if (!redis.isThere()) return alone.take(asker)
      const key = `sluice:${mark}:asker:${asker}`
      const command = ['EVAL', script, '1', key, String(perSecond), String(burst)]
      const waitMs = await redis.ask(command).catch(() => undefined)
      if (typeof waitMs !== 'number') return alone.take(asker)
      return waitMs === 0 ? undefined : waitMs
    },
  }
}

/** The bucket of limiter.ts, at Redis' own time: 0 when there was one left, else the milliseconds until there is. */
const script = `
  local time = redis.call('TIME')
  local now = time[1] * 1000 + time[2] / 1000
  local rate, burst = ARGV[1] / 1000, tonumber(ARGV[2])
  local known = redis.call('HMGET', KEYS[1], 'left', 'at')
  local left = math.min(burst, (tonumber(known[1]) or burst) + (now - (tonumber(known[2]) or now)) * rate)
  local wait = 0
  if left >= 1 then left = left - 1 else wait = math.ceil((1 - left) / rate) end
  redis.call('HSET', KEYS[1], 'left', tostring(left), 'at', string.format('%.3f', now))
  redis.call('PEXPIRE', KEYS[1], math.ceil(burst / rate))
  return wait`
