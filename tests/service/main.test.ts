import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createWorld, type World } from '../../dev/world.ts'

let world: World
const folder = mkdtempSync(join(tmpdir(), 'sluice-service-'))
const config = join(folder, 'world.json')
beforeAll(async () => {
  world = await createWorld()
  writeFileSync(config, JSON.stringify(world.config))
})
afterAll(async () => {
  await world.stop()
  rmSync(folder, { recursive: true })
})

/** Starts the service as a person does. `said` is what it has written so far. */
function start(...args: string[]) {
  const child = spawn('npx', ['tsx', 'service/main.ts', ...args], { detached: true })
  let said = ''
  child.stdout.on('data', (text) => {
    said += text
  })
  child.stderr.on('data', (text) => {
    said += text
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { said: () => said, ended, signal: (name: NodeJS.Signals) => process.kill(-(child.pid ?? 0), name) }
}

it.each(['SIGINT', 'SIGTERM'] as const)('serves until %s', async (signal) => {
  const service = start('--chain', '31337', '--rpc', world.rpcUrl, '--port', '0', '--config', config)
  await expect.poll(service.said, { timeout: 20_000 }).toContain('Serving chain 31337 at http://127.0.0.1:')
  const [root = ''] = /http:\S+/.exec(service.said()) ?? []
  expect((await fetch(`${root}tokens`)).status).toBe(200)

  service.signal(signal)
  await service.ended
  await expect(fetch(`${root}tokens`)).rejects.toThrow()
  expect(service.said().trim().split('\n').at(-1)).toBe('Stopped.')
})

it.each([
  ['no arguments', [], /^--chain is missing\. Usage: npm run service/m],
  [
    'a config that is not there',
    ['--chain', '4', '--rpc', 'http://127.0.0.1:1'],
    /^service\/chains\/4\.json cannot be read \(ENOENT\)\. Name another with --config or --keys\.$/m,
  ],
  [
    'a config of another chain',
    ['--chain', '4', '--rpc', 'http://127.0.0.1:1', '--config', config],
    /is the config of chain 31337, not of --chain 4\.$/m,
  ],
  [
    'a node that is away',
    ['--chain', '31337', '--rpc', 'http://127.0.0.1:1/my-key', '--config', config],
    /node/,
  ],
])('ends with a sentence on %s', async (_name, args, sentence) => {
  const service = start(...args)
  expect(await service.ended).toBe(1)
  expect(service.said()).toMatch(sentence)
  expect(service.said()).not.toMatch(/my-key|^\s+at /m)
})
