import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createSynthetic } from '../../../bench/routing/synthetic.ts'
import { createTrades, toRouteLimits } from '../../../bench/routing/trades.ts'
import type { Address } from '../../../service/config.ts'
import type { PoolSnapshot } from '../../../service/pools/poolType.ts'
import { toPool } from '../../../service/pools/registry.ts'
import { countGasParts, lateGas, maxGas } from '../../../service/routing/gasParts.ts'
import type { RouteRequest } from '../../../service/routing/route.ts'
import { createLocalSearcher, type FoundRoute, type SearchInput } from '../../../service/search/searcher.ts'
import { type SearchThreads, startSearchThreads } from '../../../service/search/searchThreads.ts'
import { loadThreadCode } from '../../../service/search/threadCode.ts'
import { createPoolStore, type PoolStore } from '../../../service/snapshot/poolStore.ts'
import type { PoolVersion } from '../../../service/snapshot/versionSlots.ts'
import { encodeSwap } from '../../../service/swap/calldata.ts'
import { nativeTokenAddress } from '../../../service/tokens/registry.ts'
import { slow } from '../../helpers/slow.ts'

slow('Threads are started.')

const { config, tokens, standings } = createSynthetic(600)
const input: SearchInput = {
  ...{ wrapped: config.wrapped, connectors: config.connectors },
  trusted: new Set(config.tokens.map(({ address }) => address)),
}
const limits = toRouteLimits(config, 10n ** 10n)
const draw = createTrades(tokens.slice(0, 100), limits, 100_000, 1)

/** Amounts that end or block a thread, or make its search throw. */
const [crash, crashOnce, hang, fault] = [101n, 102n, 103n, 104n]
const folder = mkdtempSync(join(tmpdir(), 'sluice-threads-'))
const marker = join(folder, 'crashed')
let text = ''
let running: SearchThreads[] = []
beforeAll(async () => {
  const code = await loadThreadCode()
  const trap = `
    const { existsSync, writeFileSync } = require('node:fs')
    require('node:worker_threads').parentPort.on('message', ({ request }) => {
      if (request?.amount === ${crash}n) process.exit(1)
      if (request?.amount === ${crashOnce}n && !existsSync('${marker}')) {
        writeFileSync('${marker}', '')
        process.exit(1)
      }
      if (request?.amount === ${hang}n) for (;;);
      if (request?.amount === ${fault}n) request.limits = null
    })
  `
  text = trap + ('text' in code ? code.text : '')
})
afterEach(async () => {
  await Promise.all(running.map(({ stop }) => stop()))
  running = []
})
afterAll(() => rmSync(folder, { recursive: true }))

function publish(store: PoolStore, pools: readonly PoolSnapshot[]): void {
  const draft = store.begin(false)
  for (const pool of pools) draft.put(pool)
  draft.publish()
}

function createStore(): PoolStore {
  const store = createPoolStore()
  publish(store, standings)
  return store
}

async function start(store: PoolStore, count: number, hangMs = 60_000): Promise<SearchThreads> {
  const threads = await startSearchThreads(store, input, { count, hangMs, code: { text } })
  running.push(threads)
  return threads
}

/** Everything but times, and the calldata. */
function write(route: FoundRoute | undefined, { sell, buy, amount }: RouteRequest): string {
  if (route === undefined) return 'none'
  const { tokens: some, returns, gas, certificate } = route
  const edges = route.edges.map(({ pool: { address, source, holder }, ...edge }) => {
    return { ...edge, address, source, holder }
  })
  const call = encodeSwap({
    ...{ config, route, sell, buy, amount, receiver: nativeTokenAddress, minReturn: 0n },
    ...{ feePpm: 0, referrer: undefined, deadline: 2n ** 40n, permit: undefined },
  })
  return JSON.stringify(
    { some, returns, gas, most: maxGas(route, true), certificate, edges, data: call.data },
    (_, value) => (typeof value === 'bigint' ? `${value}` : value),
  )
}

