import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import type { Address } from '../../../service/config.ts'
import { type Chain, createChain } from '../../../service/indexer/chain.ts'
import { createPoolState } from '../../../service/indexer/poolState.ts'
import type { VaultBalances } from '../../../service/pools/balancerVault.ts'
import type { Pool } from '../../../service/pools/pool.ts'
import type { Curve } from '../../../service/pools/priceCurve.ts'
import { toPool } from '../../../service/pools/registry.ts'
import { directionsOf, followUpdate, readPools, statesOf } from '../../helpers/service/poolStates.ts'
import { empties, orders, percent } from './vaultOrders.ts'
import { createVaultStage, type Sale, type Staged, type VaultStage } from './vaultStage.ts'

let localnet: Localnet
let chain: Chain
let stage: VaultStage
const pools: Staged[] = []
const emptyPools: Staged[] = []
const ledger = createPoolState()

beforeAll(async () => {
  localnet = await createLocalnet()
  chain = createChain(localnet.rpcUrl, localnet.config.multicall)
  stage = await createVaultStage(localnet)
  for (const order of orders) pools.push(await stage.open(order))
  for (const order of empties) emptyPools.push(await stage.open(order))
  await follow()
})
afterAll(() => localnet.stop())

// Later tests change the pools.
describe('Balancer vault pools', { shuffle: false }, () => {
  it('finds every pool with its tokens but not its shares', () => {
    const found = ledger.whole()!.pools.map(({ listing }) => [listing.address, [...listing.tokens]])
    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries([...pools, ...emptyPools].map(({ address, tokens }) => [address, tokens])),
    )
  })

  it('quotes zero while a pool is empty', async () => {
    for (const staged of emptyPools) {
      const pool = poolOf(staged)
      for (const [sell, buy] of directionsOf(staged)) {
        expect(pool.quote(sell, buy, 10n ** 6n)).toBe(0n)
        const { poolId } = staged
        const sale = { poolId, sell, buy, amount: 10n ** 6n }
        expect((await stage.ask([sale], ledger.block()!.number))[0] ?? 0n).toBe(0n)
        const curve = pool.curve(sell, buy)
        expect([curve.capacity, curve.most, curve.bought(1e6), curve.slope(0), curve.soldAt(0)]).toEqual([
          0, 0, 0, 0, 0,
        ])
      }
    }
  })

  it('quotes exactly the amounts of the vault, from one wei to beyond its limits', async () => {
    await compare(1, 120)
  })

  it('pays out no more than the cash of a pool, while managed balances count in the price', () => {
    for (const staged of pools) {
      const { listing, state } = ledger.standing(staged.address)!
      const custody = state as VaultBalances
      const [sell, buy] = staged.tokens as [Address, Address]
      const amount = balanceOf(staged, sell) / 10n
      const bought = poolOf(staged).quote(sell, buy, amount)
      const withCash = (cash: bigint) => {
        const lent = custody.holdings.map((holding) => ({ cash, managed: holding.cash - cash }))
        return toPool({ listing, state: { ...custody, holdings: lent } })
      }
      expect(bought).toBeGreaterThan(0n)
      expect(withCash(bought).quote(sell, buy, amount)).toBe(bought)
      expect(withCash(bought - 1n).quote(sell, buy, amount)).toBe(0n)
    }
  })

  it('draws curves close to its exact quotes', () => {
    // Rounding is large in tiny pools.
    for (const staged of pools.filter(({ order }) => order.tokens.every(({ amount }) => amount > 1e-6))) {
      const pool = poolOf(staged)
      for (const [sell, buy] of directionsOf(staged)) {
        const curve = pool.curve(sell, buy)
        // Weighted pools keep a margin for errors of powers, stable ones for dropped digits.
        const kept = (staged.order.weights ? 2e-14 : 1e-18) * Number(balanceOf(staged, buy))
        // Units are rounded in sale, fee and payment.
        const units = 2 * curve.slope(0) + 2
        for (const amount of amounts(curve)) {
          const exact = Number(pool.quote(sell, buy, amount))
          const estimate = curve.bought(Number(amount))
          const name = describeSale(staged, sell, buy, amount)
          expect(estimate, name).toBeGreaterThanOrEqual(exact * (1 - 1e-12))
          expect(estimate, name).toBeLessThanOrEqual(exact * (1 + 1e-12) + kept + units)
        }
        for (
          let amount = BigInt(Math.floor(curve.capacity));
          amount < 2n ** 112n;
          amount = (amount * 3n) / 2n
        ) {
          expect(Number(pool.quote(sell, buy, amount))).toBeLessThanOrEqual(curve.most * (1 + 1e-12))
        }
      }
    }
  })

  it('draws curves with a falling slope that matches the derivative and can be inverted', () => {
    for (const staged of pools) {
      const pool = poolOf(staged)
      for (const [sell, buy] of directionsOf(staged)) {
        const curve = pool.curve(sell, buy)
        expect(pool.curve(sell, buy)).toBe(curve)
        const { capacity } = curve
        const start = curve.slope(0)
        let last = start
        for (let sold = capacity * 1e-9; sold < capacity * 0.99; sold *= 3) {
          const slope = curve.slope(sold)
          expect(slope).toBeLessThanOrEqual(last)
          last = slope
          const step = sold * 1e-3
          const rise = (curve.bought(sold + step) - curve.bought(sold - step)) / (2 * step)
          expect(slope / rise).toBeCloseTo(1, 4)
          expect(curve.slope(curve.soldAt(slope)) / slope).toBeCloseTo(1, 12)
        }
        expect(curve.soldAt(start)).toBe(0)
        expect(curve.soldAt(start * 2)).toBe(0)
        expect(curve.soldAt(0)).toBe(capacity)
        expect(curve.slope(capacity)).toBe(0)
        expect(curve.bought(capacity * 2)).toBe(curve.bought(capacity))
        expect(curve.bought(0)).toBe(0)
      }
    }
  })

  it('quotes exactly the amounts of the vault after swaps, joins and fee changes', async () => {
    for (const [i, staged] of pools.entries()) {
      for (const [sell, buy] of directionsOf(staged).slice(0, 2)) {
        await stage.swap(staged, sell, buy, balanceOf(staged, sell) / (40n + BigInt(i)))
      }
      await stage.join(
        staged,
        staged.tokens.map((token, j) => balanceOf(staged, token) / BigInt(7 + 3 * j)),
      )
      await stage.setFee(staged, (percent * BigInt(i + 1)) / 13n)
    }
    await follow()
    expect(statesOf(ledger)).toEqual(statesOf(await readAll()))
    await compare(2, 120)
  })

  it('reads pools again at every block while their amplification changes', async () => {
    const moving = pools.filter(({ order }) => order.amplification && order.amplification > 100)
    for (const staged of moving) {
      await stage.startRamp(staged, BigInt(Math.floor((staged.order.amplification ?? 0) * 0.7)), 100_000n)
    }
    await follow()
    for (const seed of [3, 4]) {
      await localnet.client.increaseTime({ seconds: 30_000 })
      await localnet.client.mine({ blocks: 1 })
      const before = statesOf(ledger)
      await follow()
      const changed = moving.filter(
        ({ address }) => !isDeepStrictEqual(statesOf(ledger)[address], before[address]),
      )
      expect(changed).toEqual(moving)
      await compare(seed, 20)
    }
    await stage.stopRamp(moving[0]!)
    await localnet.client.increaseTime({ seconds: 100_000 })
    await localnet.client.mine({ blocks: 1 })
    await follow()
    expect(ledger.restless()).toEqual([])
    expect(statesOf(ledger)).toEqual(statesOf(await readAll()))
    await compare(5, 20)
  })

  it('quotes zero while a pool is paused, and quotes again after the pause', async () => {
    const paused = pools.filter(
      ({ order }, i) => orders.findIndex(({ maker }) => maker === order.maker) === i,
    )
    for (const staged of paused) await stage.pause(staged)
    await follow()
    for (const staged of paused) {
      const [sell, buy] = staged.tokens as [Address, Address]
      expect(poolOf(staged).quote(sell, buy, balanceOf(staged, sell) / 100n)).toBe(0n)
      expect(poolOf(staged).curve(sell, buy).bought(1e6)).toBe(0)
    }
    await compare(6, 20)
    // 90 days to pause, then 30 until the pause ends.
    await localnet.client.increaseTime({ seconds: 121 * 86_400 })
    await localnet.client.mine({ blocks: 1 })
    await follow()
    expect(ledger.restless()).toEqual([])
    await compare(7, 20)
  })

  it('omits a pool with tokens whose decimals are unreadable, and keeps all others', async () => {
    const [staged] = pools
    expect(staged!.order.maker).toBe('weighted2021')
    // JUMPDEST, PUSH1 0, JUMP: uses all gas.
    for (const address of staged!.tokens) await localnet.client.setCode({ address, bytecode: '0x5b600056' })
    const found = statesOf(await readAll())
    expect(Object.keys(found).sort()).toEqual(
      [...pools, ...emptyPools]
        .filter((pool) => pool !== staged)
        .map(({ address }) => address)
        .sort(),
    )
  })
})

