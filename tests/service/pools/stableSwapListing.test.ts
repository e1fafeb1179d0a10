import { erc20Abi, toFunctionSelector } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readArtifact } from '../../../contracts/artifact.ts'
import { deployer } from '../../../dev/chain/client.ts'
import { readPackageContract } from '../../../dev/chain/packageContracts.ts'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import type { Address } from '../../../service/config.ts'
import {
  isStableSwap,
  type StableSwapInfo,
  type StableSwapState,
} from '../../../service/pools/stableSwap/stableSwapPool.ts'
import { nativeTokenAddress } from '../../../service/tokens/registry.ts'
import { deployContract } from '../../helpers/node/deployContract.ts'
import { startFaultyNode } from '../../helpers/node/faultyNode.ts'
import { createNativeStableSwaps } from '../../helpers/node/nativeStableSwaps.ts'
import { keepChain } from '../../helpers/node/revertChain.ts'
import {
  createStableSwapNet,
  type StableSwapKind,
  type StableSwapNet,
  type stableSwapFactories,
  stableSwapKinds,
} from '../../helpers/node/stableSwapNet.ts'
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

describe('listing StableSwap pools', () => {
  it('lists the pools of each factory with their tokens, decimals, form and numbers', async () => {
    const ledger = await net.readAll()
    expect(net.pools(ledger)).toHaveLength(4)
    for (const kind of stableSwapKinds) {
      const plan = net.planOf(kind)
      const { listing, state } = ledger.standing(net.poolOf(kind))!
      expect(listing).toMatchObject({ kind, tokens: plan.tokens.map((symbol) => localnet.tokens[symbol]) })
      const is2020 = kind === 'curve' || kind === 'pancake-stable'
      expect(listing.fixed).toEqual({
        form: kind === 'curve-ng' ? 2 : kind === 'pancake-stable' ? 1 : 0,
        precision: is2020 ? 1 : 100,
        decimals: plan.tokens.map((symbol) => (symbol === 'DAI' ? 18 : 6)),
        hasRates: kind === 'curve-ng',
        isFloating: false,
        nativeIndex: -1,
      })
      expect(state).toMatchObject({
        amplification: BigInt(plan.amplification * (is2020 ? 1 : 100)),
        ...{ fee: plan.fee, adminFee: 5_000_000_000n, isUsable: true, isMoving: false },
        offpegMultiplier: kind === 'curve-ng' ? 50_000_000_000n : 0n,
      })
    }
  })

  it('reads of a factory with a new pool only the pools since, or all where earlier blocks are unknown', async () => {
    let asked = 0
    let isArchive = true
    const node = await startFaultyNode(localnet.rpcUrl, ({ method, params }) => {
      if (method !== 'eth_call') return undefined
      const [{ data = '' }, block] = params as [{ data?: string }, unknown]
      asked += data.split(toFunctionSelector('pool_list(uint256)').slice(2)).length - 1
      return isArchive || typeof block !== 'string'
        ? undefined
        : { code: -32000, message: 'missing trie node' }
    })
    const followed = createStableSwapNet({ ...localnet, rpcUrl: node.url })
    const ledger = await followed.readAll()
    const { DAI, USDC, USDT } = localnet.tokens
    const create = (coins: Address[]) =>
      net.manage(
        localnet.contracts.curveFactoryNg,
        readPackageContract('CurveFactoryNg').abi,
        'deploy_plain_pool',
        [coins, 100n, 0n, 0n, [0, 0], [DAI, DAI]],
      )
    const rest = [
      [USDC, USDT],
      [DAI, USDT],
      [USDC, USDT],
    ]
    for (const coins of rest) await create(coins)
    expect(await followed.follow(ledger)).toHaveLength(3)
    for (const [hasStates, places, news] of [
      [true, 1, 1],
      [false, 6, 4],
    ] as const) {
      isArchive = hasStates
      asked = 0
      await create([USDC, USDT])
      // Where all are read, the known ones of the same tokens too.
      expect(await followed.follow(ledger)).toHaveLength(news)
      expect(asked).toBe(places)
      await net.expectFollowed(ledger)
    }
    await node.stop()
  })

  it('lists classic pools of up to four tokens, as the events of larger ones are not followed', async () => {
    const { DAI, USDC, USDT, WETH, WBTC } = localnet.tokens
    const coins = [DAI, USDC, USDT, WETH, WBTC]
    const open = async (some: Address[]) => {
      const args = [deployer, some, 100n, 4_000_000n, 100n]
      const pool = await deployContract(localnet, readPackageContract('CurvePool'), args)
      const { abi } = readPackageContract('CurveRegistry')
      await net.manage(localnet.contracts.curveRegistry, abi, 'add_pool', [pool, '0x'])
      return pool
    }
    const [four, five] = [await open(coins.slice(0, 4)), await open(coins)]
    const ledger = await net.readAll()
    expect(ledger.standing(five)).toBeUndefined()
    const { listing, state } = ledger.standing(four)!
    const larger = { ...(listing.fixed as StableSwapInfo), decimals: [18, 18, 18, 18, 18] }
    const numbers = { ...(state as StableSwapState), balances: Array(5).fill(1n), rates: Array(5).fill(1n) }
    expect(isStableSwap(5, larger, numbers)).toBe(false)
    expect(isStableSwap(5, { ...larger, form: 2 }, numbers)).toBe(true)
  })

  it('adds pools that the factories create, usable once they hold tokens', async () => {
    const ledger = await net.readAll()
    const { DAI, USDC, USDT } = localnet.tokens
    const [none, zero] = ['0x0000000000000000000000000000000000000000', [0, 0]] as const
    const create = (
      name: string,
      contract: (typeof stableSwapFactories)[StableSwapKind],
      functionName: string,
      args: unknown[],
    ) => net.manage(localnet.contracts[contract], readPackageContract(name).abi, functionName, args)
    for (const make of [
      () =>
        create('CurveFactory', 'curveFactory', 'deploy_plain_pool', [
          [DAI, USDT, none, none],
          100n,
          4_000_000n,
        ]),
      () =>
        create('CurveFactoryNg', 'curveFactoryNg', 'deploy_plain_pool', [
          ...[[USDC, DAI], 100n, 4_000_000n, 10n ** 10n],
          ...[zero, [none, none]],
        ]),
      () => create('PancakeStableFactory', 'pancakeStableFactory', 'createSwapPair', [[USDT, DAI], 9n, 1n]),
    ]) {
      await make()
      const news = await net.follow(ledger)
      expect(news).toHaveLength(1)
      expect(net.stateOf(ledger, news[0]!)).toMatchObject({ balances: [0n, 0n], isUsable: false })
      await net.expectFollowed(ledger)
    }
    expect(net.pools(ledger)).toHaveLength(7)
  })

  it('does not trade where a view answers otherwise, nor lets a token or oracle fail the others', async () => {
    const { DAI, USDC } = localnet.tokens
    const burner = await deployContract(localnet, { abi: [], bytecode: '0x60015f5360015ff3' }, [])
    for (const types of [
      [0, 1],
      [0, 0],
    ]) {
      await net.manage(
        localnet.contracts.curveFactoryNg,
        readPackageContract('CurveFactoryNg').abi,
        'deploy_plain_pool',
        [[USDC, DAI], 100n, 0n, 0n, types, [burner, burner]],
      )
    }
    const other = await deployContract(localnet, readPackageContract('OddPool'), [[USDC, DAI]])
    await net.manage(localnet.contracts.curveRegistry, readPackageContract('CurveRegistry').abi, 'add_pool', [
      ...[other, '0x'],
    ])
    const ledger = await net.readAll()
    expect(net.pools(ledger)).toHaveLength(7)
    expect(net.stateOf(ledger, other).isUsable).toBe(false)
    expect(stableSwapKinds.map((kind) => net.stateOf(ledger, net.poolOf(kind)).isUsable)).toEqual([
      true,
      true,
      true,
      true,
    ])
  })

  it('notices a token that rebases beside one that burns all gas on what it does not know', async () => {
    const { DAI } = localnet.tokens
    // JUMPI for `decimals()`, which is 18; else a loop.
    const bytecode = '0x5f3560e01c63313ce567146012575b600e565b60125f5260205ff3'
    const burner: Address = `0x${'b0'.repeat(20)}`
    await localnet.client.setCode({ address: burner, bytecode })
    const shares = readPackageContract('PooledShares')
    const rebasing = await deployContract(localnet, shares, [10n ** 24n, 10n ** 24n, deployer])
    const { abi } = readPackageContract('CurveFactory')
    const none = '0x0000000000000000000000000000000000000000'
    for (const coins of [
      [burner, rebasing],
      [burner, DAI],
    ]) {
      const args = [[...coins, none, none], 100n, 4_000_000n]
      await net.manage(localnet.contracts.curveFactory, abi, 'deploy_plain_pool', args)
    }
    const ledger = await net.readAll()
    const found = ledger.whole()!.pools.filter(({ listing }) => listing.tokens.includes(burner))
    expect(found.map(({ listing }) => [listing.tokens[1], listing.fixed])).toMatchObject([
      [rebasing, { decimals: [18, 18], isFloating: true }],
      [DAI, { decimals: [18, 18], isFloating: false }],
    ])
  })

  it('names the wrapped token in pools of the native one, but not in those that also trade it', async () => {
    const { WETH, DAI, USDC } = localnet.tokens
    const swaps = createNativeStableSwaps(localnet)
    const token = await swaps.createToken('stETH')
    const ours = [
      await swaps.createPool([nativeTokenAddress, token], 10n ** 20n),
      await swaps.registerPool([token, nativeTokenAddress], 10n ** 20n),
      await swaps.registerPool([token, nativeTokenAddress, DAI], 10n ** 20n),
    ]
    await swaps.createPool([nativeTokenAddress, WETH], 10n ** 18n)
    const pancake = readPackageContract('PancakeStableFactory').abi
    const { pancakeStableFactory } = localnet.contracts
    const coins = [[nativeTokenAddress, USDC], 9n, 1n]
    await net.manage(pancakeStableFactory, pancake, 'createSwapPair', coins)

    const ledger = await net.readAll()
    expect(net.pools(ledger)).toHaveLength(7)
    expect(ours.map((pool) => ledger.standing(pool)?.listing)).toMatchObject([
      { tokens: [WETH, token], fixed: { nativeIndex: 0, decimals: [18, 18] } },
      { tokens: [token, WETH], fixed: { nativeIndex: 1 } },
      { tokens: [token, WETH, DAI], fixed: { nativeIndex: 1 } },
    ])
    for (const pool of ours) expect(net.stateOf(ledger, pool)).toMatchObject({ isUsable: true })
    await swaps.call(token, erc20Abi, 'approve', [ours[1]!, 10n ** 18n])
    const { abi } = readPackageContract('CurvePool')
    await swaps.call(ours[0]!, abi, 'exchange', [0n, 1n, 10n ** 18n, 0n], 10n ** 18n)
    await swaps.call(ours[1]!, abi, 'exchange', [0n, 1n, 10n ** 18n, 0n])
    expect((await net.follow(ledger)).sort()).toEqual(ours.slice(0, 2).sort())
    await net.expectFollowed(ledger)
  })

  it('skips pools of lending tokens, of other pools, and of tokens with too many decimals', async () => {
    const { abi } = readPackageContract('CurveRegistry')
    const token = await deployContract(localnet, readArtifact('Token'), ['T', 'T', 19])
    const odd = readPackageContract('OddPool')
    const lending = await deployContract(localnet, odd, [[localnet.tokens.USDC, localnet.tokens.DAI]])
    const strange = await deployContract(localnet, odd, [[token, localnet.tokens.DAI]])
    for (const [pool, method] of [
      [lending, '0x3ba0b9a9'],
      [strange, '0x'],
      [deployer, '0x'],
    ]) {
      await net.manage(localnet.contracts.curveRegistry, abi, 'add_pool', [pool, method])
    }
    expect(net.pools(await net.readAll())).toHaveLength(4)
  })
})
