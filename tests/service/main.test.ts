import { spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLocalnet, type Localnet } from '../../dev/localnet.ts'
import { type RedisServer, startRedis } from '../../dev/redis.ts'
import { bundleServiceFile } from '../../scripts/bundleService.ts'
import { buildService } from '../../scripts/serviceBuild.mjs'
import { slow } from '../helpers/slow.ts'

slow('Services, and Redis, run as processes of their own.')

let localnet: Localnet
let redis: RedisServer
const folder = mkdtempSync(join(tmpdir(), 'sluice-service-'))
const config = join(folder, 'localnet.json')
beforeAll(async () => {
  buildService()
  redis = await startRedis()
  localnet = await createLocalnet({ chainId: 8453 })
  const list = { name: 'Empty', tokens: [] }
  writeFileSync(join(folder, 'list.json'), JSON.stringify(list))
  writeFileSync(config, JSON.stringify({ ...localnet.config, tokenList: 'list.json' }))
})
afterAll(async () => {
  await localnet.stop()
  await redis.stop()
  rmSync(folder, { recursive: true })
})

function start(
  args: string[],
  environment: Record<string, string> = {},
  program = 'scripts/service.mjs',
  cwd = process.cwd(),
) {
  const command = [program, '--data', join(folder, 'pools'), ...args]
  const child = spawn(process.execPath, command, {
    detached: true,
    cwd,
    env: { ...process.env, ...environment },
  })
  let said = ''
  child.stdout.on('data', (text) => {
    said += text
  })
  child.stderr.on('data', (text) => {
    said += text
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return {
    said: () => said,
    ended,
    /** Signals the process group, as a terminal does. */
    signal: (name: NodeJS.Signals) => process.kill(-(child.pid ?? 0), name),
    async root() {
      await expect.poll(() => said, { timeout: 250_000 }).toContain('Serving chain 8453 at http://127.0.0.1:')
      return /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0] ?? ''
    },
  }
}

async function isReady(root: string): Promise<void> {
  await expect.poll(async () => (await ask(`${root}/ready`)).status).toBe(200)
}

const needed = () => ['--chain', '8453', '--rpc', localnet.rpcUrl, '--port', '0']

async function ask(url: string) {
  const response = await fetch(url)
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  return { status: response.status, body: (await response.json()) as any }
}

async function hasPrivateMetrics(said: string, root: string): Promise<void> {
  expect((await fetch(`${root}/metrics`)).status).toBe(404)
  const url = /Metrics at (http:\/\/127\.0\.0\.1:\d+\/metrics)/.exec(said)?.[1] ?? ''
  expect(url).not.toContain(root)
  expect(await (await fetch(url)).text()).toMatch(
    /^sluice_requests_total\{.*operation="v6\.1\/quote".*\} 1$/m,
  )
}

const pair = () => `src=${localnet.tokens.USDC}&dst=${localnet.tokens.WETH}`
const quote = (root: string) => `${root}/v6.1/8453/quote?${pair()}&amount=1000000`

describe('main with its own config file', () => {
  it.each([
    ['SIGINT', []],
    ['SIGTERM', ['--workers', '2', '--cors']],
  ] as const)('serves until %s, with arguments %j', async (signal, args) => {
    const service = start([...needed(), '--config', config, ...args])
    const root = await service.root()
    await isReady(root)
    expect((await ask(quote(root))).status).toBe(200)
    await hasPrivateMetrics(service.said(), root)
    expect((await ask(`${root}/v6.1/8453/approve/spender`)).body).toEqual({ address: localnet.config.router })
    const prices = await fetch(`${root}/price/v1.1/8453?currency=USD`)
    expect(Object.keys((await prices.json()) as object)).toHaveLength(9)
    expect(prices.headers.get('access-control-allow-origin')).toBe(args.length > 0 ? '*' : null)

    service.signal(signal)
    await service.ended
    await expect(fetch(root)).rejects.toThrow()
    // The log is another stream, and may be read later.
    const sentences = service
      .said()
      .trim()
      .split('\n')
      .filter((line) => !line.startsWith('{'))
    expect(sentences.at(-1)).toBe('Stopped.')
    expect(existsSync(join(folder, 'pools', '8453.pools'))).toBe(true)
  })

  it('reads its URLs from the environment, shares its reads through Redis and does not log the RPC key', async () => {
    const environment = { SLUICE_RPC_URL: `${localnet.rpcUrl}/?key=my-long-key`, SLUICE_REDIS_URL: redis.url }
    const service = start(
      ['--chain', '8453', '--port', '0', '--config', config, '--rate', '0.001'],
      environment,
    )
    const root = await service.root()
    await expect.poll(service.said).toContain('this host reads the chain for all')
    await isReady(root)
    const statuses = await Promise.all(Array.from({ length: 3 }, async () => (await ask(quote(root))).status))
    expect(statuses.sort()).toEqual([200, 429, 429])
    service.signal('SIGTERM')
    await service.ended
    expect(service.said()).not.toContain('my-long-key')
  })

  it('quotes from a copy of the built folder, behind a link and without packages', async () => {
    cpSync(buildService(), join(folder, 'copy'), { recursive: true })
    symlinkSync(join(folder, 'copy'), join(folder, 'current'))
    const args = [...needed(), '--config', config, '--redis', redis.url]
    const service = start(args, {}, join(folder, 'current', 'main.js'))
    const root = await service.root()
    await isReady(root)
    expect((await ask(quote(root))).body.dstAmount).toMatch(/^[1-9]\d+$/)
    const script = await fetch(`${root}/docs/rapidoc-min.js`)
    expect(script.status).toBe(200)
    expect(await script.text()).toContain('rapi-doc')
    service.signal('SIGTERM')
    await service.ended
  })
})

describe('main as one file, in an empty folder', () => {
  const place = mkdtempSync(join(tmpdir(), 'sluice-file-'))
  const program = join(place, 'program', 'sluice-service.mjs')
  const empty = join(place, 'empty')
  beforeAll(async () => {
    mkdirSync(empty)
    await bundleServiceFile(resolve(import.meta.dirname, '../..'), program)
  })
  afterAll(() => rmSync(place, { recursive: true }))

  it('quotes, through Redis too, and serves its documentation', async () => {
    const args = [...needed(), '--config', config, '--redis', redis.url, '--workers', '2']
    const service = start(args, {}, program, empty)
    const root = await service.root()
    await isReady(root)
    expect((await ask(quote(root))).body.dstAmount).toMatch(/^[1-9]\d+$/)
    const script = await fetch(`${root}/docs/rapidoc-min.js`)
    expect(await script.text()).toContain('rapi-doc')
    service.signal('SIGTERM')
    await service.ended
  })

  it('has the configs and token lists of its chains', async () => {
    const service = start(needed(), {}, program, empty)
    await service.root()
    await expect.poll(service.said).toContain('there is no router at')
    expect(service.said()).toContain('listed tokens are left out')
    service.signal('SIGTERM')
    await service.ended
    expect(readdirSync(empty)).toEqual([])
  })

  it('tells which config it lacks, and bears the licences', async () => {
    const service = start(['--chain', '4', '--rpc', 'http://127.0.0.1:1'], {}, program, empty)
    expect(await service.ended).toBe(1)
    expect(service.said()).toMatch(
      /^service\/chains\/4\.json cannot be read \(ENOENT\).* has those of chains 1, .*\.$/m,
    )
    const text = readFileSync(program, 'utf8')
    for (const name of ['viem', '@redis/client', 'rapidoc'])
      expect(text).toMatch(new RegExp(`${name} \\d+\\.`))
    expect(text).toContain('rapidoc-min.js.LICENSE.txt')
  })
})

describe('main with the config of its chain', () => {
  it('starts with only an RPC, and reports the missing router and tokens', async () => {
    const service = start(needed())
    const root = await service.root()
    // A future block does not become stale during the test.
    const anHourAhead = BigInt(Math.floor(Date.now() / 1_000) + 3_600)
    await localnet.client.setNextBlockTimestamp({ timestamp: anHourAhead })
    await localnet.client.mine({ blocks: 1 })
    await isReady(root)
    expect(service.said()).toMatch(
      /there is no router at 0x[0-9a-f]{40} on Base: .*npm run contracts:deploy -- --chain 8453/,
    )
    expect(service.said()).toContain('listed tokens are left out')

    expect((await ask(quote(root))).body.code).toBe('INSUFFICIENT_LIQUIDITY')
    const someone = `from=${localnet.accounts[0]!.address}&origin=${localnet.accounts[0]!.address}&slippage=1`
    for (const path of [
      'approve/spender',
      `approve/transaction?tokenAddress=${localnet.tokens.USDC}`,
      `swap?${pair()}&amount=1&${someone}`,
    ]) {
      expect(await ask(`${root}/v6.1/8453/${path}`), path).toMatchObject({
        status: 503,
        body: { code: 'NOT_READY', description: expect.stringContaining('there is no router at 0x') },
      })
    }
    service.signal('SIGTERM')
    await service.ended
  })
})

it.each([
  ['no arguments', [], /^--chain is missing\. Usage: npm run service/m],
  [
    'a config that is not there',
    ['--chain', '4', '--rpc', 'http://127.0.0.1:1'],
    /^service\/chains\/4\.json cannot be read \(ENOENT\)\. Name another with --config\. service\/chains has those of chains 1, 10, .*31337.*\.$/m,
  ],
  [
    'a config of another chain',
    ['--chain', '4', '--rpc', 'http://127.0.0.1:1', '--config', config],
    /is the config of chain 8453, not of --chain 4\.$/m,
  ],
  [
    'a token list that is not there',
    ['--chain', '8453', '--rpc', 'http://127.0.0.1:1', '--tokens', 'nowhere.json'],
    /^The token list nowhere\.json cannot be read \(ENOENT\)\.$/m,
  ],
  [
    'an RPC that is away',
    ['--chain', '8453', '--rpc', 'http://127.0.0.1:1/my-key', '--port', '0', '--config', config],
    /^The RPC failed: /m,
  ],
])('exits with an error message on %s', async (_name, args, sentence) => {
  const service = start(args)
  expect(await service.ended).toBe(1)
  expect(service.said()).toMatch(sentence)
  expect(service.said()).not.toMatch(/my-key|^\s+at /m)
})
