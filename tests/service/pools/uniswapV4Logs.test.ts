import { encodeAbiParameters, encodeEventTopics, type Hex, parseAbiParameters, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { send } from '../../../dev/chain/client.ts'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import { managerPoolAddress, managerPools } from '../../../dev/pools/managerPools.ts'
import type { Address, ChainConfig } from '../../../service/config.ts'
import { createChain } from '../../../service/indexer/chain.ts'
import { createFollowedBlocks } from '../../../service/indexer/heads/followedBlocks.ts'
import { maxEmptyPools, maxExtraPools, maxRead } from '../../../service/indexer/poolLimit.ts'
import { createPoolState, type PoolState } from '../../../service/indexer/poolState.ts'
import { readUpdate } from '../../../service/indexer/readUpdate.ts'
import { sqrtPriceAtTick } from '../../../service/pools/math/sqrtPrice.ts'
import { uniswapV4 } from '../../../service/pools/uniswapV4.ts'
import { type ManagedPool, type PoolKey, poolId } from '../../../service/pools/uniswapV4State.ts'
import { createManagerStage, type Key } from '../../helpers/node/managerStage.ts'
import { startProxy } from '../../helpers/node/rpcProxy.ts'
import { followPools } from '../../helpers/service/followPools.ts'
import { slow } from '../../helpers/slow.ts'

slow('A chain runs.')

let localnet: Localnet
let stage: Awaited<ReturnType<typeof createManagerStage>>
/** Calls of creation code. */
let lenses = 0

beforeAll(async () => {
  localnet = await createLocalnet()
  stage = await createManagerStage(localnet)
  const { WETH, USDC, DAI } = localnet.tokens
  for (const token of [WETH, USDC, DAI]) await stage.approveAll(token)
})
afterAll(() => localnet.stop())

const configOf = (pools?: 'listed'): ChainConfig => ({
  ...localnet.config,
  factories: [
    ...localnet.config.factories.filter(({ kind }) => kind === 'concentrated'),
    {
      ...{ kind: 'uniswap-v4', source: 'UNISWAP_V4', title: 'Uniswap V4', address: stage.manager },
      ...{ feePpm: 0, fromBlock: 0 },
    },
  ],
  ...(pools && { pools }),
})

const { chain, ethCalls, readAll, follow, pools, followWithoutKind } = followPools<ManagedPool, PoolKey>(
  () => localnet,
  'uniswap-v4',
  {
    config: configOf,
    answer({ method, params }) {
      if (method === 'eth_call' && (params as [{ to?: string }])[0].to === undefined) lenses++
      return undefined
    },
  },
)

type Entry = ReturnType<typeof pools>[number]

const at = (pair: string) => managerPoolAddress(managerPools.find(({ pair: its }) => its.join('/') === pair)!)

function keyOf({ listing: { tokens, fixed } }: Entry): Key {
  const [currency0, currency1] = tokens as [Address, Address]
  const { fee, tickSpacing, hooks, isNative } = fixed
  return { currency0: isNative ? zeroAddress : currency0, currency1, fee, tickSpacing, hooks }
}

const entryOf = (ledger: PoolState, pair: string) =>
  pools(ledger).find(({ listing }) => listing.address === at(pair))!

/** Follows a change by the logs, and compares with a complete read. */
async function expectFollowed(ledger: PoolState, changed: readonly Address[]): Promise<number> {
  const before = ethCalls()
  expect((await follow(ledger)).sort()).toEqual([...changed].sort())
  const calls = ethCalls() - before
  expect(pools(ledger)).toEqual(pools(await readAll()))
  return calls
}

describe('following Uniswap v4 pools', () => {
  it('lists the pools of the manager by their ids, the wrapped token in place of the native one', async () => {
    const found = pools(await readAll())
    expect(found.map(({ listing }) => listing.address)).toEqual(managerPools.map(managerPoolAddress).sort())
    for (const { listing, state } of found) {
      expect(poolId(listing).slice(0, 42)).toBe(listing.address)
      expect(uniswapV4.isValid(2, listing.fixed, state)).toBe(true)
      expect(state.ticks.length).toBeGreaterThanOrEqual(6)
    }
    const { WETH, USDC } = localnet.tokens
    const native = found.find(({ listing }) => listing.address === at('ETH/USDC'))!
    expect(native.listing).toMatchObject({ tokens: [WETH, USDC], fixed: { isNative: true, fee: 500 } })
    expect(found.find(({ listing }) => listing.address === at('USDC/DAI'))?.state.protocolFee).toBe(
      (3 << 12) | 2,
    )
  })

  it('finds native pools also where only pools of listed tokens are asked for', async () => {
    expect(pools(await readAll(configOf('listed')))).toEqual(pools(await readAll()))
  })

  it('reads the same by Multicall3 where the RPC refuses the lens', async () => {
    const plain = await startProxy(localnet.rpcUrl, ({ method, params }) => {
      const isCode = method === 'eth_call' && (params as [{ to?: string }])[0].to === undefined
      return isCode ? { error: { code: -32000, message: 'contract creation is not allowed' } } : undefined
    })
    const other = createChain(plain.url, localnet.config.multicall)
    const read = pools(await readAll(configOf(), other))
    await plain.stop()
    expect(read).toEqual(pools(await readAll()))
  })

  it('reads swaps, donations and protocol fees from logs alone', async () => {
    const ledger = await readAll()
    const native = entryOf(ledger, 'ETH/USDC')
    const stable = entryOf(ledger, 'USDC/DAI')
    const [eth, usdc] = [keyOf(native), keyOf(stable)]
    for (const [change, changed] of [
      [() => stage.swap(eth, true, 10n ** 20n), [at('ETH/USDC')]],
      [() => stage.swap(eth, false, 123_456_789_012n), [at('ETH/USDC')]],
      [() => stage.swap(usdc, true, 10n ** 12n), [at('USDC/DAI')]],
      [() => stage.donate(usdc, 5_000n, 6_000n), []],
      [() => stage.setProtocolFee(usdc, (1_000 << 12) | 7), [at('USDC/DAI')]],
      [() => stage.setProtocolFee(eth, 400), [at('ETH/USDC')]],
    ] as const) {
      await change()
      expect(await expectFollowed(ledger, changed)).toBe(0)
    }
    expect(entryOf(ledger, 'ETH/USDC').state.protocolFee).toBe(400)
  })

  it('reads the ticks of changed positions again, also where one ends at zero net liquidity', async () => {
    const ledger = await readAll()
    const key = keyOf(entryOf(ledger, 'WETH/DAI'))
    const { tick } = entryOf(ledger, 'WETH/DAI').state
    const base = Math.floor(tick / 60) * 60
    const [lower, middle, upper] = [base - 600, base - 60, base + 600]
    const liquidity = 10n ** 18n
    for (const [tickLower, tickUpper, liquidityDelta] of [
      [lower, middle, liquidity],
      // Begins where the other ends: an initialized tick without net liquidity.
      [middle, upper, liquidity],
      [lower, middle, -liquidity],
      [middle, upper, -liquidity],
      [upper, upper + 60, liquidity],
    ] as const) {
      await stage.modify(key, { tickLower, tickUpper, liquidityDelta })
      // One request, whatever the number of ticks.
      expect(await expectFollowed(ledger, [at('WETH/DAI')])).toBe(1)
      const indexes = entryOf(ledger, 'WETH/DAI').state.ticks.map(({ index }) => index)
      if (liquidityDelta > 0n) expect(indexes).toEqual(expect.arrayContaining([tickLower, tickUpper]))
    }
  })

  it('follows swaps and positions of one block together', async () => {
    const ledger = await readAll()
    const key = keyOf(entryOf(ledger, 'ETH/USDC'))
    await stage.swap(key, true, 10n ** 19n)
    await stage.modify(key, { tickLower: -887_270, tickUpper: 887_270, liquidityDelta: 10n ** 12n })
    await stage.swap(key, false, 10n ** 10n)
    await expectFollowed(ledger, [at('ETH/USDC')])
  })

  it('adds new pools, but none whose swaps call hooks or whose fee is dynamic', async () => {
    const ledger = await readAll()
    const { USDC, LINK } = localnet.tokens
    await stage.approveAll(LINK)
    const [currency0, currency1] = [USDC, LINK].sort() as [Address, Address]
    const key = { currency0, currency1, fee: 777, tickSpacing: 3, hooks: zeroAddress }
    const price = sqrtPriceAtTick(1)
    await stage.initialize(key, price)
    await stage.modify(key, { tickLower: -6, tickUpper: 6, liquidityDelta: 10n ** 12n })
    // beforeSwap, afterSwap, both with the returned delta of theirs: none is called by initialize.
    for (const flags of ['80', '40', '88', '44', 'c0'] as const) {
      await stage.initialize({ ...key, hooks: `0x00000000000000000000000000000000000000${flags}` }, price)
    }
    const hooks: Address = '0x0000000000000000000000000000000000000020'
    await stage.initialize({ ...key, fee: 0x800000, hooks }, price)
    await stage.initialize({ ...key, fee: 1_000_000 }, price)
    await stage.initialize({ ...key, currency0: zeroAddress, currency1: localnet.config.wrapped }, price)
    const changed = await follow(ledger)
    expect(changed).toHaveLength(1)
    expect(ledger.standing(changed[0]!)).toMatchObject({
      listing: { fixed: { fee: 777, hooks: zeroAddress, isNative: false } },
      state: { sqrtPrice: price, liquidity: 10n ** 12n },
    })
    expect(pools(ledger)).toEqual(pools(await readAll()))
  })

  it('reads new pools from logs: the ticks of their positions alone, and nothing of those without', async () => {
    const tokens = await createTokens()
    const ledger = await readAll()
    const before = { calls: ethCalls(), lenses }
    const [usual, other] = [keyOfPair(tokens, 100, 1), keyOfPair(tokens, 101, 1)]
    await stage.initialize(usual, sqrtPriceAtTick(5))
    await stage.initialize(other, sqrtPriceAtTick(5))
    // They may get liquidity later.
    expect((await follow(ledger)).sort()).toEqual([usual, other].map(addressOf).sort())
    expect(ethCalls()).toBe(before.calls)
    expect(ledger.standing(addressOf(usual))?.state).toEqual({
      ...{ sqrtPrice: sqrtPriceAtTick(5), tick: 5, liquidity: 0n, ticks: [], protocolFee: 0 },
    })
    const third = keyOfPair(tokens, 102, 1)
    await stage.initialize(third, sqrtPriceAtTick(-7))
    await stage.modify(third, { tickLower: -50, tickUpper: 50, liquidityDelta: 10n ** 15n })
    await stage.modify(third, { tickLower: 100, tickUpper: 200, liquidityDelta: 10n ** 9n })
    await stage.modify(third, { tickLower: 100, tickUpper: 200, liquidityDelta: -(10n ** 9n) })
    await stage.setProtocolFee(third, 500)
    await stage.swap(third, true, 10n ** 10n)
    expect(await follow(ledger)).toEqual([addressOf(third)])
    expect(ethCalls()).toBe(before.calls + 1)
    expect(lenses).toBe(before.lenses)
    expect(pools(ledger)).toEqual(pools(await readAll()))
    await stage.modify(usual, { tickLower: -5, tickUpper: 15, liquidityDelta: 10n ** 15n })
    await expectFollowed(ledger, [addressOf(usual)])
  })

  it('keeps the extra pools of a pair that hold most, and all of usual fees and spacings', async () => {
    const tokens = await createTokens()
    const ledger = await readAll()
    const known = new Set(pools(ledger).map(({ listing }) => listing.address))
    const count = maxExtraPools + 3
    const extras = Array.from({ length: count }, (_, i) => keyOfPair(tokens, 7_000 + i, 60))
    // The later, the more, but for the last.
    const depthOf = (i: number) => (i === count - 1 ? 10n ** 6n : BigInt(i + 2) * 10n ** 6n)
    for (const [i, key] of extras.entries()) {
      await stage.initialize(key, sqrtPriceAtTick(0))
      await stage.modify(key, { tickLower: -60, tickUpper: 60, liquidityDelta: depthOf(i) })
      if (i % 11 === 10) await follow(ledger)
    }
    await follow(ledger)
    const fresh = (of: PoolState) =>
      pools(of)
        .map(({ listing }) => listing.address)
        .filter((address) => !known.has(address))
    expect(fresh(ledger)).toEqual(extras.slice(2, -1).map(addressOf).sort())
    const usual = keyOfPair(tokens, 3_000, 60)
    await stage.initialize(usual, sqrtPriceAtTick(0))
    await stage.modify(usual, { tickLower: -60, tickUpper: 60, liquidityDelta: 1_000n })
    expect(await follow(ledger)).toEqual([addressOf(usual)])
    expect(pools(ledger)).toEqual(pools(await readAll()))
  })

  it('finds a pool with liquidity behind any number of empty ones, by blocks as by a full read', async () => {
    const tokens = await createTokens()
    const ledger = await readAll()
    const known = new Set(pools(ledger).map(({ listing }) => listing.address))
    const waiting = keyOfPair(tokens, 6_000, 60)
    await stage.initialize(waiting, sqrtPriceAtTick(0))
    const empty = Array.from({ length: maxRead + 10 }, (_, i) => keyOfPair(tokens, 7_000 + i, 1))
    for (const key of empty.slice(0, maxEmptyPools - 1)) await stage.initialize(key, sqrtPriceAtTick(0))
    await follow(ledger)
    // Created empty, and given liquidity later.
    await stage.modify(waiting, { tickLower: -60, tickUpper: 60, liquidityDelta: 10n ** 6n })
    await follow(ledger)
    for (const key of empty.slice(maxEmptyPools - 1)) await stage.initialize(key, sqrtPriceAtTick(0))
    const late = keyOfPair(tokens, 6_001, 60)
    await stage.initialize(late, sqrtPriceAtTick(0))
    await stage.modify(late, { tickLower: -60, tickUpper: 60, liquidityDelta: 10n ** 6n })
    await follow(ledger)
    const before = lenses
    const whole = await readAll()
    // An empty pool of spacing 1 has thousands of words.
    expect(lenses - before).toBeLessThan(2 * maxRead)
    for (const of of [ledger, whole]) {
      const fresh = pools(of).filter(({ listing }) => !known.has(listing.address))
      const filled = fresh.filter(({ state }) => state.ticks.length > 0)
      expect(filled.map(({ listing }) => listing.address)).toEqual([waiting, late].map(addressOf).sort())
      expect(fresh.length - filled.length).toBe(maxEmptyPools)
    }
  })

  it('takes back a new pool after a reorganization without reading all pools again', async () => {
    const tokens = await createTokens()
    const followed = createFollowedBlocks()
    const ledger = createPoolState()
    const step = async () => {
      const update = (await readUpdate(configOf(), chain(), ledger, { followed }))!
      ledger.apply(update)
      return update.pools.map(({ listing }) => listing.address)
    }
    await step()
    await localnet.client.mine({ blocks: 1 })
    await step()
    const key = keyOfPair(tokens, 500, 10)
    const snapshot = await localnet.client.snapshot()
    await stage.initialize(key, sqrtPriceAtTick(77))
    await stage.modify(key, { tickLower: -60, tickUpper: 90, liquidityDelta: 10n ** 6n })
    expect(await step()).toEqual([addressOf(key)])

    await localnet.client.revert({ id: snapshot })
    await localnet.client.increaseTime({ seconds: 5 })
    await localnet.client.mine({ blocks: 3 })
    expect(await step()).toEqual([addressOf(key)])
    expect(ledger.standing(addressOf(key))?.state).toMatchObject({ sqrtPrice: 0n, liquidity: 0n, ticks: [] })
    await stage.initialize(key, sqrtPriceAtTick(-3))
    await stage.modify(key, { tickLower: -10, tickUpper: 90, liquidityDelta: 10n ** 6n })
    expect(await step()).toEqual([addressOf(key)])
    expect(pools(ledger)).toEqual(pools(await readAll()))
  })

  it('ignores events of other contracts, about its own pools and about others', async () => {
    const ledger = await readAll()
    const before = ledger.whole()!.pools
    const v3 = before.find(({ listing }) => listing.kind === 'concentrated')!.listing.address
    for (const id of [poolId(entryOf(ledger, 'ETH/USDC').listing), `${v3}${'00'.repeat(12)}` as Hex]) {
      await send(localnet.client, { data: forgery(id) })
    }
    const calls = ethCalls()
    await follow(ledger)
    expect(ethCalls()).toBe(calls)
    expect(ledger.whole()!.pools).toEqual(before)
  })

  it('asks for no log of a chain without the manager', async () => {
    const swapped = keyOf(entryOf(await readAll(), 'ETH/USDC'))
    const { ledger, asked } = await followWithoutKind(() => stage.swap(swapped, true, 10n ** 18n))
    expect(pools(ledger)).toEqual([])
    expect(asked.length).toBeGreaterThan(0)
    const [swap] = encodeEventTopics({ abi: uniswapV4.changes, eventName: 'Swap' } as never)
    expect(asked.join()).not.toContain(String(swap).slice(2))
  })
})

async function createTokens(): Promise<[Address, Address]> {
  const made = [await stage.createToken(), await stage.createToken()]
  return made.sort() as [Address, Address]
}

function keyOfPair([currency0, currency1]: [Address, Address], fee: number, tickSpacing: number): Key {
  return { currency0, currency1, fee, tickSpacing, hooks: zeroAddress }
}

function addressOf({ currency0, currency1, ...fixed }: Key): Address {
  const id = poolId({ tokens: [currency0, currency1], fixed: { ...fixed, isNative: false } })
  return id.slice(0, 42) as Address
}

/** Init code that emits a Swap with a price of one, and deploys nothing. */
function forgery(id: Hex): Hex {
  const topics = encodeEventTopics({
    abi: uniswapV4.changes,
    eventName: 'Swap',
    args: { id, sender: zeroAddress },
  } as never)
  const data = encodeAbiParameters(parseAbiParameters('int128, int128, uint160, uint128, int24, uint24'), [
    ...([1n, -1n, 2n ** 96n, 1n, 0, 0] as const),
  ])
  const size = ((data.length - 2) / 2).toString(16).padStart(4, '0')
  const pushed = [...topics].reverse().map((topic) => `7f${String(topic).slice(2)}`)
  // CODECOPY of the data behind 116 bytes of code, topics in reverse, LOG3, STOP.
  return `0x61${size}6074600039${pushed.join('')}61${size}6000a300${data.slice(2)}`
}
