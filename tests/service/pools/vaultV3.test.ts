import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import type { Address, ChainConfig } from '../../../service/config.ts'
import { type Chain, createChain } from '../../../service/indexer/chain.ts'
import { createPoolState } from '../../../service/indexer/poolState.ts'
import type { Pool } from '../../../service/pools/pool.ts'
import { toPool } from '../../../service/pools/registry.ts'
import type { VaultV3State } from '../../../service/pools/vaultV3.ts'
import {
  createVaultV3Stage,
  type V3Sale,
  type V3Staged,
  type VaultV3Stage,
} from '../../helpers/node/vaultV3Stage.ts'
import { directionsOf, followUpdate, readPools, statesOf } from '../../helpers/service/poolStates.ts'
import { slow } from '../../helpers/slow.ts'
import { hookedV3, ordersV3 } from './vaultV3Orders.ts'

slow('A chain runs.')

let localnet: Localnet
let config: ChainConfig
let chain: Chain
let stage: VaultV3Stage
const pools: V3Staged[] = []
const hooked: V3Staged[] = []
const ledger = createPoolState()

beforeAll(async () => {
  localnet = await createLocalnet()
  const factories = [
    { kind: 'weighted-v3' as const, address: localnet.contracts.weightedV3Factory },
    { kind: 'stable-v3' as const, address: localnet.contracts.stableV3Factory },
  ].map((own) => ({ ...own, source: 'V3', title: 'V3', feePpm: 0, fromBlock: 0 }))
  config = { ...localnet.config, factories }
  chain = createChain(localnet.rpcUrl, localnet.config.multicall)
  stage = await createVaultV3Stage(localnet)
  for (const order of ordersV3) pools.push(await stage.open(order))
  for (const order of hookedV3) hooked.push(await stage.open(order))
  await follow()
})
afterAll(() => localnet.stop())

