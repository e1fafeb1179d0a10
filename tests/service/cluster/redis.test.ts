import { afterAll, beforeAll, expect, it } from 'vitest'
import { type RedisServer, startRedis } from '../../../dev/redis.ts'
import { connectRedis } from '../../../service/cluster/redis.ts'
import { slow } from '../../helpers/slow.ts'

slow('Redis runs as a process of its own.')

let server: RedisServer
beforeAll(async () => {
  server = await startRedis()
})
afterAll(() => server.stop())

it.each([
  ['a command', ['SET', 'key', 'value']],
  ['a script', ['EVAL', "return redis.call('SET', KEYS[1], 'value')", '1', 'key']],
])('connects anew when %s fails because the primary became a replica', async (_what, command) => {
  const redis = connectRedis(server.url, { patienceMs: 20_000, retryMs: 20 })
  await redis.there()
  await redis.ask(command)
  // A failover as Sentinel and managed services do it; the URL then leads to the new primary.
  await redis.ask(['REPLICAOF', '127.0.0.1', '1'])
  await expect(redis.ask(command)).rejects.toThrow('READONLY')
  expect(redis.isThere()).toBe(false)
  await redis.there()
  await redis.ask(['REPLICAOF', 'NO', 'ONE'])
  await redis.ask(command)
  redis.stop()
})

it('stays connected when Redis refuses a command for another reason', async () => {
  const redis = connectRedis(server.url, { patienceMs: 20_000, retryMs: 20 })
  await redis.there()
  await redis.ask(['SET', 'text', 'value'])
  await expect(redis.ask(['XLEN', 'text'])).rejects.toThrow('WRONGTYPE')
  expect(redis.isThere()).toBe(true)
  redis.stop()
})

/** As service/README.md grants it. */
const acl = ['+@read', '+@write', '+@stream', '+@scripting', '+@connection', '+time']

it('authenticates by the URL, and reports a wrong password without it', async () => {
  const admin = connectRedis(server.url, { patienceMs: 20_000, retryMs: 20 })
  await admin.there()
  await admin.ask(['ACL', 'SETUSER', 'service', 'on', '>right', '~sluice:*', ...acl])
  const faults: string[] = []
  const log = { info() {}, warn: ({ fault }: { fault: string }) => faults.push(fault) } as never
  const at = (password: string) => server.url.replace('redis://', `redis://service:${password}@`)
  const right = connectRedis(`${at('right')}/1`, { patienceMs: 20_000, retryMs: 20, log })
  await right.there()
  await right.ask(['SET', 'sluice:key', 'value'])
  expect(String(await right.ask(['GET', 'sluice:key']))).toBe('value')
  await expect(right.ask(['SET', 'other', 'value'])).rejects.toThrow('NOPERM')
  const wrong = connectRedis(at('guess-of-mine'), { patienceMs: 20_000, retryMs: 20, log })
  await expect.poll(() => faults.join()).toContain('WRONGPASS')
  expect(wrong.isThere()).toBe(false)
  expect(faults.join()).not.toContain('guess-of-mine')
  for (const client of [admin, right, wrong]) client.stop()
})
