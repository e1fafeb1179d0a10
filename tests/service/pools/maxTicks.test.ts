import { type Hex, numberToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Address } from '../../../service/config.ts'
import type { Chain, Log } from '../../../service/indexer/chain.ts'
import { createPoolLens, type LensPool, type LensRequest } from '../../../service/indexer/lens/poolLens.ts'
import type { Concentrated } from '../../../service/pools/concentrated.ts'
import { type Tick, toTick } from '../../../service/pools/math/ticks.ts'
import type { PoolInfo, PoolReadRequest } from '../../../service/pools/poolType.ts'
import { poolTypes, toPool } from '../../../service/pools/registry.ts'

/** As README says. */
const limit = 20_000

const [tokenA, tokenB] = [`0x${'a1'.repeat(20)}`, `0x${'b2'.repeat(20)}`] as const
const manager: Address = `0x${'c3'.repeat(20)}`
const address: Address = `0x${'d4'.repeat(20)}`
const block = 1_000n

/** √price just above 1, in whose bits a bitmap of 65 ticks per word can be read too. */
const word = 2n ** 96n + 2n ** 64n - 1n

const toAnswer = (first: bigint): Hex =>
  `0x${[first, 0n, 0n, 0n].map((one) => one.toString(16).padStart(64, '0')).join('')}`

/** Answers every call with `word`, those about fees with 500; `whole` is what the lens reads. */
function fakeChain(whole?: LensPool) {
  const asked: Hex[] = []
  const [answer, fee] = [toAnswer(word), toAnswer(500n)]
  const read: Chain['read'] = async (lists) =>
    lists.map((calls) =>
      calls.map(({ data, mayFail }) => {
        asked.push(data)
        return mayFail ? fee : answer
      }),
    )
  const readPools: Chain['readPools'] = async (pools) => pools.map(() => whole)
  const readIsolated: Chain['readIsolated'] = async (lists) => lists.map((calls) => calls.map(() => '0x'))
  return { chain: { read, readPools, readIsolated } as Chain, asked }
}

const ticks = (count: number): Tick[] => Array.from({ length: count }, (_, i) => toTick(i - 10_000, 0n))

function wholePool(count: number): LensPool {
  return { sqrtPrice: word, tick: 0, liquidity: 10n ** 18n, ticks: ticks(count) }
}

const kinds = [
  {
    ...{ kind: 'concentrated', speaker: address, added: 'Mint', removed: 'Burn' },
    ...{ fixed: { feePpm: 500, tickSpacing: 1 }, extra: {} },
  },
  {
    ...{ kind: 'uniswap-v4', speaker: manager, added: 'ModifyLiquidity', removed: 'ModifyLiquidity' },
    fixed: { manager, hooks: `0x${'0'.repeat(40)}`, fee: 500, tickSpacing: 1, isNative: false },
    extra: { protocolFee: 0 },
  },
  {
    ...{ kind: 'algebra', speaker: address, added: 'Mint', removed: 'Burn' },
    ...{ fixed: {}, extra: { fee: 500, config: 0 } },
  },
  {
    ...{ kind: 'slipstream', speaker: address, added: 'Mint', removed: 'Burn' },
    fixed: { factory: manager, tickSpacing: 1 },
    extra: { feePpm: 500, module: manager, isMoving: false, observations: 0 },
  },
] as const