// Later tests change the pools.
describe('pools of Balancer v3', { shuffle: false }, () => {
  it('lists all pools but those whose hooks take part in swaps', () => {
    const found = ledger.whole()!.pools.map(({ listing }) => listing.address)
    const others = localnet.pools.filter(({ title }) => / v3 (weighted|stable) /.test(title))
    const harmless = hooked.filter(({ order }) => order.hookFlag! > 5)
    expect(harmless).toHaveLength(1)
    const expected = [...others, ...pools, ...harmless].map(({ address }) => address)
    expect([...found].sort()).toEqual(expected.sort())
  })

  it('reads decimals, fees, rates, weights and least balances', () => {
    for (const { order, address, tokens } of pools) {
      const { listing, state } = ledger.standing(address)!
      expect(listing.tokens).toEqual(tokens)
      const { fee, isRestless, isClosed, aggregateFee } = state as VaultV3State
      const isRated = order.tokens.some(({ rate }) => rate !== undefined)
      expect({ fee, isRestless, isClosed, aggregateFee }).toEqual({
        ...{ fee: order.fee, isRestless: isRated, aggregateFee: 5n * 10n ** 17n },
        isClosed: order.tokens[0]!.amount === 0,
      })
    }
  })

  it('quotes exactly the amounts of the vault, from one wei to beyond its limits', async () => {
    const { asked, filled } = await compare(1, 80)
    expect(asked).toBeGreaterThan(1_000)
    expect(filled).toBeGreaterThan(asked / 4)
  })

  it('draws curves close to its exact quotes, with a slope that falls and can be inverted', () => {
    let compared = 0
    for (const staged of open()) {
      const pool = poolOf(staged)
      for (const [sell, buy] of directionsOf(staged)) {
        const curve = pool.curve(sell, buy)
        const start = curve.slope(0)
        let last = start
        for (let i = 0; i < 12; i++) {
          const sold = Math.floor(curve.capacity * 0.99 * 0.13 ** i)
          const exact = Number(pool.quote(sell, buy, BigInt(sold)))
          if (exact === 0) continue
          compared++
          const kept = ('weights' in staged.order ? 2e-14 : 1e-18) * Number(balanceOf(staged, buy))
          const estimate = curve.bought(sold)
          const name = describeSale(staged, { pool: pool.address, sell, buy, amount: BigInt(sold) })
          expect(estimate, name).toBeGreaterThanOrEqual(exact * (1 - 1e-12))
          expect(estimate, name).toBeLessThanOrEqual(exact * (1 + 1e-11) + kept + 2 * start + 2)
        }
        for (let sold = curve.capacity * 1e-9; sold < curve.capacity * 0.99; sold *= 3) {
          const slope = curve.slope(sold)
          expect(slope).toBeLessThanOrEqual(last)
          last = slope
          const step = sold * 1e-3
          const rise = (curve.bought(sold + step) - curve.bought(sold - step)) / (2 * step)
          expect(slope / rise).toBeCloseTo(1, 4)
          expect(curve.slope(curve.soldAt(slope)) / slope).toBeCloseTo(1, 9)
        }
        expect([curve.soldAt(start), curve.soldAt(0)]).toEqual([0, curve.capacity])
        expect([curve.slope(curve.capacity), curve.bought(0)]).toEqual([0, 0])
        expect(curve.bought(curve.capacity * 2)).toBe(curve.bought(curve.capacity))
        const most = Number(pool.quote(sell, buy, BigInt(Math.floor(curve.capacity * (1 - 1e-9)))))
        expect(most, describeSale(staged, { pool: pool.address, sell, buy, amount: 0n })).toBeGreaterThan(0)
        expect(most).toBeLessThanOrEqual(curve.most * (1 + 1e-12))
      }
    }
    expect(compared).toBeGreaterThan(300)
  })

  it('executes swaps to the wei, and knows the pool after each', async () => {
    for (const [i, staged] of open().entries()) {
      let pool = poolOf(staged)
      for (const [j, [sell, buy]] of directionsOf(staged).slice(0, 4).entries()) {
        const amount = balanceOf(staged, sell) / BigInt(23 + 7 * j + i)
        const bought = pool.quote(sell, buy, amount)
        expect(bought, describeSale(staged, { pool: pool.address, sell, buy, amount })).toBeGreaterThan(0n)
        await stage.swap({ pool: staged.address, sell, buy, amount }, bought)
        await follow()
        pool = pool.after!(sell, buy, amount)
        const held = staged.tokens.map((token) => balanceOf(staged, token))
        const quotes = (some: Pool) => {
          return directionsOf(staged).map(([from, to]) => some.quote(from, to, held[0]! / 60n + 10n ** 7n))
        }
        expect(quotes(pool)).toEqual(quotes(poolOf(staged)))
      }
    }
    await expectFollowed()
    await compare(2, 20)
  })

  it('follows liquidity, donations, fees and the recovery mode', async () => {
    for (const [i, staged] of open().entries()) {
      const part = (token: Address, j: number) => balanceOf(staged, token) / BigInt(30 + 11 * j)
      await stage.add(staged, staged.tokens.map(part))
      await follow()
      await stage.add(
        staged,
        staged.tokens.map((token, j) => (j === 0 ? part(token, j) : 0n)),
        3,
      )
      await stage.remove(staged, 9n)
      await stage.setFee(staged, 10n ** 15n * BigInt(i + 1))
      await stage.setAggregateFee(staged, 10n ** 16n * BigInt(i))
      if (i % 3 === 0) await stage.setRecovery(staged, true)
    }
    await follow()
    await expectFollowed()
    await compare(3, 20)
    for (const [i, staged] of open().entries()) {
      const [sell, buy] = staged.tokens as [Address, Address]
      const amount = balanceOf(staged, sell) / 40n
      await stage.swap({ pool: staged.address, sell, buy, amount }, poolOf(staged).quote(sell, buy, amount))
      if (i % 3 === 0) await stage.setRecovery(staged, false)
    }
    await follow()
    await expectFollowed()
    await compare(4, 20)
  })

  it('reads rates at every block, after fees on their yield', async () => {
    const rated = open().filter(({ providers }) => providers.some((provider) => provider !== undefined))
    expect(rated.length).toBeGreaterThanOrEqual(3)
    for (const staged of rated) await stage.setYieldFee(staged, 10n ** 17n)
    for (const [seed, percent] of [103n, 101n, 108n].entries()) {
      for (const { order, providers } of rated) {
        for (const provider of providers) {
          const rate = order.tokens.find((token) => token.rate)!.rate!
          if (provider) await stage.setRate(provider, (rate * percent) / 100n + 1n)
        }
      }
      await localnet.client.mine({ blocks: 1 })
      const before = statesOf(ledger)
      await follow()
      const changed = pools.filter(
        ({ address }) => !isDeepStrictEqual(statesOf(ledger)[address], before[address]),
      )
      expect(changed).toEqual(rated)
      await expectFollowed()
      await compare(5 + seed, 20)
      for (const staged of rated) {
        const [sell, buy] = staged.tokens as [Address, Address]
        const amount = balanceOf(staged, sell) / 100n
        await stage.swap({ pool: staged.address, sell, buy, amount }, poolOf(staged).quote(sell, buy, amount))
      }
    }
  })

  it('quotes nothing while a rate is missing, and reads it again', async () => {
    const staged = open().find(({ providers }) => providers.some(Boolean))!
    const provider = staged.providers.find(Boolean)!
    const code = await localnet.client.getCode({ address: provider })
    const [sell, buy] = staged.tokens as [Address, Address]
    const quoted = async () => {
      await localnet.client.mine({ blocks: 1 })
      await follow()
      return poolOf(staged).quote(sell, buy, balanceOf(staged, sell) / 100n + 10n ** 9n)
    }
    await localnet.client.setCode({ address: provider, bytecode: '0xfe' })
    expect(await quoted()).toBe(0n)
    expect(poolOf(staged).curve(sell, buy).bought(1e9)).toBe(0)
    await localnet.client.setCode({ address: provider, bytecode: code! })
    expect(await quoted()).toBeGreaterThan(0n)
    await compare(8, 10)
  })

  it('keeps all other pools while rate providers burn gas', async () => {
    const rated = open().filter(({ providers }) => providers.some(Boolean))
    const kept = rated.pop()!
    const providers = rated.flatMap(({ providers }) => providers.flatMap((one) => one ?? []))
    expect(providers.length).toBeGreaterThan(1)
    const codes = await Promise.all(providers.map((address) => localnet.client.getCode({ address })))
    const isClosed = (staged: V3Staged) => (ledger.standing(staged.address)!.state as VaultV3State).isClosed
    const put = (code: (i: number) => Hex) =>
      Promise.all(providers.map((address, i) => localnet.client.setCode({ address, bytecode: code(i) })))
    await put(() => '0x5b600056')
    for (let i = 0; i < 3; i++) {
      await localnet.client.mine({ blocks: 1 })
      await follow()
      expect(open().map(isClosed)).toEqual(open().map((staged) => rated.includes(staged)))
      expect(isClosed(kept)).toBe(false)
    }
    await put((i) => codes[i]!)
    await localnet.client.mine({ blocks: 8 })
    await follow()
    expect(open().some(isClosed)).toBe(false)
    await expectFollowed()
  })

  it('reads pools at every block while their amplification changes', async () => {
    const moving = open().filter(({ order }) => 'amplification' in order && order.amplification > 1)
    for (const staged of moving) {
      const { amplification } = staged.order as { amplification: number }
      await stage.startRamp(staged, BigInt(Math.ceil(amplification * 0.7)), 100_000n)
    }
    await follow()
    await localnet.client.increaseTime({ seconds: 30_000 })
    await localnet.client.mine({ blocks: 1 })
    const before = statesOf(ledger)
    await follow()
    const changed = moving.filter(
      ({ address }) => !isDeepStrictEqual(statesOf(ledger)[address], before[address]),
    )
    expect(changed).toEqual(moving)
    await expectFollowed()
    await compare(9, 20)
    await stage.stopRamp(moving[0]!)
    await localnet.client.increaseTime({ seconds: 100_000 })
    await localnet.client.mine({ blocks: 1 })
    await follow()
    await expectFollowed()
    await compare(10, 20)
  })

  it('quotes nothing while a pool or the vault is paused, and again afterwards', async () => {
    const [one] = open() as [V3Staged]
    const quotes = () =>
      open().map((staged) => {
        const [sell, buy] = staged.tokens as [Address, Address]
        return poolOf(staged).quote(sell, buy, balanceOf(staged, sell) / 100n)
      })
    const before = quotes()
    expect(before).not.toContain(0n)
    await stage.setPoolPaused(one, true)
    await follow()
    expect(quotes()).toEqual(before.map((quote, i) => (i === 0 ? 0n : quote)))
    await compare(11, 5)
    await stage.setPoolPaused(one, false)
    await follow()
    expect(quotes()).toEqual(before)
    await stage.setVaultPaused(true)
    await follow()
    expect(quotes()).toEqual(before.map(() => 0n))
    await compare(12, 5)
    await stage.setVaultPaused(false)
    await follow()
    expect(quotes()).toEqual(before)
    await expectFollowed()
  })

  it('opens a pool when it is initialized', async () => {
    const { tokens, ...order } = ordersV3[0]!
    const staged = await stage.open({
      ...order,
      tokens: tokens.map((token) => ({ ...token, amount: 0 })),
    } as never)
    await follow()
    const { state } = ledger.standing(staged.address)!
    expect(state).toMatchObject({ isClosed: true, isRestless: false, balances: [0n, 0n] })
    await stage.initialize(staged, [10n ** 12n, 10n ** 12n])
    await follow()
    expect(ledger.standing(staged.address)!.state).toMatchObject({ isClosed: false })
    await expectFollowed()
  })
})