describe('startSearchThreads', () => {
  it('finds the same routes, gas and calldata with one thread, with four, and without', async () => {
    const store = createStore()
    const [one, four] = [await start(store, 1), await start(store, 4)]
    const local = createLocalSearcher(store, input)
    const requests = [
      ...Array.from({ length: 25 }, draw),
      { ...draw(), sell: nativeTokenAddress },
      { ...draw(), buy: nativeTokenAddress },
      { ...draw(), sell: nativeTokenAddress, buy: config.wrapped },
      { ...draw(), limits: { ...limits, apart: true } },
    ]
    const all = (searcher: Pick<SearchThreads, 'search'>) =>
      Promise.all(
        requests.map(async (request) => {
          return write(await searcher.search(store.version(), request, { isProven: true }), request)
        }),
      )
    const expected = await all(local)
    expect(new Set(expected).size).toBeGreaterThan(25)
    expect(await all(one)).toEqual(expected)
    expect(await all(four)).toEqual(expected)
    expect(four.threadIds()).toHaveLength(4)
  })

  it('sends what a swap may cost later and which pools drift, as the pools say it themselves', async () => {
    const [sell, middle, buy] = ['a1', 'a2', 'a3'].map((end): Address => `0x${'d'.repeat(38)}${end}`) as [
      Address,
      Address,
      Address,
    ]
    const unit = 10n ** 18n
    const pair: PoolSnapshot = {
      listing: {
        ...{
          kind: 'solidly',
          source: 'AERODROME_V2',
          address: `0x${'e1'.repeat(20)}`,
          tokens: [sell, middle],
        },
        fixed: { factory: `0x${'fa'.repeat(20)}`, isStable: false, units: [unit, unit] },
      },
      state: { reserve0: 10n ** 24n, reserve1: 10n ** 24n, fee: 30, isPaused: false },
    }
    const vault: PoolSnapshot = {
      listing: {
        ...{ kind: 'converter', source: 'SKY_SAVINGS', address: buy, tokens: [middle, buy] },
        fixed: { form: 'vault', isOneWay: false, unit: 1n, parties: [] },
      },
      // A rate of Sky's savings.
      state: {
        rates: [(105n * 10n ** 27n) / 100n, 10n ** 27n],
        ...{ maxSold: [2n ** 120n, 2n ** 120n], maxBought: [2n ** 120n, 2n ** 120n] },
      },
    }
    const store = createStore()
    publish(store, [...standings, pair, vault])
    const named = { ...limits, connectors: [middle], sources: new Set(['AERODROME_V2', 'SKY_SAVINGS']) }
    const request: RouteRequest = { ...draw(), sell, buy, amount: 10n ** 20n, limits: named }
    const [one, local] = [await start(store, 1), createLocalSearcher(store, input)]
    const routes = [
      await one.search(store.version(), request, {}),
      await local.search(store.version(), request, {}),
    ]
    const pools = [pair, vault].map(toPool)
    for (const route of routes) {
      expect(
        route?.edges.map(({ pool: { address, lateGas, drift } }) => ({ address, lateGas, drift })),
      ).toEqual(pools.map(({ address, lateGas, drift }) => ({ address, lateGas, drift })))
      expect(lateGas(route!)).toBe(75_000n)
      expect(countGasParts(route!).get('accrual')).toBe(1)
    }
    expect(pools.map(({ drift = 0n }) => drift > 0n)).toEqual([false, true])
  })

  it('answers each search from its own block while blocks are published', async () => {
    const store = createStore()
    const threads = await start(store, 2)
    const local = createLocalSearcher(store, input)
    let pools = standings
    const request = draw()
    const searches: { version: PoolVersion; found: Promise<FoundRoute | undefined> }[] = []
    for (let block = 0; block < 60; block++) {
      if (block % 3 === 0) {
        const version = store.pin()
        searches.push({ version, found: threads.search(version, request, {}) })
      }
      pools = pools.map((pool, i) => (i % 3 === block % 3 ? scale(pool) : pool))
      publish(store, pools)
      await setImmediate()
    }
    const returned = new Set<bigint>()
    for (const { version, found } of searches) {
      const route = (await found)!
      expect(write(route, request)).toBe(write(await local.search(version, request, {}), request))
      const quoted = route.edges.map(({ pool, from, to, sold }) => {
        return pool.quote(route.tokens[from]!, route.tokens[to]!, sold)
      })
      expect(quoted).toEqual(route.edges.map(({ bought }) => bought))
      returned.add(route.returns)
      store.release(version)
    }
    expect(returned.size).toBe(20)
  })

  it('replaces a thread that ends, and repeats its search once', async () => {
    const store = createStore()
    const threads = await start(store, 2)
    const version = store.version()
    const before = threads.threadIds()
    const request = { ...draw(), amount: crashOnce }
    const local = createLocalSearcher(store, input)
    const route = await threads.search(version, request, {})
    expect(existsSync(marker)).toBe(true)
    expect(write(route, request)).toBe(write(await local.search(version, request, {}), request))

    await expect(threads.search(version, { ...draw(), amount: crash }, {})).rejects.toThrow(
      'ended with its thread',
    )
    await expect.poll(() => threads.threadIds()).toHaveLength(2)
    expect(threads.threadIds().filter((id) => before.includes(id))).toEqual([])
    expect(await threads.search(version, draw(), {})).toBeDefined()
  })

  it('ends a search that hangs with its thread, and answers the others', async () => {
    const store = createStore()
    const threads = await start(store, 1, 2_000)
    const hung = threads.search(store.version(), { ...draw(), amount: hang }, { searchMs: 10 })
    const next = threads.search(store.version(), draw(), {})
    expect([threads.running(), threads.waiting()]).toEqual([1, 1])
    await expect(hung).rejects.toMatchObject({ code: 'TIMED_OUT' })
    expect(await next).toBeDefined()
  })

  it('rejects a search that throws, and keeps its thread', async () => {
    const store = createStore()
    const threads = await start(store, 1)
    const before = threads.threadIds()
    await expect(threads.search(store.version(), { ...draw(), amount: fault }, {})).rejects.toThrow(
      'TypeError',
    )
    expect(await threads.search(store.version(), draw(), {})).toBeDefined()
    expect(threads.threadIds()).toEqual(before)
  })

  it('rejects what waits and runs when it is stopped, and throws when a thread cannot start', async () => {
    const store = createStore()
    const threads = await start(store, 1)
    const searches = [hang, 1_000n].map((amount) =>
      threads.search(store.version(), { ...draw(), amount }, {}),
    )
    const ends = Promise.allSettled(searches)
    await threads.stop()
    expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    const broken = startSearchThreads(store, input, {
      count: 1,
      code: { text: 'throw new Error("no code")' },
    })
    await expect(broken).rejects.toThrow('no code')
  })
})

function scale({ listing, state }: PoolSnapshot): PoolSnapshot {
  if (listing.kind === 'concentrated') {
    const now = state as { liquidity: bigint; ticks: { net: bigint }[] }
    const ticks = now.ticks.map((tick) => ({ ...tick, net: (tick.net * 1_003n) / 1_000n }))
    return { listing, state: { ...now, liquidity: (now.liquidity * 1_003n) / 1_000n, ticks } }
  }
  const { reserve0, reserve1 } = state as { reserve0: bigint; reserve1: bigint }
  return { listing, state: { reserve0: (reserve0 * 1_002n) / 1_000n, reserve1 } }
}
