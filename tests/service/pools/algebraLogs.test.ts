import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import { algebraPoolAddress, algebraPools } from '../../../dev/pools/algebraPools.ts'
import type { Address } from '../../../service/config.ts'
import { createPoolFinder } from '../../../service/indexer/onDemand/poolFinder.ts'
import { algebra } from '../../../service/pools/algebra.ts'
import type { AlgebraState } from '../../../service/pools/algebraState.ts'
import { type AlgebraPool, createAlgebraStage } from '../../helpers/node/algebraStage.ts'
import { keepChain } from '../../helpers/node/revertChain.ts'
import { followPools } from '../../helpers/service/followPools.ts'
import { slow } from '../../helpers/slow.ts'

slow('A chain runs.')

let localnet: Localnet
let stage: Awaited<ReturnType<typeof createAlgebraStage>>
beforeAll(async () => {
  localnet = await createLocalnet()
  stage = await createAlgebraStage(localnet)
})
afterAll(() => localnet.stop())
keepChain(() => localnet)

const { chain, ethCalls, readAll, follow, pools, stateOf, expectFollowed, followWithoutKind } =
  followPools<AlgebraState>(() => localnet, 'algebra')

/** The first pool of the localnet, in which the deployer has the positions. */
function seeded(): AlgebraPool {
  const [one, other] = algebraPools[0]!.pair.map((symbol) => localnet.tokens[symbol]) as [Address, Address]
  const tokens = one < other ? ([one, other] as const) : ([other, one] as const)
  return { address: algebraPoolAddress(algebraPools[0]!), tokens }
}

