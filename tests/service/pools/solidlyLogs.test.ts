import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deployer, send } from '../../../dev/chain/client.ts'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import type { Address } from '../../../service/config.ts'
import { type SolidlyState, solidly } from '../../../service/pools/solidly.ts'
import { deployContract } from '../../helpers/node/deployContract.ts'
import { keepChain } from '../../helpers/node/revertChain.ts'
import { createSolidlyStage } from '../../helpers/node/solidlyStage.ts'
import { followPools } from '../../helpers/service/followPools.ts'
import { slow } from '../../helpers/slow.ts'

slow('A chain runs.')

const tokenAbi = parseAbi(['function transfer(address, uint256)'])
const poolAbi = parseAbi([
  'function getAmountOut(uint256, address) view returns (uint256)',
  'function swap(uint256, uint256, address, bytes)',
  'function sync()',
  'function burn(address)',
])

let localnet: Localnet
let stage: ReturnType<typeof createSolidlyStage>
beforeAll(async () => {
  localnet = await createLocalnet()
  stage = createSolidlyStage(localnet)
})
afterAll(() => localnet.stop())
keepChain(() => localnet)

const poolOf = (title: string) => localnet.pools.find((pool) => pool.title === title)!.address
const volatile = () => poolOf('WETH/USDC solidly volatile 0.3 %')
const stable = () => poolOf('USDC/DAI solidly stable 0.02 %')

const { chain, ethCalls, readAll, follow, pools, stateOf, expectFollowed, followWithoutKind } =
  followPools<SolidlyState>(() => localnet, 'solidly')

async function swap(pool: Address, token: Address, amount: bigint): Promise<void> {
  const read = { address: pool, abi: poolAbi } as const
  const bought = await localnet.client.readContract({
    ...read,
    functionName: 'getAmountOut',
    args: [amount, token],
  })
  const { tokens } = (await readAll()).standing(pool)!.listing
  await call(token, encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [pool, amount] }))
  const outs = token === tokens[0] ? ([0n, bought] as const) : ([bought, 0n] as const)
  const args = [...outs, deployer, '0x'] as const
  await call(pool, encodeFunctionData({ abi: poolAbi, functionName: 'swap', args }))
}

const call = (to: Address, data: Hex) => send(localnet.client, { to, data })