describe.each(kinds)('a pool of kind $kind with more ticks than are kept', (one) => {
  const { kind, speaker, fixed, extra, added, removed } = one
  const type = poolTypes[kind as PoolInfo['kind']]
  const listing = { kind, source: 'SOURCE', address, tokens: [tokenA, tokenB], fixed } as PoolInfo

  const log = (eventName: string, args: object) => ({ address: speaker, eventName, args }) as unknown as Log
  const position = (eventName: string, lower: number, upper: number) =>
    log(eventName, { tickLower: lower, tickUpper: upper })
  const swap = log('Swap', { sqrtPriceX96: word, tick: 0, liquidity: 10n ** 18n })

  const stateOf = (count: number) => ({
    ...{ sqrtPrice: word, tick: 0, liquidity: 10n ** 18n, ticks: ticks(count) },
    ...extra,
  })

  async function read(
    before: Concentrated | undefined,
    logs: readonly Log[],
    { chain } = fakeChain(),
  ): Promise<Concentrated> {
    const [state] = await type.read(chain, block, [{ listing, before, logs } as PoolReadRequest])
    return state as Concentrated
  }

  function expectTraded(state: Concentrated, count: number): void {
    expect(state.ticks).toHaveLength(count)
    expect(type.isValid(2, fixed, state)).toBe(true)
    expect(toPool({ listing, state }).quote(tokenA, tokenB, 1_000_000n)).toBeGreaterThan(0n)
  }

  function expectClosed(state: Concentrated): void {
    expect(state).toMatchObject({ sqrtPrice: 0n, ticks: [] })
    expect(type.isValid(2, fixed, state)).toBe(true)
    const pool = toPool({ listing, state })
    expect(pool.quote(tokenA, tokenB, 1_000_000n)).toBe(0n)
    expect(pool.curve(tokenB, tokenA).capacity).toBe(0)
  }

  it('quotes nothing, and is valid, when it is read whole', async () => {
    expectTraded(await read(undefined, [], fakeChain(wholePool(limit))), limit)
    expectClosed(await read(undefined, [], fakeChain(wholePool(limit + 1))))
  })

  it('is closed by its bitmap without reading its ticks, where the lens does not work', async () => {
    const fake = fakeChain()
    expectClosed(await read(undefined, [], fake))
    expect(fake.asked.length).toBeLessThan(12_000)
  })

  it('is closed when a new position takes it beyond', async () => {
    const mint = position(added, -20_000, -20_001)
    expectTraded(await read(stateOf(limit - 2), [swap, mint]), limit)
    expectClosed(await read(stateOf(limit - 1), [swap, mint]))
  })

  it('stays closed through swaps and fewer positions until it is read anew', async () => {
    let state = await read(stateOf(limit - 1), [position(added, -20_000, -20_001)])
    for (const logs of [[swap], [position(removed, -20_000, 4)], [position(added, 5, 6), swap]]) {
      state = await read(state, logs)
      expectClosed(state)
    }
    expectTraded(await read(undefined, [], fakeChain(wholePool(7))), 7)
  })
})

describe('createPoolLens', () => {
  it('stops paging through a pool of too many ticks, and reads the pools after it', async () => {
    const perPage = 1_250
    const pages: Hex[] = []
    const record = (status: number, next: number, count: number) =>
      [
        numberToHex(status, { size: 1 }),
        numberToHex(word, { size: 20 }),
        numberToHex(0, { size: 3 }),
        numberToHex(1, { size: 16 }),
        numberToHex(next, { size: 2, signed: true }),
        numberToHex(count, { size: 2 }),
        ...Array.from({ length: count }, (_, i) => [
          numberToHex(i, { size: 3, signed: true }),
          numberToHex(1, { size: 16 }),
        ]).flat(),
      ]
        .map((hex) => hex.slice(2))
        .join('')
    // The first pool has ticks without end.
    const read = createPoolLens(async (code) => {
      const isEndless = code.includes(manager.slice(2))
      const next = pages.length
      if (isEndless) pages.push(code)
      return `0x01${isEndless ? record(2, next, perPage) : record(1, 0, 3)}`
    })
    const pools: LensRequest[] = [manager, address].map((one) => ({ address: one, tickSpacing: 1 }))
    const [first, second] = await read(pools, block)
    expect(first).toMatchObject({ ticks: { length: 17 * perPage } })
    expect(second).toMatchObject({ ticks: { length: 3 } })
    expect(pages).toHaveLength(17)
  })
})
