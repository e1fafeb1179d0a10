import { type Hex, maxUint256 } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRandom } from '../../../bench/random.ts'
import { deployer } from '../../../dev/chain/client.ts'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import type { Address } from '../../../service/config.ts'
import { converter, converterPool } from '../../../service/pools/converter.ts'
import { gasCosts } from '../../../service/pools/gasCosts.ts'
import { createConverterStage, drawAmounts, factoryOf, paid } from '../../helpers/node/converterStage.ts'
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

/** A contract that answers every call with 7. */
const sevens: Hex = '0x600760005260206000f3'

describe('ERC-4626 vaults', () => {
  it('quotes to the wei what previews answer and deposits and redemptions pay, for any decimals and rate', async () => {
    const random = createRandom(41)
    const seen = { paid: 0, nothing: 0 }
    for (const [decimals, offset] of [
      [18, 0],
      [6, 0],
      [6, 12],
      [2, 3],
    ] as const) {
      const whole = 10n ** BigInt(decimals + 9)
      const token = await stage.mintToken(decimals, whole * 2n)
      const vault = await stage.deploy('SavingsVault', [token, offset])
      await stage.run(stage.step(token, 'approve', [vault, maxUint256]))
      for (const [deposited, yielded] of [
        [1n, 0n],
        [997n, 3n],
        [whole / 7n, whole / 311n],
        [5n, whole / 3n],
      ] as const) {
        const { pool, one, other: two } = await stage.poolOf(vault, 'erc4626')
        const amounts = drawAmounts(random, whole / 2n, 45)
        const shares = drawAmounts(random, whole * 10n ** BigInt(offset), 45)
        const deposits = amounts.map((amount) => [stage.step(vault, 'deposit', [amount, own])])
        const redemptions = shares.map((amount) => [stage.step(vault, 'redeem', [amount, own, deployer])])
        const [minted, redeemed] = [
          await stage.growth(deposits, vault, own),
          await stage.growth(redemptions, token, own),
        ]
        const quotes = [
          ...amounts.map((amount) => pool.quote(one, two, amount)),
          ...shares.map((amount) => pool.quote(two, one, amount)),
        ]
        expect(quotes).toEqual([...minted, ...redeemed].map(paid))
        for (const quote of quotes) seen[quote > 0n ? 'paid' : 'nothing']++
        await stage.run(
          stage.step(vault, 'deposit', [deposited, deployer]),
          stage.step(token, 'transfer', [vault, yielded]),
        )
      }
    }
    expect(seen.paid).toBeGreaterThan(700)
    expect(seen.nothing).toBeGreaterThan(200)
  }, 120_000)

  it('quotes up to what the vault accepts and a large holder may redeem, and nothing beyond', async () => {
    const token = await stage.mintToken(18, 10n ** 30n)
    const vault = await stage.deploy('SavingsVault', [token, 0])
    await stage.run(
      stage.step(token, 'approve', [vault, maxUint256]),
      stage.step(vault, 'deposit', [10n ** 24n, deployer]),
      stage.step(token, 'transfer', [vault, 123_456_789n]),
    )
    for (const [deposits, redemptions] of [
      [10n ** 21n, 10n ** 20n],
      [0n, 5n],
      [maxUint256, 0n],
      [1n, maxUint256],
    ] as const) {
      await stage.run(stage.step(vault, 'setLimits', [deposits, redemptions]))
      const { pool, one, other: two } = await stage.poolOf(vault, 'erc4626', deployer)
      for (const [sell, buy, limit, step] of [
        [one, two, deposits, (amount: bigint) => stage.step(vault, 'deposit', [amount, own])],
        [two, one, redemptions, (amount: bigint) => stage.step(vault, 'redeem', [amount, own, deployer])],
      ] as const) {
        const amounts = [1n, 7n * 10n ** 19n, ...(limit < maxUint256 ? [limit, limit + 1n] : [])].filter(
          (one) => one > 0n,
        )
        const grown = await stage.growth(
          amounts.map((amount) => [step(amount)]),
          buy,
          own,
        )
        expect(amounts.map((amount) => pool.quote(sell, buy, amount))).toEqual(grown.map(paid))
        const { capacity, most } = pool.curve(sell, buy)
        expect(capacity).toBeLessThanOrEqual(Number(limit))
        expect(most > 0).toBe(limit > 0n)
      }
    }
  })

  it('quotes nothing where shares would overflow, and all that fits', async () => {
    const token = await stage.mintToken(0, maxUint256)
    const vault = await stage.deploy('SavingsVault', [token, 0])
    await stage.run(
      stage.step(token, 'approve', [vault, maxUint256]),
      stage.step(vault, 'deposit', [2n ** 255n, deployer]),
    )
    const { pool, one, other: two } = await stage.poolOf(vault, 'erc4626')
    const amounts = [1n, 2n ** 254n, 2n ** 255n - 2n, 2n ** 255n - 1n]
    const grown = await stage.growth(
      amounts.map((amount) => [stage.step(vault, 'deposit', [amount, own])]),
      vault,
      own,
    )
    expect(amounts.map((amount) => pool.quote(one, two, amount))).toEqual(grown.map(paid))
    expect(pool.quote(one, two, 2n ** 255n)).toBe(0n)
    expect(pool.quote(one, two, maxUint256)).toBe(0n)
  })

  it('sells one way only where the config says so', async () => {
    const { pool, one, other: two } = await stage.poolOf(localnet.contracts.savingsVault, 'erc4626-deposit')
    expect(pool.quote(one, two, 10n ** 18n)).toBeGreaterThan(0n)
    expect(pool.quote(two, one, 10n ** 18n)).toBe(0n)
    expect(pool.curve(two, one).most).toBe(0)
  })

  it('quotes vaults of an accumulator to the wei, and follows its growth', async () => {
    const random = createRandom(43)
    const token = await stage.mintToken(18, 10n ** 30n)
    for (const perSecond of [0n, 1_547_125_957_863_212_448n]) {
      const vault = await stage.deploy('SavingsRate', [token, perSecond])
      await stage.run(
        stage.step(token, 'approve', [vault, maxUint256]),
        stage.step(vault, 'deposit', [10n ** 26n, deployer]),
        stage.step(token, 'transfer', [vault, 10n ** 26n]),
      )
      const { listing, pool, one, other: two } = await stage.poolOf(vault, 'erc4626')
      const before = await stage.read(listing)
      expect(before.rates[1]).toBe(10n ** 27n)
      if (perSecond === 0n) {
        const amounts = drawAmounts(random, 10n ** 25n, 60)
        const minted = await stage.growth(
          amounts.map((amount) => [stage.step(vault, 'deposit', [amount, own])]),
          vault,
          own,
        )
        const redeemed = await stage.growth(
          amounts.map((amount) => [stage.step(vault, 'redeem', [amount, own, deployer])]),
          token,
          own,
        )
        expect(amounts.map((amount) => pool.quote(one, two, amount))).toEqual(minted.map(paid))
        expect(amounts.map((amount) => pool.quote(two, one, amount))).toEqual(redeemed.map(paid))
      } else {
        await localnet.client.increaseTime({ seconds: 3_600 })
        await localnet.client.mine({ blocks: 1 })
        const after = await stage.read(listing)
        expect(after.rates[0] - before.rates[0]).toBeGreaterThanOrEqual(3_600n * perSecond)
        expect(converter.isRestless(after)).toBe(true)
      }
    }
  })

  it('counts the accrual of an accumulator in its gas, and none in other vaults', async () => {
    const token = await stage.mintToken(18, 10n ** 24n)
    const rate = await stage.poolOf(await stage.deploy('SavingsRate', [token, 10n ** 18n]), 'erc4626')
    const plain = await stage.poolOf(localnet.contracts.savingsVault, 'erc4626')
    const gas = ({ pool, one, other: two }: typeof rate) => [pool.gas(one, two, 1n), pool.gas(two, one, 1n)]
    expect(gas(plain)).toEqual([gasCosts.deposit, gasCosts.redeem])
    expect(gas(rate)).toEqual(gas(plain).map((cost) => cost + gasCosts.accrual))
  })

  it('is listed only where the contract names its tokens, and quotes nothing where previews differ', async () => {
    expect(await stage.list(factoryOf(localnet.tokens.DAI, 'erc4626'))).toEqual([])
    expect(await stage.list(factoryOf(localnet.tokens.DAI, 'wsteth'))).toEqual([])
    expect(await stage.list(factoryOf(other, 'psm'))).toEqual([])
    const { listing, pool, one, other: two } = await stage.poolOf(localnet.contracts.savingsVault, 'erc4626')
    expect(pool.quote(one, two, 10n ** 18n)).toBeGreaterThan(0n)
    await localnet.client.setCode({ address: listing.address, bytecode: sevens })
    const state = await stage.read(listing)
    expect(converter.isValid(2, listing.fixed, state)).toBe(true)
    const dead = converterPool(listing, state)
    for (const [sell, buy] of [
      [one, two],
      [two, one],
    ] as const) {
      expect(dead.quote(sell, buy, 10n ** 18n)).toBe(0n)
      expect(dead.curve(sell, buy).bought(1e18)).toBe(0)
      expect(dead.spot?.(sell, buy)).toEqual({ start: 0, depth: 0 })
    }
  })
})
