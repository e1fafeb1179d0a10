import { encodeAbiParameters, type Hex, keccak256, numberToHex, pad, parseAbiParameters } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readArtifact } from '../../../../contracts/artifact.ts'
import { compileContracts } from '../../../../contracts/compile.ts'
import { createLocalnet, type Localnet } from '../../../../dev/localnet.ts'
import type { Address } from '../../../../service/config.ts'
import { type Chain, createChain } from '../../../../service/indexer/chain.ts'
import type { LensRequest } from '../../../../service/indexer/lens/poolLens.ts'
import { poolLensCode } from '../../../../service/indexer/lens/poolLensCode.ts'
import { createPoolState } from '../../../../service/indexer/poolState.ts'
import { pausedReads } from '../../../../service/indexer/readPause.ts'
import { readUpdate } from '../../../../service/indexer/readUpdate.ts'
import { type Concentrated, concentrated, type FeeTier } from '../../../../service/pools/concentrated.ts'
import type { PoolSnapshot } from '../../../../service/pools/poolType.ts'
import { poolTypes } from '../../../../service/pools/registry.ts'
import { type NodeProxy, notFound, type Question, startProxy } from '../../../helpers/node/rpcProxy.ts'
import { openV3Pool } from '../../../helpers/node/v3Pools.ts'
import { slow } from '../../../helpers/slow.ts'

slow('A chain runs, and thousands of ticks are written to it.')

let localnet: Localnet
let pools: PoolSnapshot[]
const proxies: NodeProxy[] = []

beforeAll(async () => {
  localnet = await createLocalnet()
  const { LINK, BROOK } = localnet.tokens
  await openV3Pool(localnet, [LINK, BROOK], 10n ** 20n)
  const chain = createChain(localnet.rpcUrl, localnet.config.multicall)
  pools = [...(await readUpdate(localnet.config, chain, createPoolState()))!.pools]
})
afterAll(async () => {
  for (const proxy of proxies) await proxy.stop()
  await localnet.stop()
})

/** Without the lens, as before it existed. */
const withoutLens = (chain: Chain): Chain => ({
  ...chain,
  readPools: async (asked) => asked.map(() => undefined),
})

/** `answer` may change or answer a request; `lens` counts calls of creation code. */
async function startChain(answer: (call: Question) => object | undefined = () => undefined) {
  const asked = { lens: 0, others: 0 }
  const proxy = await startProxy(localnet.rpcUrl, (question) => {
    const isLens = (question.params[0] as { data?: Hex })?.data?.startsWith(poolLensCode) ?? false
    asked[isLens ? 'lens' : 'others']++
    return isLens ? answer(question) : undefined
  })
  proxies.push(proxy)
  return { chain: createChain(proxy.url, localnet.config.multicall), asked }
}

const fresh = <Fixed>({ listing }: PoolSnapshot<Fixed>) => ({ listing, before: undefined, logs: [] })
const ofKind = (kind: string) => pools.filter(({ listing }) => listing.kind === kind)

/** Pools with few bitmap words. */
const wide = () =>
  (ofKind('concentrated') as PoolSnapshot<FeeTier>[]).filter(({ listing }) => listing.fixed.tickSpacing >= 60)