describe('following Solidly pools', () => {
  it('lists the pools of the factory with formula, decimals, fee and reserves', async () => {
    const found = pools(await readAll())
    expect(found).toHaveLength(4)
    const of = (address: Address) => found.find(({ listing }) => listing.address === address)
    expect(of(volatile())).toMatchObject({
      listing: { fixed: { isStable: false, factory: localnet.contracts.solidlyFactory } },
      state: { fee: 30, isPaused: false },
    })
    expect(of(stable())).toMatchObject({
      listing: { fixed: { isStable: true, units: [10n ** 6n, 10n ** 18n] } },
      state: { reserve0: 1_070_000n * 10n ** 6n, reserve1: 10n ** 24n, fee: 2 },
    })
  })

  it('reads swaps, donations and removed liquidity from logs alone', async () => {
    const ledger = await readAll()
    const { USDC, DAI, WETH } = localnet.tokens
    for (const change of [
      () => swap(volatile(), WETH, 10n ** 18n),
      () => swap(volatile(), USDC, 12_345_678n),
      () => swap(stable(), USDC, 5n),
      () => swap(stable(), DAI, 10n ** 21n),
      () => call(stable(), encodeFunctionData({ abi: poolAbi, functionName: 'sync' })),
      async () => {
        await call(
          volatile(),
          encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [volatile(), 10n ** 9n] }),
        )
        await call(volatile(), encodeFunctionData({ abi: poolAbi, functionName: 'burn', args: [deployer] }))
      },
    ]) {
      await change()
      await readAll()
      const before = ethCalls()
      await follow(ledger)
      expect(ethCalls()).toBe(before)
      await expectFollowed(ledger)
    }
  })

  it('reads the fee of a pool again when the factory sets it, also to none', async () => {
    const ledger = await readAll()
    for (const [set, is] of [
      [77n, 77],
      [420n, 0],
      [0n, 30],
    ] as const) {
      await stage.setCustomFee(volatile(), set)
      expect(await follow(ledger)).toEqual([volatile()])
      expect(stateOf(ledger, volatile()).fee).toBe(is)
    }
  })

  it('notices a changed default fee, which has no event, by the next swap', async () => {
    const ledger = await readAll()
    await stage.setFee(false, 55n)
    await follow(ledger)
    expect(stateOf(ledger, volatile()).fee).toBe(30)
    await swap(volatile(), localnet.tokens.WETH, 10n ** 18n)
    await follow(ledger)
    expect(stateOf(ledger, volatile()).fee).toBe(55)
    await expectFollowed(ledger)
  })

  it('marks all pools of a paused factory, until it goes on', async () => {
    const ledger = await readAll()
    for (const isPaused of [true, false]) {
      await stage.setPauseState(isPaused)
      expect(await follow(ledger)).toHaveLength(4)
      expect(pools(ledger).map(({ state }) => state.isPaused)).toEqual(Array(4).fill(isPaused))
    }
    await expectFollowed(ledger)
  })

  it('ignores events of a factory that other contracts emit', async () => {
    const ledger = await readAll()
    // LOG2 and LOG1 of the events, with a word of data.
    const [fee, paused] = [
      '0xae468ce586f9a87660fdffc1448cee942042c16ae2f02046b134b5224f31936b',
      '0x0d76538efc408318a051137c2720a9e82902acdbd46b802d488b74ca3a09a116',
    ]
    const forger = await deployContract(localnet, { abi: [], bytecode: forgery(fee, volatile()) }, [])
    const other = await deployContract(localnet, { abi: [], bytecode: forgery(paused) }, [])
    for (const to of [forger, other]) await call(to, '0x')
    const before = ethCalls()
    const changed = await follow(ledger)
    // Seen, and without effect.
    expect(changed).toEqual([volatile()])
    expect(ethCalls()).toBe(before)
    await expectFollowed(ledger)
  })

  it('adds a pool that the factory creates', async () => {
    const ledger = await readAll()
    const { address } = await stage.createPool([18, 6], true)
    expect(await follow(ledger)).toEqual([address])
    expect(stateOf(ledger, address)).toEqual({ reserve0: 0n, reserve1: 0n, fee: 5, isPaused: false })
  })

  it('skips a pool announced twice, as Velodrome does with its converter of the old token', async () => {
    const factory = localnet.config.factories.find(({ kind }) => kind === 'solidly')!
    const { number } = await chain().header()
    const [one, other] = await chain().logs([solidly.created!], 0n, number, [factory.address])
    const listed = await solidly.list(
      chain(),
      number,
      [one!, other!, other!],
      factory,
      localnet.config.wrapped,
    )
    expect(listed.map(({ address }) => address)).toEqual([
      (one!.args as { pool: Address }).pool.toLowerCase(),
    ])
  })

  it('asks for no log of a chain without such a factory', async () => {
    const change = () => swap(volatile(), localnet.tokens.WETH, 10n ** 18n)
    const { ledger, asked } = await followWithoutKind(change)
    expect(pools(ledger)).toEqual([])
    expect(asked.length).toBeGreaterThan(0)
    // Sync(uint256,uint256)
    expect(asked.join()).not.toContain('cf2aa50876cdfbb541206f89af0ee78d44a2abf8d328e37fa4917f982149848a')
  })
})

/** Init code of a contract that logs the topics, and a word of ones. */
function forgery(topic: string, pool?: Address): Hex {
  const topics = pool === undefined ? [topic] : [`0x${pool.slice(2).padStart(64, '0')}`, topic]
  const pushed = topics.map((word) => `7f${word.slice(2)}`).join('')
  const runtime = `60016000${'52'}${pushed}60206000a${topics.length}00`
  const size = (runtime.length / 2).toString(16).padStart(2, '0')
  return `0x60${size}600c60003960${size}6000f3${runtime}`
}