describe('following Algebra pools', () => {
  it('lists the pools of the factory with price, ticks and fee', async () => {
    const found = pools(await readAll())
    expect(found.map(({ listing }) => listing.address).sort()).toEqual(
      algebraPools.map(algebraPoolAddress).sort(),
    )
    for (const [i, plan] of algebraPools.entries()) {
      const { state } = found.find(({ listing }) => listing.address === algebraPoolAddress(plan))!
      const { fee, config, ticks, liquidity } = state as AlgebraState
      expect({ fee, config }, String(i)).toEqual({ fee: plan.fee, config: 0 })
      expect(ticks.length).toBeGreaterThanOrEqual(2 * plan.ranges.length - 1)
      expect(liquidity).toBeGreaterThan(0n)
    }
  })

  it('reads swaps, across ticks and to the end of the liquidity, and fees from logs alone', async () => {
    const ledger = await readAll()
    const pool = seeded()
    for (const change of [
      () => stage.swap(pool, { sell: 0, amount: 10n ** 9n }),
      () => stage.swap(pool, { sell: 1, amount: 10n ** 9n }),
      () => stage.swap(pool, { sell: 0, amount: 2n * 10n ** 12n }),
      () => stage.swap(pool, { sell: 1, amount: 3n * 10n ** 12n }),
      () => stage.manage(pool.address, 'setFee', 777),
      async () => {
        await stage.swap(pool, { sell: 1, amount: 5n })
        await stage.manage(pool.address, 'setFee', 42)
        await stage.swap(pool, { sell: 0, amount: 5n })
      },
    ]) {
      await change()
      await readAll()
      const before = ethCalls()
      expect(await follow(ledger)).toEqual([pool.address])
      expect(ethCalls()).toBe(before)
      await expectFollowed(ledger)
    }
    expect(stateOf(ledger, pool.address).fee).toBe(42)
  })

  it('reads positions that are opened, enlarged, reduced and closed', async () => {
    const ledger = await readAll()
    const pool = seeded()
    const { tick } = stateOf(ledger, pool.address)
    const near = { bottom: Math.floor(tick / 60) * 60 - 600, top: Math.floor(tick / 60) * 60 + 120 }
    const far = { bottom: -887_220, top: near.top + 60_000 }
    for (const change of [
      () => stage.mint(pool, { ...near, liquidity: 10n ** 15n }),
      () => stage.mint(pool, { ...near, liquidity: 5n }),
      () => stage.mint(pool, { ...far, liquidity: 10n ** 12n }),
      async () => {
        await stage.swap(pool, { sell: 1, amount: 10n ** 12n })
        await stage.burn(pool, { ...near, liquidity: 10n ** 14n })
      },
      () => stage.burn(pool, { ...far, liquidity: 10n ** 12n }),
      () => stage.collect(pool, { ...far, liquidity: 0n }),
      () => stage.burn(pool, { ...near, liquidity: 9n * 10n ** 14n + 5n }),
      () => stage.manage(pool.address, 'setTickSpacing', 1),
      () => stage.mint(pool, { bottom: near.bottom + 7, top: near.top + 1, liquidity: 10n ** 15n }),
      () => stage.mint(pool, { bottom: -887_272, top: 887_272, liquidity: 10n ** 15n }),
      () => stage.manage(pool.address, 'setCommunityVault', localnet.tokens.WETH),
      () => stage.manage(pool.address, 'setCommunityFee', 100),
      () => stage.swap(pool, { sell: 0, amount: 10n ** 12n }),
    ]) {
      await change()
      await follow(ledger)
      await expectFollowed(ledger)
    }
  })

  it('adds pools that the factory creates, but not custom ones, and their prices', async () => {
    const ledger = await readAll()
    const tokens = await stage.createTokens()
    for (const create of [() => stage.createPool(false, tokens), () => stage.createPool(true)]) {
      const pool = await create()
      expect(await follow(ledger)).toContain(pool.address)
      expect(stateOf(ledger, pool.address)).toMatchObject({ sqrtPrice: 0n, ticks: [] })
      await stage.initialize(pool, 2n ** 96n)
      await stage.mint(pool, { bottom: -1_200, top: 1_200, liquidity: 10n ** 20n })
      await follow(ledger)
      expect(stateOf(ledger, pool.address)).toMatchObject({ sqrtPrice: 2n ** 96n, liquidity: 10n ** 20n })
      await expectFollowed(ledger)
    }
    const custom = await stage.createCustomPool(tokens)
    expect(await follow(ledger)).not.toContain(custom.address)
    await expectFollowed(ledger)
  })

  it('keeps all other pools, by one call more, while plugins burn gas', async () => {
    const burner = '0x00000000000000000000000000000000000b0b0b'
    await localnet.client.setCode({ address: burner, bytecode: '0x5b600056' })
    const burning: AlgebraPool[] = []
    for (let i = 0; i < 3; i++) {
      const pool = await stage.createPool()
      await stage.initialize(pool, 2n ** 96n)
      await stage.mint(pool, { bottom: -600, top: 600, liquidity: 10n ** 20n })
      await stage.manage(pool.address, 'setPlugin', burner)
      await stage.manage(pool.address, 'setPluginConfig', 129)
      burning.push(pool)
    }
    const honest = await stage.createPool(true)
    await stage.initialize(honest, 2n ** 96n)
    const ledger = await readAll()
    for (const pool of burning) expect(stateOf(ledger, pool.address).fee).toBe(1_000_000)
    expect(stateOf(ledger, honest.address).fee).toBeLessThan(1_000_000)
    for (let i = 0; i < 4; i++) {
      await localnet.client.mine({ blocks: 1 })
      const before = ethCalls()
      await follow(ledger)
      expect(ethCalls() - before).toBeLessThanOrEqual(3)
      expect(stateOf(ledger, honest.address).fee).toBeLessThan(1_000_000)
    }
    for (const pool of [...burning, honest]) await stage.manage(pool.address, 'setPluginConfig', 0)
    await follow(ledger)
    for (const pool of burning) expect(stateOf(ledger, pool.address).fee).toBeLessThan(1_000_000)
  })

  it('reads the fee of a plugin again at every block, and the pool when the plugin changes', async () => {
    const pool = await stage.createPool(true)
    await stage.initialize(pool, 2n ** 96n)
    await stage.mint(pool, { bottom: -60_000, top: 60_000, liquidity: 10n ** 24n })
    await stage.swap(pool, { sell: 0, amount: 10n ** 21n })
    const ledger = await readAll()
    const plugin = stateOf(ledger, pool.address).config
    expect(plugin & 129).toBe(129)
    const fees = new Set<number>()
    for (let i = 0; i < 5; i++) {
      await localnet.client.increaseTime({ seconds: 7_200 })
      if (i % 2 === 0) await stage.swap(pool, { sell: 1, amount: 10n ** 21n * BigInt(i + 1) })
      else await localnet.client.mine({ blocks: 1 })
      // The plugin may keep its fee for a block.
      await follow(ledger)
      fees.add(stateOf(ledger, pool.address).fee)
      await expectFollowed(ledger)
    }
    expect(fees.size).toBeGreaterThan(2)
    // Without the hook before swaps the fee is the pool's, which the last swap has set.
    for (const config of [128, 1, 129, 0]) {
      await stage.manage(pool.address, 'setPluginConfig', config)
      expect(await follow(ledger)).toEqual([pool.address])
      expect(stateOf(ledger, pool.address).config).toBe(config)
      await expectFollowed(ledger)
    }
    await localnet.client.mine({ blocks: 1 })
    expect(await follow(ledger)).toEqual([])
    await stage.manage(pool.address, 'setFee', 1_234)
    await follow(ledger)
    expect(stateOf(ledger, pool.address).fee).toBe(1_234)
    await expectFollowed(ledger)
  })

  it('reads the same ticks by the pool lens and by the tree of ticks, wherever they are', async () => {
    const pool = await stage.createPool()
    await stage.initialize(pool, 2n ** 96n)
    await stage.manage(pool.address, 'setTickSpacing', 1)
    const bounds = [-887_272, -887_271, -887_041, -821_761, -65_537, -257, -256, -1, 0, 1, 255, 256, 70_000]
    for (const [i, bottom] of [...bounds, ...Array.from({ length: 40 }, (_, i) => 7 * i)].entries()) {
      const top = [887_272, 887_271, 821_760, bottom + 1, bottom + 257][i % 5]!
      await stage.mint(pool, { bottom, top, liquidity: 10n ** 12n })
    }
    const { address, tokens } = pool
    const listing = { kind: 'algebra', source: 'ALGEBRA', address, tokens, fixed: {} } as const
    const others = pools(await readAll()).map((one) => one.listing as typeof listing)
    const fresh = [listing, ...others].map((one) => ({ listing: one, before: undefined, logs: [] }))
    const { number } = await chain().header()
    const before = ethCalls()
    const read = await algebra.read(chain(), number, fresh)
    // The pool lens, price and liquidity by Multicall3, and isolated reads of the fees.
    expect(ethCalls() - before).toBe(3)
    expect(read[0]!.ticks.length).toBeGreaterThan(60)
    const withoutLens = {
      ...chain(),
      readPools: async (asked: readonly unknown[]) => asked.map(() => undefined),
    }
    expect(read).toEqual(await algebra.read(withoutLens, number, fresh))
  })

  it('finds the pool of a pair that the factory is asked for', async () => {
    const { address, tokens } = seeded()
    const find = createPoolFinder(localnet.config, chain())
    const { number } = await chain().header()
    const { pools: found } = await find([tokens], [], number)
    const own = found.filter(({ kind }) => kind === 'algebra')
    expect(own).toEqual([(await readAll()).standing(address)!.listing])
  })

  it('asks for no log of a chain without such a factory', async () => {
    const change = () => stage.swap(seeded(), { sell: 0, amount: 10n ** 9n })
    const { ledger, asked } = await followWithoutKind(change)
    expect(pools(ledger)).toEqual([])
    expect(asked.length).toBeGreaterThan(0)
    // Fee(uint16)
    expect(asked.join()).not.toContain('598b9f043c813aa6be3426ca60d1c65d17256312890be5118dab55b0775ebe2a')
  })
})
