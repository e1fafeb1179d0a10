import fc from 'fast-check'
import { maxUint256 } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRandom } from '../../../bench/random.ts'
import { converterOwner } from '../../../dev/chain/deploy.ts'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import type { Address } from '../../../service/config.ts'
import { converter, converterPool } from '../../../service/pools/converter.ts'
import type { ConverterState } from '../../../service/pools/converterState.ts'
import {
  createConverterStage,
  drawAmounts,
  factoryOf,
  paid,
  type Step,
} from '../../helpers/node/converterStage.ts'
import { keepChain } from '../../helpers/node/revertChain.ts'
import { slow } from '../../helpers/slow.ts'

slow('A chain runs.')

let localnet: Localnet
let stage: ReturnType<typeof createConverterStage>
beforeAll(async () => {
  localnet = await createLocalnet()
  stage = createConverterStage(localnet)
})
afterAll(() => localnet.stop())
keepChain(() => localnet)

const own: Address = '0x00000000000000000000000000000000007afe1e'
const other: Address = '0x00000000000000000000000000000000007afe1f'

describe('wstETH', () => {
  it('quotes to the wei what arrives through an account that measures its balance, at any rate', async () => {
    const random = createRandom(47)
    const { pooledShares: pooled, wrappedShares: wrapped } = localnet.contracts
    const approval = stage.step(pooled, 'approve', [wrapped, maxUint256], own)
    let count = 0
    for (const ether of [
      1_190_345_678_901_234_567_891n,
      10n ** 21n + 7n,
      1_234_567_890_123_456_789_012n,
      3_000_000_000_000_000_000_013n,
      900_000_000_000_000_000_001n,
    ]) {
      await stage.run(stage.step(pooled, 'rebase', [ether]))
      const { pool, one, other: two } = await stage.poolOf(wrapped, 'wsteth')
      const amounts = drawAmounts(random, 10n ** 20n, 100)
      const pulls = amounts.map((amount) => stage.step(pooled, 'transfer', [own, amount]))
      const held = await stage.growth(
        pulls.map((pull) => [pull]),
        pooled,
        own,
      )
      const wraps = pulls.map((pull, i) => [pull, approval, stage.step(wrapped, 'wrap', [held[i]!], own)])
      const minted = await stage.growth(wraps, wrapped, own)
      expect(amounts.map((amount) => pool.quote(one, two, amount))).toEqual(minted.map(paid))

      const unwraps = amounts.map((amount) => [
        stage.step(wrapped, 'transfer', [own, amount]),
        stage.step(wrapped, 'unwrap', [amount], own),
      ])
      const got = await stage.growth(unwraps, pooled, own)
      const sent = unwraps.map((steps, i) => [
        ...steps,
        stage.step(pooled, 'transfer', [other, paid(got[i])], own),
      ])
      const arrived = await stage.growth(sent, pooled, other)
      expect(amounts.map((amount) => pool.quote(two, one, amount))).toEqual(arrived.map(paid))
      for (const one of [...minted, ...arrived]) if (paid(one) > 0n) count++
    }
    expect(count).toBeGreaterThan(900)
  }, 120_000)

  it('quotes nothing beyond what exists, and while transfers are stopped', async () => {
    const { pooledShares: pooled, wrappedShares: wrapped } = localnet.contracts
    const { pool, one, other: two } = await stage.poolOf(wrapped, 'wsteth')
    expect(pool.quote(one, two, 10n ** 24n)).toBe(0n)
    expect(pool.quote(two, one, 10n ** 24n)).toBe(0n)
    await stage.run(stage.step(pooled, 'stop', [true]))
    const stopped = (await stage.poolOf(wrapped, 'wsteth')).pool
    for (const [sell, buy] of [
      [one, two],
      [two, one],
    ] as const) {
      expect(pool.quote(sell, buy, 10n ** 18n)).toBeGreaterThan(0n)
      expect(stopped.quote(sell, buy, 10n ** 18n)).toBe(0n)
    }
  })
})

