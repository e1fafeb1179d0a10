import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRandom } from '../../../bench/random.ts'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import type { Address } from '../../../service/config.ts'
import { type Chain, createChain } from '../../../service/indexer/chain.ts'
import { createPoolState, type PoolState } from '../../../service/indexer/poolState.ts'
import type { Pool } from '../../../service/pools/pool.ts'
import { toPool } from '../../../service/pools/registry.ts'
import type { Amplified, Version } from '../../../service/pools/stable.ts'
import { keepChain } from '../../helpers/node/revertChain.ts'
import { startProxy } from '../../helpers/node/rpcProxy.ts'
import { directionsOf, followUpdate, readPools, statesOf } from '../../helpers/service/poolStates.ts'
import { slow } from '../../helpers/slow.ts'
import { rated } from './vaultOrders.ts'
import { createVaultStage, type Sale, type Staged, type VaultStage } from './vaultStage.ts'

slow('A chain runs.')

let localnet: Localnet
let chain: Chain
let stage: VaultStage
const pools: Staged[] = []

beforeAll(async () => {
  localnet = await createLocalnet()
  chain = createChain(localnet.rpcUrl, localnet.config.multicall)
  stage = await createVaultStage(localnet)
  for (const order of rated) pools.push(await stage.open(order))
})
afterAll(() => localnet.stop())
keepChain(() => localnet)

const one = 10n ** 18n