const follow = () => followUpdate(ledger, config, chain)

/** States that follow from logs equal those of a fresh read. */
async function expectFollowed(): Promise<void> {
  expect(statesOf(ledger)).toEqual(statesOf(await readPools(config, chain)))
}

/** In tiny pools most trades are below the least one. */
const open = () => pools.filter(({ order }) => order.tokens.every(({ amount }) => amount > 1e-6))

function poolOf({ address }: V3Staged): Pool {
  return toPool(ledger.standing(address)!)
}

function balanceOf({ address, tokens }: V3Staged, token: Address): bigint {
  return (ledger.standing(address)!.state as VaultV3State).balances[tokens.indexOf(token)]!
}

function sales(seed: number, perPool: number): (V3Sale & { staged: V3Staged })[] {
  return pools.flatMap((staged, i) => {
    const ways = directionsOf(staged)
    const sale = fc
      .tuple(fc.constantFrom(...ways), fc.integer({ min: 1, max: 60 }), fc.bigInt(1n, 10n ** 18n))
      .map(([[sell, buy], halvings, part]) => {
        const most = halvings === 60 ? 2n ** 130n : (16n * balanceOf(staged, sell)) >> BigInt(halvings)
        return { sell, buy, amount: 1n + (most * part) / 10n ** 18n }
      })
    const { fee } = ledger.standing(staged.address)!.state as VaultV3State
    const limits = ways.slice(0, 4).flatMap(([sell, buy]) => {
      const held = balanceOf(staged, sell)
      const third = (held * 3n * 10n ** 17n) / (10n ** 18n - fee)
      const full = 2n ** 128n - held
      return [1n, 10n ** 6n - 1n, 10n ** 6n, 10n ** 6n + 1n, third - 1n, third, third + 1n, third + 2n]
        .concat([full / 2n, full - 1n, full, held * 9_000n, held * 11_000n])
        .filter((amount) => amount > 0n)
        .map((amount) => ({ sell, buy, amount }))
    })
    const random = fc.sample(sale, { numRuns: perPool, seed: seed * 1_000 + i })
    return [...limits, ...random].map((chosen) => ({ staged, pool: staged.address, ...chosen }))
  })
}

async function compare(seed: number, perPool: number): Promise<{ asked: number; filled: number }> {
  const asked = sales(seed, perPool)
  const answers = await stage.quote(asked, ledger.block()!.number)
  const known = new Map(pools.map((staged) => [staged, poolOf(staged)]))
  for (const [i, { staged, ...sale }] of asked.entries()) {
    const quoted = known.get(staged)!.quote(sale.sell, sale.buy, sale.amount)
    expect(quoted, describeSale(staged, sale)).toBe(answers[i] ?? 0n)
  }
  return { asked: asked.length, filled: answers.filter((answer) => answer).length }
}

function describeSale({ order, tokens }: V3Staged, { sell, buy, amount }: V3Sale): string {
  const [from, to] = [tokens.indexOf(sell), tokens.indexOf(buy)]
  const shape = 'weights' in order ? 'a weighted' : 'a stable'
  return `${amount} of token ${from} for ${to} of ${shape} pool with ${order.tokens.length} tokens`
}
