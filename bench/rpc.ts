import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLocalnet } from '../dev/localnet.ts'
import { createNodeFeed, type FeedOptions } from '../service/indexer/nodeFeed.ts'
import { thisMachine } from './machine.ts'
import { startCounter } from './rpc/counter.ts'
import { benchDiscovery } from './rpc/discovery.ts'
import { type Change, createPools, createTraffic } from './rpc/market.ts'
import { type BlockFigures, formatRpc, type RpcFigures, type RpcResults } from './rpc/page.ts'

// `npm run bench:rpc`: counts requests to the RPC, written to bench/results/rpc.json and rpc.md. With
// `--before` as the figures to compare with, with `--discovery` only the discovery of unlisted tokens.

const pairs = 600
const pools = 200
const blocksPerChange = 15
/** Seconds, and blocks to count. */
const rhythms = [
  [12, 6],
  [3, 10],
  [2, 12],
  [0.25, 60],
] as const
/** Until a schedule has found the rhythm. */
const warmUpBlocks = 4

const folder = resolve(import.meta.dirname, 'results')
const file = join(folder, 'rpc.json')

const localnet = await createLocalnet()
const { client, config } = localnet
const counter = await startCounter(localnet.rpcUrl)
try {
  const known: RpcResults = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  const name = process.argv.includes('--before') ? 'before' : 'after'
  const figures = process.argv.includes('--discovery') ? {} : { [name]: await benchAll(name === 'before') }
  const discovery = { machine: thisMachine(), found: await benchDiscovery(localnet) }
  const results: RpcResults = { ...known, ...figures, discovery }
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`)
  const page = formatRpc(results)
  writeFileSync(join(folder, 'rpc.md'), page)
  console.log(page)
} finally {
  counter.stop()
  await localnet.stop()
}

async function benchAll(isBefore: boolean): Promise<RpcFigures> {
  const traffic = await createTraffic(localnet)
  const changes = Object.keys(traffic) as Change[]
  await createPools(localnet, pairs, pools)
  const blocks = await benchBlocks(traffic, changes)
  const start = await benchStart()
  await client.setAutomine(false)
  const mine = async () => {
    for (const change of changes) await traffic[change]()
    await client.mine({ blocks: 1 })
  }
  const polled: BlockFigures[] = []
  const pushed: BlockFigures[] = []
  for (const [seconds, count] of rhythms) {
    polled.push(await benchRhythm(seconds, count, mine, {}))
    if (isBefore) continue
    pushed.push(await benchRhythm(seconds, count, mine, { rpcWsUrl: localnet.rpcUrl.replace('http', 'ws') }))
  }
  return { machine: thisMachine(), start, blocks, polled, pushed }
}

async function benchStart(): Promise<RpcFigures['start']> {
  const feed = createNodeFeed(config, counter.url, { pollMs: 3_600_000 })
  let found = 0
  counter.take()
  const started = process.cpuUsage()
  await feed.start(async ({ pools }) => {
    found = [...pools].length
  })
  const { user, system } = process.cpuUsage(started)
  const { requests, bytes } = counter.take()
  await feed.stop()
  return { pools: found, requests, bytes, cpuMs: (user + system) / 1_000 }
}

/** One block at a time, without polls. */
async function benchBlocks(
  traffic: Awaited<ReturnType<typeof createTraffic>>,
  changes: Change[],
): Promise<RpcFigures['blocks']> {
  const feed = createNodeFeed(config, counter.url, { pollMs: 3_600_000 })
  await feed.start(async () => undefined)
  // The empty block last: empty blooms are believed once another has been seen.
  const kinds: [string, () => Promise<unknown>][] = [
    ...changes.map((change): [string, () => Promise<unknown>] => {
      return [change, async () => client.receiptOf(await traffic[change]())]
    }),
    ['none', () => client.mine({ blocks: 1 })],
  ]
  const found: RpcFigures['blocks'] = []
  for (const [change, make] of kinds) {
    counter.take()
    for (let i = 0; i < blocksPerChange; i++) {
      await make()
      await feed.refresh()
    }
    found.push({ change, blocks: blocksPerChange, ...counter.take() })
  }
  await feed.stop()
  return found
}

/** Blocks at the rhythm of a chain, each with every change. */
async function benchRhythm(
  blockSeconds: number,
  count: number,
  mine: () => Promise<void>,
  options: FeedOptions & { rpcWsUrl?: string },
): Promise<BlockFigures> {
  const feed = createNodeFeed({ ...config, blockSeconds }, counter.url, options)
  const late: number[] = []
  let minedAt = 0
  await feed.start(async () => {
    if (minedAt > 0) late.push(performance.now() - minedAt)
  })
  const first = performance.now()
  for (let i = 0; i < warmUpBlocks + count; i++) {
    await sleep(Math.max(0, first + (i + 1) * blockSeconds * 1_000 - performance.now()))
    if (i === warmUpBlocks) {
      counter.take()
      late.length = 0
    }
    minedAt = performance.now()
    await mine()
  }
  await sleep(blockSeconds * 900)
  const { requests } = counter.take()
  await feed.stop()
  const sorted = late.sort((a, b) => a - b)
  return { blockSeconds, blocks: count, requests, lateMs: sorted[sorted.length >> 1] ?? 0 }
}