describe('composable stable pools', () => {
  it('are listed without their shares, with rate providers and decimals', async () => {
    const ledger = await readAll()
    for (const { address, tokens, rateProviders, order } of pools) {
      const { listing, state } = ledger.standing(address)!
      expect(listing.tokens).toEqual(tokens)
      const { rateProviders: known, scales } = listing.fixed as Version
      expect(known).toEqual(rateProviders)
      const places = order.tokens.map(({ decimals }) => 10n ** BigInt(18 - decimals))
      expect([...scales].sort()).toEqual(places.sort())
      const { rates } = state as Amplified
      const expected = order.rates?.map((given) => given?.rate ?? one) ?? order.tokens.map(() => one)
      expect([...rates!.used].sort()).toEqual(expected.sort())
      expect(rates!.isRestless).toBe(order.rates !== undefined)
    }
  })

  it('are quoted to the wei as the vault answers, from one unit to beyond its limits', async () => {
    expect(await compare(await readAll(), 1, 120)).toBeGreaterThan(1_000)
  })

  it('use cached rates until they expire, and the provider afterwards', async () => {
    const ledger = await readAll()
    for (const { rateProviders } of pools) {
      for (const provider of rateProviders.filter(isProvider))
        await stage.setRate(provider, (one * 113n) / 100n)
    }
    const seen: number[] = []
    for (const seconds of [1, 3_000, 5_000, 4_000_000]) {
      await pass(seconds)
      await follow(ledger)
      expect(statesOf(ledger)).toEqual(statesOf(await readAll()))
      expect(await compare(ledger, seconds, 40)).toBeGreaterThan(200)
      seen.push(pools.reduce((sum, staged) => sum + stateOf(ledger, staged).rates!.expired, 0))
    }
    expect(seen).toEqual([6, 6, 18, 21])
  })

  it('execute as quoted, and keep what they then cache', async () => {
    const random = createRandom(7)
    let executed = 0
    for (const seconds of [0, 4_000]) {
      for (const { rateProviders } of pools) {
        for (const provider of rateProviders.filter(isProvider)) {
          await stage.setRate(provider, BigInt(Math.round(random.between(0.8, 1.3) * 1e18)))
        }
      }
      await pass(seconds)
      const ledger = await readAll()
      for (const staged of pools) {
        for (const [sell, buy] of directionsOf(staged)) {
          const amount =
            1n + (heldOf(ledger, staged, sell) * BigInt(Math.floor(random.between(1, 900)))) / 1_000n
          const pool = poolOf(ledger, staged)
          const quote = pool.quote(sell, buy, amount)
          if (quote === 0n) continue
          const after = pool.after!(sell, buy, amount)
          expect(await stage.swap(staged, sell, buy, amount)).toBe(quote)
          await follow(ledger)
          const fresh = poolOf(ledger, staged)
          for (const size of [1n, 7n * quote, quote / 3n + 1n]) {
            expect(after.quote(buy, sell, size)).toBe(fresh.quote(buy, sell, size))
          }
          executed++
        }
      }
      expect(statesOf(ledger)).toEqual(statesOf(await readAll()))
    }
    expect(executed).toBeGreaterThan(80)
  })

  it('follow joins, fees, ramps, renewed rates, durations, recovery mode and pauses', async () => {
    const ledger = await readAll()
    const changed = async (seed: number) => {
      await follow(ledger)
      expect(statesOf(ledger)).toEqual(statesOf(await readAll()))
      await compare(ledger, seed, 15)
    }
    for (const staged of pools) {
      await stage.join(
        staged,
        staged.tokens.map((token, i) => heldOf(ledger, staged, token) / BigInt(9 + i)),
      )
      await stage.setFee(staged, one / 500n)
    }
    await changed(11)
    for (const staged of pools) {
      for (const [i, provider] of staged.rateProviders.entries()) {
        if (!isProvider(provider)) continue
        await stage.setRate(provider, (one * BigInt(120 + i)) / 100n)
        if (i % 2 === 0) await stage.renewRate(staged, staged.tokens[i]!)
        else await stage.setRateDuration(staged, staged.tokens[i]!, 60n)
      }
      await stage.startRamp(staged, BigInt(staged.order.amplification! + 3), 200_000n)
    }
    await changed(12)
    await pass(100_000)
    await changed(13)
    for (const staged of pools) await stage.enableRecovery(staged)
    await changed(14)
    for (const staged of pools) await stage.pause(staged)
    await follow(ledger)
    for (const staged of pools) {
      const [sell, buy] = staged.tokens as [Address, Address]
      expect(poolOf(ledger, staged).quote(sell, buy, heldOf(ledger, staged, sell) / 100n)).toBe(0n)
    }
    await pass(121 * 86_400)
    await changed(15)
  })

  it.each([
    ['is none', 0n],
    ['has more than 96 bits', 2n ** 96n],
    ['fails', 2n ** 256n - 1n],
  ])('quote nothing once a rate %s, and as before until then', async (_, rate) => {
    for (const { rateProviders } of pools) {
      for (const provider of rateProviders.filter(isProvider)) await stage.setRate(provider, rate)
    }
    const before = await readAll()
    await compare(before, 21, 15)
    await pass(5_000)
    const after = await readAll()
    await compare(after, 22, 15)
    for (const staged of pools.filter(({ order }) => order.rates)) {
      const [sell, buy] = staged.tokens as [Address, Address]
      const pool = poolOf(after, staged)
      expect(pool.quote(sell, buy, heldOf(after, staged, sell) / 10n)).toBe(0n)
      expect(pool.curve(sell, buy).capacity).toBe(0)
    }
  })

  it('quote as the vault where rates are the largest that a cache holds', async () => {
    for (const { rateProviders } of pools) {
      for (const [i, provider] of rateProviders.filter(isProvider).entries()) {
        await stage.setRate(provider, 2n ** 96n - 1n - BigInt(i))
      }
    }
    await pass(5_000)
    await compare(await readAll(), 31, 30)
  })

  it('draw concave curves close to their exact quotes', async () => {
    const ledger = await readAll()
    for (const staged of pools) {
      const pool = poolOf(ledger, staged)
      for (const [sell, buy] of directionsOf(staged)) {
        const curve = pool.curve(sell, buy)
        // The contract drops digits of a quotient.
        const units = 2 * curve.slope(0) + 2 + 1e-18 * Number(heldOf(ledger, staged, buy))
        for (let size = curve.capacity; size >= 1; size /= 9) {
          const amount = BigInt(Math.floor(size))
          const exact = Number(pool.quote(sell, buy, amount))
          const drawn = curve.bought(Number(amount))
          expect(drawn).toBeGreaterThanOrEqual(exact * (1 - 1e-11))
          expect(drawn).toBeLessThanOrEqual(exact * (1 + 1e-11) + units)
          expect(curve.slope(size)).toBeLessThanOrEqual(curve.slope(size / 9) * (1 + 1e-12))
        }
      }
    }
  })

  it('quote nothing where the provider of an expired rate burns all gas, and others as before', async () => {
    const [burnt, other] = pools.filter(({ order }) => order.tokens.length === 2 && order.rates) as [
      Staged,
      Staged,
    ]
    // JUMPDEST, PUSH1 0, JUMP.
    const address = burnt.rateProviders.find(isProvider)!
    await localnet.client.setCode({ address, bytecode: '0x5b600056' })
    await pass(5_000)
    const ledger = await readAll()
    expect(stateOf(ledger, burnt).rates!.used).toContain(0n)
    for (const [staged, isOpen] of [
      [burnt, false],
      [other, true],
    ] as const) {
      const [sell, buy] = staged.tokens as [Address, Address]
      expect(poolOf(ledger, staged).quote(sell, buy, heldOf(ledger, staged, sell) / 10n) > 0n).toBe(isOpen)
    }
  })

  it('are asked for rates less and less while a provider burns all gas', async () => {
    const burnt = pools.find(({ order }) => order.rates)!
    const address = burnt.rateProviders.find(isProvider)!
    await localnet.client.setCode({ address, bytecode: '0x5b600056' })
    await pass(5_000)
    let isAsked = false
    const proxy = await startProxy(localnet.rpcUrl, ({ params }) => {
      const { data = '' } = (params?.[0] ?? {}) as { data?: string }
      if (data.includes(address.slice(2))) isAsked = true
      return undefined
    })
    const own = createChain(proxy.url, localnet.config.multicall)
    const ledger = createPoolState()
    const seen: boolean[] = []
    for (let i = 0; i < 9; i++) {
      isAsked = false
      await followUpdate(ledger, stage.config, own)
      seen.push(isAsked)
      expect(stateOf(ledger, burnt).rates!.used).toContain(0n)
      await localnet.client.mine({ blocks: 1 })
    }
    await proxy.stop()
    // After one block, two and four.
    expect(seen).toEqual([true, true, false, true, false, false, false, true, false])
  })

  it('are listed in as few requests where tokens burn all gas, and without the pools of these', async () => {
    let calls = 0
    const proxy = await startProxy(localnet.rpcUrl, ({ method }) => {
      if (method === 'eth_call') calls++
      return undefined
    })
    const readOnce = async () => {
      calls = 0
      const ledger = await readPools(stage.config, createChain(proxy.url, localnet.config.multicall))
      return { calls, found: ledger.whole()!.pools.map(({ listing }) => listing.address) }
    }
    const before = await readOnce()
    const [kept, ...others] = pools as [Staged, ...Staged[]]
    const hostile = others.flatMap(({ tokens }) => tokens)
    for (const address of hostile) await localnet.client.setCode({ address, bytecode: '0x5b600056' })
    const after = await readOnce()
    await proxy.stop()
    expect(before.found).toHaveLength(pools.length)
    expect(after.found).toEqual([kept.address])
    expect(hostile.length).toBeGreaterThan(12)
    expect(after.calls).toBeLessThanOrEqual(before.calls + 1)
  })

  it('cost no calls for rates that they do not have', async () => {
    const ledger = await readAll()
    const plain = ledger.whole()!.pools.find(({ listing }) => {
      return listing.address === pools.find(({ order }) => order.rates === undefined)!.address
    })!
    expect((plain.state as Amplified).rates).toEqual({ used: [one, one], expired: 0, isRestless: false })
    const restless = pools.filter(({ order }) => order.rates).map(({ address }) => address)
    expect(
      ledger
        .restless()
        .map(({ listing }) => listing.address)
        .sort(),
    ).toEqual(restless.sort())
  })
})