const follow = () => followUpdate(ledger, stage.config, chain)
const readAll = () => readPools(stage.config, chain)

function poolOf({ address }: Staged): Pool {
  return toPool(ledger.standing(address)!)
}

function balanceOf({ address, tokens }: Staged, token: Address): bigint {
  const { holdings } = ledger.standing(address)!.state as VaultBalances
  const { cash, managed } = holdings[tokens.indexOf(token)]!
  return cash + managed
}

function amounts({ capacity }: Curve): bigint[] {
  const sizes = Array.from({ length: 12 }, (_, i) => BigInt(Math.floor(capacity * 0.11 ** i)))
  return sizes.filter((size) => size > 0n)
}

function sales(seed: number, perPool: number): (Sale & { staged: Staged })[] {
  return pools.flatMap((staged, i) => {
    const { poolId } = staged
    const ways = directionsOf(staged)
    const sale = fc
      .tuple(fc.constantFrom(...ways), fc.integer({ min: 1, max: 60 }), fc.bigInt(1n, 10n ** 18n))
      .map(([[sell, buy], halvings, part]) => {
        const most = halvings === 60 ? 2n ** 116n : (16n * balanceOf(staged, sell)) >> BigInt(halvings)
        return { sell, buy, amount: 1n + (most * part) / 10n ** 18n }
      })
    const limits = ways.slice(0, 6).flatMap(([sell, buy]) => {
      const held = balanceOf(staged, sell)
      const { fee } = ledger.standing(staged.address)!.state as VaultBalances
      const third = (held * 3n * 10n ** 17n) / (10n ** 18n - fee)
      const full = 2n ** 112n - held
      return [1n, third - 1n, third, third + 1n, third + 2n, full - 1n, full]
        .filter((amount) => amount > 0n)
        .map((amount) => ({ sell, buy, amount }))
    })
    const random = fc.sample(sale, { numRuns: perPool, seed: seed * 1_000 + i })
    return [...limits, ...random].map((chosen) => ({ staged, poolId, ...chosen }))
  })
}

async function compare(seed: number, perPool: number): Promise<void> {
  const asked = sales(seed, perPool)
  const answers = await stage.ask(asked, ledger.block()!.number)
  const made = new Map(pools.map((staged) => [staged, poolOf(staged)]))
  asked.forEach(({ staged, sell, buy, amount }, i) => {
    const quoted = made.get(staged)!.quote(sell, buy, amount)
    expect(quoted, describeSale(staged, sell, buy, amount)).toBe(answers[i] ?? 0n)
  })
  const filled = answers.filter((answer) => answer !== undefined && answer > 0n).length
  expect(filled).toBeGreaterThan(asked.length / 4)
}

function describeSale({ order, tokens }: Staged, sell: Address, buy: Address, amount: bigint): string {
  const [from, to] = [tokens.indexOf(sell), tokens.indexOf(buy)]
  return `${amount} of token ${from} for ${to} of ${order.maker} with ${order.tokens.length} tokens`
}
