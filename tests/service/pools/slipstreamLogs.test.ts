import { encodeFunctionData, type Hex, keccak256, parseAbi, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { send } from '../../../dev/chain/client.ts'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import type { Address, ChainConfig } from '../../../service/config.ts'
import type { SlipstreamState } from '../../../service/pools/slipstream.ts'
import { deployContract } from '../../helpers/node/deployContract.ts'
import { keepChain } from '../../helpers/node/revertChain.ts'
import { createSlipstreamStage } from '../../helpers/node/slipstreamStage.ts'
import { followPools } from '../../helpers/service/followPools.ts'
import { slow } from '../../helpers/slow.ts'

slow('A chain runs.')

let localnet: Localnet
let stage: ReturnType<typeof createSlipstreamStage>
beforeAll(async () => {
  localnet = await createLocalnet()
  stage = createSlipstreamStage(localnet)
})
afterAll(() => localnet.stop())
keepChain(() => localnet)

const poolOf = (title: string) => localnet.pools.find((pool) => pool.title === title)!.address
const withGauge = () => poolOf('WETH/USDC slipstream 100 0.04 %')
const plain = () => poolOf('USDC/DAI slipstream 1 0.01 %')

/** Without pools of other kinds, which are read in each block. */
function ownConfig(): ChainConfig {
  const { config } = localnet
  return { ...config, factories: config.factories.filter(({ kind }) => kind === 'slipstream') }
}

const { ethCalls, readAll, follow, pools, stateOf, expectFollowed, followWithoutKind } =
  followPools<SlipstreamState>(() => localnet, 'slipstream', { config: ownConfig })

describe('following Slipstream pools', () => {
  it('lists the pools of the factory with tick spacing, fee and its module', async () => {
    const found = pools(await readAll())
    const { slipstreamFactory: factory, slipstreamFees: module } = localnet.contracts
    expect(found).toHaveLength(3)
    const of = (address: Address) => found.find(({ listing }) => listing.address === address)
    expect(of(withGauge())).toMatchObject({
      listing: { source: 'AERODROME_SLIPSTREAM', fixed: { factory, tickSpacing: 100 } },
      state: { feePpm: 400, module, isMoving: false, observations: 0 },
    })
    expect(of(plain())).toMatchObject({ listing: { fixed: { tickSpacing: 1 } }, state: { feePpm: 100 } })
    for (const { state } of found) expect(state.ticks.length).toBeGreaterThan(3)
  })

  it('reads swaps from logs alone, and positions by their ticks', async () => {
    const ledger = await readAll()
    for (const [isFree, change] of [
      [true, () => stage.sell(withGauge(), true, 10n ** 9n)],
      [true, () => stage.sell(withGauge(), false, 10n ** 15n)],
      [true, () => stage.sell(plain(), true, 5n)],
      [false, () => stage.mint(withGauge(), -300_000, 300_000, 10n ** 12n)],
      [false, () => stage.burn(withGauge(), -300_000, 300_000, 10n ** 12n)],
      [false, () => stage.mint(plain(), -277_000, -276_000, 10n ** 14n)],
    ] as const) {
      await change()
      await readAll()
      const before = ethCalls()
      expect(await follow(ledger)).toHaveLength(1)
      if (isFree) expect(ethCalls()).toBe(before)
      await expectFollowed(ledger)
    }
  })

  it('reads the fee of a pool again, and nothing else, when the module sets it', async () => {
    const ledger = await readAll()
    for (const [set, is] of [
      [77, 77],
      [420, 0],
      [0, 500],
    ] as const) {
      await stage.setCustomFee(withGauge(), set)
      const before = ethCalls()
      expect(await follow(ledger)).toEqual([withGauge()])
      expect(ethCalls()).toBe(before + 1)
      expect(stateOf(ledger, withGauge()).feePpm).toBe(is)
    }
    await expectFollowed(ledger)
  })

  it('reads the fees of all pools again when the module changes what holds for all', async () => {
    const ledger = await readAll()
    await stage.setDefaultFeeCap(60n)
    expect(await follow(ledger)).toHaveLength(3)
    expect(stateOf(ledger, withGauge()).feePpm).toBe(60)
    await stage.grow(withGauge(), 400)
    expect(await follow(ledger)).toEqual([withGauge()])
    expect(stateOf(ledger, withGauge())).toMatchObject({ isMoving: false, observations: 400 })
    await stage.setDefaultScalingFactor(1_000_000n)
    expect(await follow(ledger)).toHaveLength(3)
    expect(ledger.restless().map(({ listing }) => listing.address)).toEqual([withGauge()])
    await expectFollowed(ledger)
    await stage.setSecondsAgo(900)
    expect(await follow(ledger)).toHaveLength(3)
    expect(ledger.restless()).toEqual([])
    await expectFollowed(ledger)
  })

  it('reads the fees of all pools again when the factory has another module, and heeds that one', async () => {
    const ledger = await readAll()
    const custom = await stage.deployModule('CustomSwapFeeModule')
    await stage.setFeeModule(custom)
    expect(await follow(ledger)).toHaveLength(3)
    expect(stateOf(ledger, withGauge())).toMatchObject({ feePpm: 500, module: custom, isMoving: false })
    await stage.setCustomFee(withGauge(), 800, custom)
    await follow(ledger)
    expect(stateOf(ledger, withGauge()).feePpm).toBe(800)
    // The module of before.
    await stage.setCustomFee(withGauge(), 900)
    const before = ethCalls()
    await follow(ledger)
    expect(ethCalls()).toBe(before)
    await expectFollowed(ledger)
  })

  it('reads the fee of a pool again when a module of the older kind sets it', async () => {
    const ledger = await readAll()
    const older = await stage.deployModule('OlderFeeModule')
    await stage.setFeeModule(older)
    await follow(ledger)
    expect(stateOf(ledger, withGauge())).toMatchObject({ feePpm: 250, module: older, isMoving: false })
    await stage.setCustomFee(withGauge(), 800, older)
    expect(await follow(ledger)).toEqual([withGauge()])
    expect(stateOf(ledger, withGauge()).feePpm).toBe(800)
    await expectFollowed(ledger)
  })

  it('reads fees in each block while a module of another kind tells them', async () => {
    const ledger = await readAll()
    await stage.setFeeModule(await stage.deployModule('TimeFeeModule'))
    await follow(ledger)
    const fees = new Set<number>()
    for (let i = 0; i < 4; i++) {
      await localnet.client.increaseTime({ seconds: 7 })
      await localnet.client.mine({ blocks: 1 })
      await follow(ledger)
      const { feePpm, isMoving } = stateOf(ledger, plain())
      expect(isMoving).toBe(true)
      expect(feePpm).toBe(await stage.feeOf(plain(), ledger.block()!.number))
      fees.add(feePpm)
    }
    expect(fees.size).toBeGreaterThan(2)
    await expectFollowed(ledger)
  })

  it('trades in no pool whose first swap of a block may pay another fee', async () => {
    const ledger = await readAll()
    const module = await stage.deployModule('InitialFeeModule')
    await stage.setFeeModule(module)
    await follow(ledger)
    expect(stateOf(ledger, withGauge())).toMatchObject({ feePpm: 250, isMoving: false })
    const abi = parseAbi(['function setInitialFee(address, uint24)', 'function disableInitialFee(address)'])
    for (const [functionName, args, fee] of [
      ['setInitialFee', [withGauge(), 10], 1_000_000],
      ['disableInitialFee', [withGauge()], 250],
    ] as const) {
      await call(module, encodeFunctionData({ abi, functionName, args } as never))
      expect(await follow(ledger)).toEqual([withGauge()])
      expect(stateOf(ledger, withGauge()).feePpm).toBe(fee)
    }
  })

  it('ignores events of a module that other contracts emit', async () => {
    const ledger = await readAll()
    const other = await stage.deployModule('InitialFeeModule')
    const abi = parseAbi(['function setInitialFee(address, uint24)'])
    await call(other, encodeFunctionData({ abi, functionName: 'setInitialFee', args: [withGauge(), 10] }))
    // DefaultFeeCapSet(uint256): about all pools of a module.
    const topic = keccak256(toHex('DefaultFeeCapSet(uint256)')).slice(2)
    const runtime = `602a7f${topic}60006000a200`
    const size = (runtime.length / 2).toString(16).padStart(2, '0')
    const bytecode: Hex = `0x60${size}600c60003960${size}6000f3${runtime}`
    await call(await deployContract(localnet, { abi: [], bytecode }, []), '0x')
    const before = ethCalls()
    // Seen, and without effect.
    expect(await follow(ledger)).toEqual([withGauge()])
    expect(ethCalls()).toBe(before)
    await expectFollowed(ledger)
  })

  it('adds a pool that the factory creates', async () => {
    const ledger = await readAll()
    const { WBTC, LINK } = localnet.tokens
    const tokens = [WBTC, LINK].sort() as [Address, Address]
    const address = await stage.createPool(tokens, 200, 1_234)
    expect(await follow(ledger)).toEqual([address])
    expect(stateOf(ledger, address)).toMatchObject({ tick: 1_234, liquidity: 0n, ticks: [], feePpm: 3_000 })
    await stage.approve(WBTC)
    await stage.approve(LINK)
    await stage.mint(address, 0, 2_000, 10n ** 9n)
    await follow(ledger)
    expect(stateOf(ledger, address).ticks.map(({ index }) => index)).toEqual([0, 2_000])
    await expectFollowed(ledger)
  })

  it('asks for no log of a chain without such a factory', async () => {
    const change = () => stage.sell(withGauge(), true, 10n ** 9n)
    const { ledger, asked } = await followWithoutKind(change)
    expect(pools(ledger)).toEqual([])
    expect(asked.length).toBeGreaterThan(0)
    // PoolCreated(address,address,int24,address)
    expect(asked.join()).not.toContain('ab0d57f0df537bb25e80245ef7748fa62353808c54d6e528a9dd20887aed9ac2')
  })
})

const call = (to: Address, data: Hex) => send(localnet.client, { to, data })
