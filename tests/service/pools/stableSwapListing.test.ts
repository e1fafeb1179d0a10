import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readArtifact } from '../../../contracts/artifact.ts'
import { deployer } from '../../../dev/chain/client.ts'
import { readPackageContract } from '../../../dev/chain/packageContracts.ts'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import type { PoolState } from '../../../service/indexer/poolState.ts'
import { deployContract } from '../../helpers/node/deployContract.ts'
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

async function expectFollowed(ledger: PoolState): Promise<void> {
  expect(net.pools(ledger)).toEqual(net.pools(await net.readAll()))
}

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
      })
      expect(state).toMatchObject({
        amplification: BigInt(plan.amplification * (is2020 ? 1 : 100)),
        ...{ fee: plan.fee, adminFee: 5_000_000_000n, isUsable: true, isMoving: false },
        offpegMultiplier: kind === 'curve-ng' ? 50_000_000_000n : 0n,
      })
    }
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
      const known = new Set(net.pools(ledger).map(({ listing }) => listing.address))
      await make()
      // Curve's factories do not name the pool: others of the same tokens are read again.
      const news = (await net.follow(ledger)).filter((address) => !known.has(address))
      expect(news).toHaveLength(1)
      expect(net.stateOf(ledger, news[0]!)).toMatchObject({ balances: [0n, 0n], isUsable: false })
      await expectFollowed(ledger)
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
