import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readPackageContract } from '../../../dev/chain/packageContracts.ts'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import { deployContract } from '../../helpers/node/deployContract.ts'
import { keepChain } from '../../helpers/node/revertChain.ts'
import { createStableSwapNet, type StableSwapNet, stableSwapKinds } from '../../helpers/node/stableSwapNet.ts'
import { followWithoutKinds } from '../../helpers/service/followPools.ts'
import { slow } from '../../helpers/slow.ts'

slow('A chain runs.')

let localnet: Localnet
let net: StableSwapNet
beforeAll(async () => {
  localnet = await createLocalnet()
  net = createStableSwapNet(localnet)
})
afterAll(() => localnet.stop())
keepChain(() => localnet)

describe('following StableSwap pools', () => {
  it.each(stableSwapKinds)('reads a pool of %s again for each event, and no other', async (kind) => {
    const ledger = await net.readAll()
    const pool = net.poolOf(kind)
    const plan = net.planOf(kind)
    const whole = (count: number) =>
      plan.tokens.map((symbol) => BigInt(count) * 10n ** (symbol === 'DAI' ? 18n : 6n))
    const owned = (name: string, args: unknown[] = []) => net.manage(pool, net.abiOf(kind), name, args)
    const changes: Record<string, () => Promise<unknown>> = {
      swap: () => net.trade(kind, 0, 1, whole(12_345)[0]!),
      back: () => net.trade(kind, plan.tokens.length - 1, 0, whole(777)[plan.tokens.length - 1]! + 1n),
      added: () =>
        net.addLiquidity(
          pool,
          plan.tokens.map((symbol) => localnet.tokens[symbol]),
          whole(10_000),
        ),
      removed: () => owned('remove_liquidity', [10n ** 22n, whole(0)]),
      unbalanced: () => owned('remove_liquidity_imbalance', [whole(300), 0n]),
      single: () => owned('remove_liquidity_one_coin', [whole(200)[1]!, 1n]),
      fee:
        kind === 'curve-ng'
          ? () => owned('set_new_fee', [3_000_000n, 20_000_000_000n])
          : () => owned('apply_new_fee', [3_000_000n, 10_000_000_000n]),
      ...(kind === 'pancake-stable' && {
        killed: () => owned('kill_me'),
        revived: () => owned('unkill_me'),
        donated: async () => {
          await net.pay(localnet.tokens[plan.tokens[0]!], pool, 5n)
          await owned('donate_admin_fees', [5n, 0n])
        },
      }),
    }
    for (const [name, change] of Object.entries(changes)) {
      await change()
      const before = net.stateOf(ledger, pool)
      expect(await net.follow(ledger), name).toEqual([pool])
      expect(
        JSON.stringify(net.stateOf(ledger, pool), (_, value) => String(value)),
        name,
      ).not.toBe(before)
      expect(net.stateOf(ledger, pool).isUsable, name).toBe(name !== 'killed')
      await net.expectFollowed(ledger)
    }
  })

  it.each(stableSwapKinds)('reads a pool of %s in each block while its A moves', async (kind) => {
    const ledger = await net.readAll()
    const pool = net.poolOf(kind)
    const before = net.stateOf(ledger, pool).amplification
    const { timestamp } = await localnet.client.getBlock()
    await net.manage(pool, net.abiOf(kind), 'ramp_A', [before * 2n, timestamp + 10_000n])
    expect(await net.follow(ledger)).toEqual([pool])
    expect(net.stateOf(ledger, pool).isMoving).toBe(true)
    for (const seconds of [2_000, 3_000]) {
      await localnet.client.increaseTime({ seconds })
      await localnet.client.mine({ blocks: 1 })
      expect(await net.follow(ledger)).toEqual([pool])
      await net.expectFollowed(ledger)
    }
    expect(net.stateOf(ledger, pool).amplification).toBeGreaterThan((before * 14n) / 10n)
    expect(net.stateOf(ledger, pool).amplification).toBeLessThan((before * 16n) / 10n)
    await net.manage(pool, net.abiOf(kind), 'stop_ramp_A')
    expect(await net.follow(ledger)).toEqual([pool])
    expect(net.stateOf(ledger, pool).isMoving).toBe(false)
    await localnet.client.mine({ blocks: 1 })
    expect(await net.follow(ledger)).toEqual([])
  })

  it('reads pools of rebasing tokens, and of rates, in each block', async () => {
    const { DAI, USDC } = localnet.tokens
    const rate = await deployContract(localnet, readPackageContract('FixedRate'), [])
    const args = [[USDC, DAI], 100n, 4_000_000n, 10n ** 10n]
    for (const types of [
      [0, 1],
      [2, 0],
    ]) {
      await net.manage(
        localnet.contracts.curveFactoryNg,
        readPackageContract('CurveFactoryNg').abi,
        'deploy_plain_pool',
        [...args, types, [rate, rate]],
      )
    }
    const ledger = await net.readAll()
    const floating = net
      .pools(ledger)
      .filter(({ listing }) => (listing.fixed as { isFloating: boolean }).isFloating)
    expect(floating).toHaveLength(2)
    const addresses = floating.map(({ listing }) => listing.address)
    for (const pool of addresses) {
      await net.addLiquidity(pool, [USDC, DAI], [10n ** 12n, 10n ** 24n])
    }
    await net.follow(ledger)
    expect(addresses.map((pool) => net.stateOf(ledger, pool).isUsable)).toEqual([true, true])
    expect(addresses.map((pool) => net.stateOf(ledger, pool).rates[1])).toContain(11n * 10n ** 17n)
    // Neither emits an event of the pools.
    await net.call(rate, readPackageContract('FixedRate').abi, 'setRate', [12n * 10n ** 17n])
    for (const pool of addresses) await net.pay(USDC, pool, 10n ** 9n)
    expect((await net.follow(ledger)).sort()).toEqual(addresses.sort())
    await net.expectFollowed(ledger)
  })

  it('asks for no log of a chain without such factories', async () => {
    const change = () => net.trade('curve', 0, 1, 10n ** 18n)
    const { asked } = await followWithoutKinds(localnet, stableSwapKinds, change)
    expect(asked.length).toBeGreaterThan(0)
    // TokenExchange(address,int128,uint256,int128,uint256)
    expect(asked.join()).not.toContain('8b3e96f2b889fa771c53c981b40daf005f63f637f1869f707052d15a3dd97140')
  })
})