const follow = (ledger: PoolState) => followUpdate(ledger, stage.config, chain)
const readAll = () => readPools(stage.config, chain)

async function pass(seconds: number): Promise<void> {
  await localnet.client.increaseTime({ seconds })
  await localnet.client.mine({ blocks: 1 })
}

function poolOf(ledger: PoolState, { address }: Staged): Pool {
  return toPool(ledger.standing(address)!)
}

function stateOf(ledger: PoolState, { address }: Staged): Amplified {
  return ledger.standing(address)!.state as Amplified
}

function heldOf(ledger: PoolState, staged: Staged, token: Address): bigint {
  return stateOf(ledger, staged).holdings[staged.tokens.indexOf(token)]!.cash
}

const isProvider = (provider: Address) => BigInt(provider) !== 0n

/** Compares random quotes with the vault's, and returns how many it fills. */
async function compare(ledger: PoolState, seed: number, perPool: number): Promise<number> {
  const random = createRandom(seed)
  const asked: (Sale & { staged: Staged })[] = pools.flatMap((staged) => {
    const ways = directionsOf(staged)
    return Array.from({ length: perPool }, (_, i) => {
      const [sell, buy] = ways[Math.floor(random.between(0, ways.length))]!
      const size =
        Number(heldOf(ledger, staged, sell)) *
        10 ** random.between(i % 9 === 0 ? -20 : -6, i % 5 === 0 ? 12 : 0.3)
      return { staged, poolId: staged.poolId, sell, buy, amount: BigInt(Math.floor(size)) + 1n }
    })
  })
  const answers = await stage.ask(asked, ledger.block()!.number)
  for (const [i, { staged, sell, buy, amount }] of asked.entries()) {
    const told = `${amount} of ${staged.tokens.indexOf(sell)} for ${staged.tokens.indexOf(buy)} of ${staged.order.maker}`
    expect(poolOf(ledger, staged).quote(sell, buy, amount), told).toBe(answers[i] ?? 0n)
  }
  return answers.filter((answer) => answer !== undefined && answer > 0n).length
}