describe('peg modules', () => {
  const wad = 10n ** 18n

  it('quotes to the wei what both directions pay, for any fee, and spends no more than is sold', async () => {
    const random = createRandom(53)
    const { pegModule: module } = localnet.contracts
    const { USDC, DAI } = localnet.tokens
    await stage.run(
      stage.step(USDC, 'approve', [module, maxUint256]),
      stage.step(DAI, 'approve', [module, maxUint256]),
    )
    const seen = { paid: 0, nothing: 0 }
    for (const [tin, tout] of [
      [0n, 0n],
      [10n ** 15n, 8n * 10n ** 14n],
      [123_456_789_012_345n, 987_654_321_987_654n],
      [wad, wad],
      [maxUint256, maxUint256],
    ] as const) {
      await stage.run(stage.step(module, 'setFees', [tin, tout]))
      const { pool } = await stage.poolOf(module, 'psm')
      const gems = drawAmounts(random, 4n * 10n ** 12n, 110)
      const sold = await stage.growth(
        gems.map((amount) => [stage.step(module, 'sellGem', [own, amount])]),
        DAI,
        own,
      )
      expect(gems.map((amount) => pool.quote(USDC, DAI, amount))).toEqual(sold.map(paid))

      const spent = drawAmounts(random, 4n * 10n ** 24n, 110)
      const quotes = spent.map((amount) => pool.quote(DAI, USDC, amount))
      const formula = spent.map((amount) => (amount * wad) / ((wad + tout) * 10n ** 12n))
      const buys = formula.map((amount) => [stage.step(module, 'buyGem', [own, amount])])
      const bought = await stage.growth(buys, USDC, own)
      expect(quotes).toEqual(bought.map(paid))
      const cost = await stage.growth(buys, DAI, module)
      for (const [i, amount] of spent.entries()) {
        if (bought[i] === undefined) continue
        expect(cost[i]!).toBeLessThanOrEqual(amount)
        const oneMore = (formula[i]! + 1n) * 10n ** 12n
        expect(oneMore + (oneMore * tout) / wad).toBeGreaterThan(amount)
      }
      for (const one of [...sold, ...bought]) seen[paid(one) > 0n ? 'paid' : 'nothing']++
      const isHalted = tin === maxUint256
      expect(pool.curve(DAI, USDC).most > 0).toBe(!isHalted)
    }
    expect(seen.paid).toBeGreaterThan(450)
    expect(seen.nothing).toBeGreaterThan(250)
  }, 120_000)

  it('quotes up to the balances of the module and of its pocket, and to the allowance of it', async () => {
    const { pegModule: module } = localnet.contracts
    const { USDC, DAI } = localnet.tokens
    await stage.run(
      stage.step(USDC, 'approve', [module, maxUint256]),
      stage.step(DAI, 'approve', [module, maxUint256]),
      stage.step(module, 'setFees', [0n, 0n]),
    )
    const limits = async () => {
      const { pool } = await stage.poolOf(module, 'psm')
      return [
        pool.quote(USDC, DAI, 2_000_000_000_000n),
        pool.quote(USDC, DAI, 2_000_000_000_001n),
        pool.quote(DAI, USDC, (5_000_000n * wad) / 1_000_000n),
        pool.quote(DAI, USDC, 2_000_000n * wad),
        pool.quote(DAI, USDC, 2_000_001n * wad),
      ]
    }
    expect(await limits()).toEqual([2_000_000n * wad, 0n, 5_000_000n, 2_000_000_000_000n, 0n])
    await localnet.client.impersonateAccount({ address: converterOwner })
    const { to, data } = stage.step(USDC, 'approve', [module, 5_000_000n])
    await localnet.client.execute({ account: converterOwner, to, data, gas: 100_000n })
    expect(await limits()).toEqual([2_000_000n * wad, 0n, 5_000_000n, 0n, 0n])
    const tries = [5_000_000n, 5_000_001n].map((amount): Step[] => [
      stage.step(module, 'buyGem', [own, amount]),
    ])
    expect(await stage.growth(tries, USDC, own)).toEqual([5_000_000n, undefined])
  })

  it('lists a wrapper with the limits of the module that it uses', async () => {
    const { pegModule: module } = localnet.contracts
    const { USDC, DAI } = localnet.tokens
    const usds = await stage.mintToken(18, 10n ** 27n)
    const wrapper = await stage.deploy('PegModuleWrapper', [module, usds])
    const [listing] = await stage.list(factoryOf(wrapper, 'psm'))
    expect(listing).toMatchObject({
      address: wrapper,
      tokens: [USDC, usds],
      fixed: { parties: [converterOwner, module, DAI] },
    })
    const [direct] = await stage.list(factoryOf(module, 'psm'))
    expect(await stage.read(listing!)).toEqual(await stage.read(direct!))
  })
})

describe('the curve of a converter', () => {
  const amounts = (max: bigint) => fc.bigInt({ min: max / 10n ** 8n, max })

  it('is a line within two units of the exact quotes, below its maximum, and as steep as its spot price', () => {
    const tokens: [Address, Address] = [own, other]
    const forms = fc.constantFrom('vault' as const, 'wsteth' as const, 'psm' as const)
    let compared = 0
    fc.assert(
      fc.property(
        forms,
        amounts(10n ** 27n),
        amounts(10n ** 27n),
        amounts(10n ** 26n),
        amounts(10n ** 26n),
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.boolean(),
        (form, one, two, sold, bought, part, isSecond) => {
          const rates =
            form === 'psm' ? ([one / 10n ** 10n, two / 10n ** 10n] as const) : ([one, two] as const)
          const fixed = {
            form,
            isOneWay: false,
            unit: form === 'psm' ? 10n ** 12n : 1n,
            parties: form === 'psm' ? [own, own, own] : [],
          }
          const state: ConverterState = {
            rates,
            maxSold: [sold, bought],
            maxBought: [bought * 3n, sold * 2n],
          }
          expect(converter.isValid(2, fixed, state)).toBe(true)
          const pool = converterPool({ kind: 'converter', source: 'C', address: own, tokens, fixed }, state)
          const [sell, buy] = isSecond ? [other, own] : [own, other]
          const curve = pool.curve(sell, buy)
          const amount = BigInt(Math.floor((curve.capacity * part) / 1e6))
          const exact = pool.quote(sell, buy, amount)
          if (amount === 0n) return
          compared++
          const slope = curve.slope(0)
          expect(Math.abs(curve.bought(Number(amount)) - Number(exact))).toBeLessThanOrEqual(
            3 + 3 * slope + Number(exact) * 1e-11,
          )
          expect(Number(exact)).toBeLessThanOrEqual(curve.most * (1 + 1e-15))
          expect(curve.soldAt(slope * 0.999)).toBe(curve.capacity)
          expect(curve.soldAt(slope * 1.001)).toBe(0)
          expect(Math.abs(pool.spot!(sell, buy).start / slope - 1)).toBeLessThan(1e-12)
        },
      ),
      { numRuns: 3_000 },
    )
    expect(compared).toBeGreaterThan(2_500)
  })
})