describe('createPoolLens', () => {
  it('runs the code of the compiled PoolLens.sol', async () => {
    await compileContracts()
    expect(poolLensCode).toBe(readArtifact('PoolLens').bytecode)
  })

  it.each(['constant-product', 'concentrated'] as const)(
    'reads the same state of every %s pool as calls of its functions, in at most two requests',
    async (kind) => {
      const { chain, asked } = await startChain()
      const head = await chain.header()
      const requests = ofKind(kind).map(fresh)
      expect(requests.length).toBeGreaterThan(4)
      const before = { ...asked }
      const read = await poolTypes[kind].read(chain, head, requests)
      // The localnet grants 30 million gas, which is less than two pools of spacing 1 take.
      expect(asked.lens - before.lens).toBeLessThan(3)
      expect(asked.others).toBe(before.others)
      expect(read).toEqual(await poolTypes[kind].read(withoutLens(chain), head, requests))
    },
  )

  it('reads a pool of spacing 1 with 3,000 ticks in 6,932 words, over several pages', async () => {
    const pool = await writeTicks(3_000)
    const { chain, asked } = await startChain()
    const head = await chain.header()
    const requests = [pool, ...ofKind('concentrated')].map(fresh)
    const read = await concentrated.read(chain, head, requests as never)
    expect(read[0]!.ticks).toHaveLength(3_000)
    expect(asked.lens).toBeGreaterThan(3)
    expect(asked.lens).toBeLessThan(12)
    expect(read).toEqual(await concentrated.read(withoutLens(chain), head, requests as never))
  })

  it('reads less per request when the RPC grants less gas', async () => {
    const capped = await startChain(({ params }) => {
      Object.assign(params[0] as object, { gas: numberToHex(9_000_000) })
      return undefined
    })
    const head = await capped.chain.header()
    const requests = ofKind('concentrated').map(fresh)
    const read = await concentrated.read(capped.chain, head, requests as never)
    expect(capped.asked.lens).toBeGreaterThan(2)
    expect(read).toEqual(await concentrated.read(withoutLens(capped.chain), head, requests as never))
  })

  it('asks for half as much, once, when requests are refused together', async () => {
    const budgets: bigint[] = []
    const { chain } = await startChain(({ params }) => {
      const { data } = params[0] as { data: Hex }
      // The third argument.
      const budget = BigInt(`0x${data.slice(poolLensCode.length + 128, poolLensCode.length + 192)}`)
      budgets.push(budget)
      return budget > 20_000_000n ? { error: { code: -32000, message: 'gas limit is too high' } } : undefined
    })
    const { address } = ofKind('concentrated')[0]!.listing
    // Each bitmap takes half of the first budget.
    const requests = Array.from({ length: 5 }, () => ({ address, tickSpacing: 1 }))
    const read = await chain.readPools(requests, await chain.header())
    expect(read.every((pool) => pool !== undefined)).toBe(true)
    expect(new Set(read.map((pool) => JSON.stringify(pool, (_, value) => String(value)))).size).toBe(1)
    expect(budgets.filter((budget) => budget === 40_000_000n)).toHaveLength(5)
    expect(new Set(budgets)).toEqual(new Set([40_000_000n, 20_000_000n]))
  })

  it.each([
    ['refuses creation code', notFound],
    ['answers nonsense', { result: '0x0102' }],
    ['answers nothing', { result: '0x' }],
  ])('calls the pools one by one, and seldom tries again, when the RPC %s', async (_what, answer) => {
    const { chain, asked } = await startChain(() => answer)
    const head = await chain.header()
    const requests = wide().map(fresh)
    const read = await concentrated.read(chain, head, requests as never)
    expect(read).toEqual(await concentrated.read(withoutLens(chain), head, requests as never))
    const tried = asked.lens
    expect(tried).toBeLessThan(6)
    await concentrated.read(chain, head, requests as never)
    expect(asked.lens).toBe(tried)
    const [{ listing }] = requests as [(typeof requests)[0]]
    const request = { address: listing.address, tickSpacing: listing.fixed.tickSpacing }
    for (let i = 1; i < pausedReads; i++) await chain.readPools([request], head)
    expect(asked.lens).toBe(tried)
    expect(await chain.readPools([request], head)).toEqual([undefined])
    expect(asked.lens).toBe(2 * tried)
  })

  it('asks as much as at first again, some reads after odd errors', async () => {
    let isOdd = false
    const { chain, asked } = await startChain(() => (isOdd ? notFound : undefined))
    const head = await chain.header()
    const [pool] = ofKind('constant-product')
    const request: LensRequest[] = [{ address: pool!.listing.address }]
    isOdd = true
    expect(await chain.readPools(request, head)).toEqual([undefined])
    isOdd = false
    const tried = asked.lens
    // None of nothing counts.
    for (let i = 0; i < 100; i++) await chain.readPools([], head)
    for (let i = 0; i < pausedReads; i++) expect(await chain.readPools(request, head)).toEqual([undefined])
    expect(asked.lens).toBe(tried)
    expect(await chain.readPools(request, head)).toEqual([pool!.state])
    expect(asked.lens).toBe(tried + 1)
  })

  it('throws, and tries the lens again later, when the RPC limits the rate', async () => {
    let isLimited = true
    const limit = { error: { code: -32005, message: 'rate limited' } }
    const { chain, asked } = await startChain(() => (isLimited ? limit : undefined))
    const head = await chain.header()
    const [pool] = ofKind('constant-product')
    const request: LensRequest[] = [{ address: pool!.listing.address }]
    await expect(chain.readPools(request, head)).rejects.toThrow()
    isLimited = false
    const before = asked.lens
    expect(await chain.readPools(request, head)).toEqual([pool!.state])
    expect(asked.lens).toBe(before + 1)
  })

  it('leaves out a contract that is no pool, reverts or takes all gas, and reads the pools beside it', async () => {
    const { chain } = await startChain()
    const odd = ['0x', '0x5f5ffd', '0xfe', '0x5b5f56', '0x60205ff3'] as const
    const addresses = odd.map((_, i): Address => `0x${'c0'.repeat(19)}c${i}`)
    for (const [i, bytecode] of odd.entries()) {
      await localnet.client.setCode({ address: addresses[i]!, bytecode })
    }
    const [pool] = ofKind('concentrated') as PoolSnapshot<FeeTier, Concentrated>[]
    const { address, fixed } = pool!.listing
    const oddities = addresses.flatMap((other) => [{ address: other }, { address: other, tickSpacing: 60 }])
    const found = await chain.readPools(
      [...oddities, { address, tickSpacing: fixed.tickSpacing }],
      await chain.header(),
    )
    expect(found.slice(0, -1)).toEqual(oddities.map(() => undefined))
    expect(found.at(-1)).toMatchObject({ sqrtPrice: pool!.state.sqrtPrice, liquidity: pool!.state.liquidity })
  })
})

