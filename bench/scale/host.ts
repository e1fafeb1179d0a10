import { openSync, readFileSync, readSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { pathToFileURL } from 'node:url'
import { createHandler } from '../../service/app.ts'
import type { ChainConfig } from '../../service/config.ts'
import { createEngine } from '../../service/engine.ts'
import { connectRpc } from '../../service/indexer/node.ts'
import type { Feed } from '../../service/indexer/nodeFeed.ts'
import { createPoolState, type PoolState } from '../../service/indexer/poolState.ts'
import { createSnapshotFile } from '../../service/indexer/snapshotFile.ts'
import type { PoolSnapshot } from '../../service/pools/poolType.ts'
import { startSearchThreads } from '../../service/search/searchThreads.ts'
import { createTokens } from '../../service/tokens/registry.ts'
import { changePool } from '../routing/synthetic.ts'
import { createTrades, type Priced, sizes, toRouteLimits } from '../routing/trades.ts'
import { createGivenFeed, headerAt } from '../soak/memoryFeed.ts'
import { summarise, type Times } from '../stats.ts'

/** Given by the parent process. */
export type HostTask = { folder: string; threads: number; code: string; quotes: number }

export type HostData = { config: ChainConfig; tokens: readonly Priced[] }

export type HostFigures = {
  pools: number
  load: { ms: number; cpuMs: number; pauseMs: number; rssMb: number }
  quotes: { cpuMs: Times; searchMs: Times; warmCpuMs: Times; without: number }
  /** Largest of samples during quotes. */
  rssMb: number
  change: Pause
  resync: Pause
  save: Pause
}

type Pause = { ms: number; cpuMs: number; pauseMs: number; pauseCpuMs: number }
const noPause: Pause = { ms: 0, cpuMs: 0, pauseMs: 0, pauseCpuMs: 0 }

const changes = 10
const changedPools = 1_000

/** A host of the service in a process of its own; the pools come from a file. */
export async function runHost({ folder, threads, code, quotes }: HostTask): Promise<HostFigures> {
  const { config, tokens } = JSON.parse(readFileSync(`${folder}/chain.json`, 'utf8')) as HostData
  const pools = createPoolState()
  const file = createSnapshotFile(folder, config, pools)
  const given = createGivenFeed({ block: headerAt(1), tip: 0n, pools: [] })
  let load = noPause
  const feed: Feed = {
    ...given,
    async start(take) {
      load = await measure(() => file.load())
      await given.start(take)
    },
  }
  const engine = await createEngine(config, feed, {
    pools,
    createSearcher: (store, input) => {
      return startSearchThreads(store, input, { count: threads, code: { file: pathToFileURL(code) } })
    },
  })
  if (engine.poolCount() === 0) throw new Error('There are no saved pools.')
  const rssAtStart = rssMb()
  tell('pools are loaded')
  const node = connectRpc('http://127.0.0.1:1')
  const service = { config, node, tokens: createTokens(config, node), engine: () => engine }
  const handler = createHandler(service, { deadlineMs: 60_000 })

  const limits = toRouteLimits(config, 10_000_000_000n)
  const draws = sizes.map((usd) => createTrades(tokens, limits, usd, usd + 2))
  const requests = Array.from({ length: quotes }, (_, i) => draws[i % sizes.length]!())
  let most = 0
  const sample = () => {
    most = Math.max(most, rssMb())
  }
  const sampling = setInterval(sample, 20)
  const warmUps = sizes.map((usd) => createTrades(tokens, limits, usd, usd + 1))
  for (let i = 0; i < quotes / 2; i++) await engine.route(warmUps[i % sizes.length]!(), { isProven: true })
  const searchMs: number[] = []
  const ask = async () => {
    const cpu: number[] = []
    for (const request of requests) {
      const before = process.cpuUsage()
      const route = await engine.route(request, { isProven: true })
      cpu.push(cpuMs(before))
      if (route !== undefined) searchMs.push(route.searchedMs)
    }
    return cpu
  }
  tell('searches are warm')
  const first = await ask()
  const without = requests.length - searchMs.length
  const again = await ask()
  tell('single quotes are measured')
  // All threads at once, through the API.
  await Promise.all(
    requests.map(async ({ sell, buy, amount }, i) => {
      const query = `src=${sell}&dst=${buy}&amount=${amount + BigInt(i)}`
      await handler(new Request(`http://host/v6.1/1/quote?${query}&gasPrice=10000000000`), {
        remoteAddress: `10.${i % 200}.1.1`,
      })
    }),
  )
  sample()
  clearInterval(sampling)

  tell('quotes are measured')
  const figures = {
    pools: engine.poolCount(),
    load: { ms: load.ms, cpuMs: load.cpuMs, pauseMs: load.pauseMs, rssMb: rssAtStart },
    quotes: { cpuMs: summarise(first), searchMs: summarise(searchMs), warmCpuMs: summarise(again), without },
    rssMb: most,
    change: await benchChanges(pools, given.hand),
    resync: await benchResync(pools, given.hand),
    save: await measure(() => file.stop()),
  }
  await engine.stop()
  return figures
}

async function benchChanges(pools: PoolState, hand: (update: never) => Promise<void>): Promise<Pause> {
  const busiest = take(pools, changedPools)
  const pauses: Pause[] = []
  let changed = busiest
  for (let i = 0; i < changes; i++) {
    changed = changed.map(changePool)
    const number = Number(pools.block()?.number)
    const block = { after: headerAt(number).hash, block: headerAt(number + 1), tip: 0n }
    const update = { ...block, pools: changed } as never
    pauses.push(await measure(() => hand(update)))
  }
  const most = (of: (pause: Pause) => number) => Math.max(...pauses.map(of))
  return {
    ms: most(({ ms }) => ms),
    cpuMs: most(({ cpuMs }) => cpuMs),
    pauseMs: most(({ pauseMs }) => pauseMs),
    pauseCpuMs: most(({ pauseCpuMs }) => pauseCpuMs),
  }
}

/** All pools are read again, a thousandth of them changed, as after a reorganisation. */
async function benchResync(pools: PoolState, hand: (update: never) => Promise<void>): Promise<Pause> {
  const all = take(pools, Number.POSITIVE_INFINITY).map((pool, i) =>
    i % 1_000 === 0 ? changePool(pool) : pool,
  )
  const update = { block: headerAt(Number(pools.block()?.number) + 1), tip: 0n, pools: all }
  await new Promise((resolve) => setTimeout(resolve, 100))
  return measure(() => hand(update as never))
}

function take(pools: PoolState, count: number): PoolSnapshot[] {
  const taken: PoolSnapshot[] = []
  for (const pool of pools.stream()?.pools ?? []) {
    if (taken.push(pool) >= count) break
  }
  return taken
}

/** Longest turn of the event loop, by the clock and by the CPU time of this thread. */
async function measure(work: () => Promise<void>): Promise<Pause> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  let pauseCpuMs = 0
  let last = threadCpuMs()
  let turn: NodeJS.Immediate
  const tick = () => {
    const now = threadCpuMs()
    pauseCpuMs = Math.max(pauseCpuMs, now - last)
    last = now
    turn = setImmediate(tick)
  }
  turn = setImmediate(tick)
  await new Promise((resolve) => setTimeout(resolve, 20))
  pauseCpuMs = 0
  delay.enable()
  const [started, used] = [performance.now(), process.cpuUsage()]
  await work()
  const [ms, cpu] = [performance.now() - started, cpuMs(used)]
  await new Promise((resolve) => setTimeout(resolve, 20))
  delay.disable()
  clearImmediate(turn)
  return { ms, cpuMs: cpu, pauseMs: delay.max / 1e6, pauseCpuMs }
}

function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1_000
}

/** The parent process prints it. */
function tell(step: string): void {
  process.send?.({ step: `${step}, ${Math.round(rssMb())} MB` })
}

/** CPU time of this thread, by Linux; Node 20 tells that of the process only. */
function threadCpuMs(): number {
  const length = readSync(schedule, bytes, 0, bytes.length, 0)
  return Number(bytes.toString('latin1', 0, length).split(' ')[0]) / 1e6
}

const schedule = openSync('/proc/thread-self/schedstat', 'r')
const bytes = Buffer.alloc(100)

function rssMb(): number {
  return process.memoryUsage.rss() / 1e6
}

process.once('message', async (task: HostTask) => {
  process.send?.({ figures: await runHost(task) })
  process.exit()
})