/** UniswapV3Pool's storage: 5 is `ticks`, 6 `tickBitmap`. */
const ticksSlot = 5n
const bitmapSlot = 6n

/** Writes ticks into the storage of a pool of spacing 1, spread over all words. */
async function writeTicks(count: number): Promise<PoolSnapshot> {
  const pool = (ofKind('concentrated') as PoolSnapshot<FeeTier, Concentrated>[]).find(
    ({ listing }) => listing.fixed.tickSpacing === 1,
  )
  if (pool === undefined) throw new Error('The localnet has no pool of spacing 1.')
  const { address } = pool.listing
  const known = new Set(pool.state.ticks.map(({ index }) => index))
  const taken = new Set<number>()
  const indexes: number[] = []
  // Clusters, single ticks and both ends of the range.
  for (let i = 0; known.size + indexes.length < count; i++) {
    const index = i % 5 === 0 ? -887_272 + 591 * i : 100_000 + i
    if (index <= 887_272 && !known.has(index) && !taken.has(index)) indexes.push(index)
    taken.add(index)
  }
  const bitmap = new Map<number, bigint>()
  for (const index of [...known, ...indexes]) {
    bitmap.set(index >> 8, (bitmap.get(index >> 8) ?? 0n) | (1n << BigInt(index & 255)))
  }
  const store = (slot: bigint, key: number, value: bigint) =>
    localnet.client.setStorageAt({ address, index: slotOf(slot, key), value: pad(numberToHex(value)) })
  const words = [...bitmap].map(
    ([word, bits]) =>
      () =>
        store(bitmapSlot, word, bits),
  )
  // Net liquidity of both signs, above a gross of 10^9.
  const ticks = indexes.map((index, i) => {
    const net = BigInt.asUintN(128, (i % 2 === 0 ? 1n : -1n) * BigInt(1_000 + i))
    return () => store(ticksSlot, index, (net << 128n) | 1_000_000_000n)
  })
  const writes = [...words, ...ticks]
  for (let i = 0; i < writes.length; i += 50)
    await Promise.all(writes.slice(i, i + 50).map((write) => write()))
  await localnet.client.mine({ blocks: 1 })
  return pool
}

function slotOf(slot: bigint, key: number): Hex {
  return keccak256(encodeAbiParameters(parseAbiParameters('int256, uint256'), [BigInt(key), slot]))
}
