import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createExecutor, type Executor } from '../../../bench/peers/execute.ts'
import { createGrid } from '../../../bench/peers/grid.ts'
import { readLocalMarket } from '../../../bench/peers/markets.ts'
import type { Leg, PeerMarket, PeerRoute } from '../../../bench/peers/peer.ts'
import { createSettler, type Settler } from '../../../bench/peers/settle.ts'
import { deployer } from '../../../dev/chain/client.ts'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import type { TokenSymbol } from '../../../dev/pools/tokens.ts'
import type { Address } from '../../../service/config.ts'
import type { FeeTier } from '../../../service/pools/concentrated.ts'
import { slow } from '../../helpers/slow.ts'

slow('A chain runs.')

let localnet: Localnet
let market: PeerMarket
let settle: Settler
let executor: Executor

beforeAll(async () => {
  localnet = await createLocalnet()
  market = await readLocalMarket(localnet)
  settle = createSettler(market.pools)
  const feeOf = (pool: Address) => {
    const { kind, fixed } = market.pools.find(({ listing }) => listing.address === pool)!.listing
    return kind === 'concentrated' ? (fixed as FeeTier).feePpm : 0
  }
  executor = await createExecutor(localnet, feeOf)
})

afterAll(() => localnet.stop())

/** `title` as in `Localnet.pools`. */
function leg(title: string, sell: TokenSymbol, buy: TokenSymbol, part = 1): Leg {
  const pool = localnet.pools.find((one) => one.title === title)
  if (pool === undefined) throw new Error(`No pool ${title}.`)
  return { pool: pool.address, sell: localnet.tokens[sell], buy: localnet.tokens[buy], part }
}

const ether = 10n ** 18n
const stable = 'USDC/USDT/DAI stable 200 0.04 %'

describe('createSettler', () => {
  it.each<[string, TokenSymbol, TokenSymbol, () => PeerRoute['branches']]>([
    [
      'a v3 pool over several ticks',
      'WETH',
      'USDC',
      () => [{ amount: 3_000n * ether, legs: [leg('WETH/USDC v3 0.05 %', 'WETH', 'USDC')] }],
    ],
    [
      'v2 and v3 in one path',
      'LINK',
      'DAI',
      () => [
        {
          amount: 12_345n * ether,
          legs: [
            leg('LINK/WETH v2 0.3 %', 'LINK', 'WETH'),
            leg('WETH/USDC v3 0.3 %', 'WETH', 'USDC'),
            leg('USDC/DAI v3 0.05 %', 'USDC', 'DAI'),
          ],
        },
      ],
    ],
    [
      'a split in three, two of them through one v2 pool',
      'WETH',
      'USDT',
      () => [
        { amount: 100n * ether, legs: [leg('WETH/USDT v2 0.3 %', 'WETH', 'USDT')] },
        { amount: 7n * ether, legs: [leg('WETH/USDT v3 0.05 %', 'WETH', 'USDT')] },
        { amount: 55n * ether + 1n, legs: [leg('WETH/USDT v2 0.3 %', 'WETH', 'USDT')] },
      ],
    ],
  ])('settles %s as SwapRouter02 executes it', async (_, sell, buy, branches) => {
    const route = { branches: branches(), gas: 0 }
    const [from, to] = [localnet.tokens[sell], localnet.tokens[buy]]
    const amount = route.branches.reduce((sum, branch) => sum + branch.amount, 0n)
    const { returns } = settle(route, from, to)
    const trade = { sell: from, buy: to, amount, gasPrice: 0n }
    expect((await executor.uniswap(trade, route, returns))?.received).toBe(returns)
    expect(await executor.uniswap(trade, route, returns + 1n)).toBeUndefined()
  })

  it('settles two sales to one Balancer pool as the Vault executes them', async () => {
    const { tokens, client, contracts } = localnet
    const branches = ['DAI', 'USDT'].map((other, i) => ({
      amount: BigInt(800_000 - 150_000 * i) * 10n ** 6n,
      legs: [
        leg(stable, 'USDC', other as TokenSymbol),
        ...(other === 'DAI' ? [] : [leg(stable, 'USDT', 'DAI')]),
      ],
    }))
    const { hops, returns } = settle({ branches }, tokens.USDC, tokens.DAI)
    const pool = market.pools.find(({ listing }) => listing.address === branches[0]!.legs[0]!.pool)!
    const { poolId } = pool.listing.fixed as { poolId: `0x${string}` }
    const calls = hops.map(({ sell: assetIn, buy: assetOut, sold: amount }) => {
      const swap = { poolId, kind: 0, assetIn, assetOut, amount, userData: '0x' } as const
      const args = [
        swap,
        { sender: deployer, fromInternalBalance: false, recipient: deployer, toInternalBalance: false },
        0n,
        2n ** 40n,
      ] as const
      return { account: deployer, to: contracts.vault, data: encodeFunctionData({ abi: vaultAbi, args }) }
    })
    const [block] = await client.simulateBlocks({ blocks: [{ calls }] })
    const paid = (block?.calls ?? []).map(({ data }) => decodeFunctionResult({ abi: vaultAbi, data }))
    expect(hops.map(({ bought }) => bought)).toEqual(paid)
    expect(hops).toHaveLength(3)
    expect(returns).toBe(paid[0]! + paid[2]!)
  })

  it('settles sales to one StableSwap pool as it executes them, back and forth', async () => {
    const { tokens, client } = localnet
    for (const [title, ways] of [
      ['DAI/USDC/USDT curve 0.01 %', ['DAI', 'USDC', 'USDT']],
      ['USDC/DAI curve ng 0.01 %', ['USDC', 'DAI']],
    ] as const) {
      const last = ways.length - 1
      const [one, other] = [ways[0], ways[last]] as [TokenSymbol, TokenSymbol]
      const [first, back] = [leg(title, one, other), leg(title, other, one)]
      const unit = (symbol: TokenSymbol) => 10n ** (symbol === 'DAI' ? 18n : 6n)
      const branches = [
        { amount: 200_000n * unit(one) + 1n, legs: [first] },
        { amount: 30_000n * unit(one), legs: [first, back, first] },
      ]
      const { hops } = settle({ branches }, tokens[one], tokens[other])
      expect(hops).toHaveLength(4)
      const encode = (functionName: string, args: unknown[]) =>
        encodeFunctionData({ abi: stableSwapAbi, functionName, args } as never)
      const calls = hops.flatMap(({ sell, buy, sold }) => {
        const [i, j] = sell === tokens[one] ? [0n, BigInt(last)] : [BigInt(last), 0n]
        const look = { to: buy, data: encode('balanceOf', [deployer]) }
        return [
          look,
          { to: sell, data: encode('approve', [first.pool, sold]) },
          { to: first.pool, data: encode('exchange', [i, j, sold, 0n]) },
          look,
        ]
      })
      const [block] = await client.simulateBlocks({
        blocks: [{ calls: calls.map((call) => ({ account: deployer, ...call })) }],
      })
      const answers = block!.calls.map(({ data }) => BigInt(data === '0x' ? 0 : data))
      const bought = hops.map((_, i) => answers[4 * i + 3]! - answers[4 * i]!)
      expect(hops.map((hop) => hop.bought)).toEqual(bought)
    }
  })

  it('settles sales to one Solidly pool as it executes them', async () => {
    const { tokens, client } = localnet
    for (const [title, sell, buy, amounts] of [
      ['WETH/USDC solidly volatile 0.3 %', 'WETH', 'USDC', [5n * ether, 7n * ether + 1n]],
      ['USDC/DAI solidly stable 0.02 %', 'USDC', 'DAI', [100_000_000_001n, 30_000_000_000n]],
    ] as const) {
      const only = leg(title, sell, buy)
      const branches = amounts.map((amount) => ({ amount, legs: [only] }))
      const [from, to] = [tokens[sell], tokens[buy]]
      const { hops } = settle({ branches }, from, to)
      const encode = (functionName: string, args: unknown[]) =>
        encodeFunctionData({ abi: solidlyAbi, functionName, args } as never)
      const calls = hops.flatMap(({ sold, bought }) => [
        { to: only.pool, data: encode('getAmountOut', [sold, from]) },
        { to: from, data: encode('transfer', [only.pool, sold]) },
        {
          to: only.pool,
          data: encode('swap', [...(from < to ? [0n, bought] : [bought, 0n]), deployer, '0x']),
        },
      ])
      const [block] = await client.simulateBlocks({
        blocks: [{ calls: calls.map((call) => ({ account: deployer, ...call })) }],
      })
      expect(block!.calls.map(({ status }) => status)).toEqual(calls.map(() => 'success'))
      expect(hops.map(({ bought }) => bought)).toEqual([0, 3].map((i) => BigInt(block!.calls[i]!.data)))
    }
  })

  it('sells a part of what is left, and the rest with a part of one', () => {
    const legs = [
      leg('WETH/USDC v2 0.3 %', 'WETH', 'USDC', 0.25),
      leg('WETH/USDC v3 0.05 %', 'WETH', 'USDC', 0.5),
      leg('WETH/USDC v3 0.3 %', 'WETH', 'USDC'),
    ]
    const { WETH, USDC } = localnet.tokens
    const { hops, returns } = settle({ branches: [{ amount: ether + 1n, legs }] }, WETH, USDC)
    expect(hops.map(({ sold }) => sold)).toEqual([ether / 4n, (3n * ether) / 8n, (3n * ether) / 8n + 1n])
    expect(returns).toBe(hops.reduce((sum, { bought }) => sum + bought, 0n))
  })

  it('throws for a second use of a v3 pool', () => {
    const own = { amount: ether, legs: [leg('WETH/USDC v3 0.05 %', 'WETH', 'USDC')] }
    const { WETH, USDC } = localnet.tokens
    expect(() => settle({ branches: [own, own] }, WETH, USDC)).toThrow('cannot fill')
  })

  it('throws for more than a pool can fill', () => {
    const legs = [leg('LINK/WETH weighted 80/20 0.3 %', 'LINK', 'WETH')]
    const { LINK, WETH } = localnet.tokens
    expect(() => settle({ branches: [{ amount: 10n ** 26n, legs }] }, LINK, WETH)).toThrow('cannot fill')
  })
})

describe('createGrid', () => {
  it('returns more in a hundred slices of a large trade than in one', async () => {
    const { WETH, USDC } = localnet.tokens
    const trade = { sell: WETH, buy: USDC, amount: 5_000n * ether, gasPrice: 0n }
    const routes = await createGrid().open(market)(trade)
    const returns = routes.map((route) => settle(route, WETH, USDC).returns)
    expect(returns).toHaveLength(3)
    expect(returns[2]).toBeGreaterThan(returns[0]! + returns[0]! / 100n)
  })
})

const stableSwapAbi = parseAbi([
  'function approve(address, uint256)',
  'function exchange(int128, int128, uint256, uint256)',
  'function balanceOf(address) view returns (uint256)',
])

const solidlyAbi = parseAbi([
  'function getAmountOut(uint256, address) view returns (uint256)',
  'function transfer(address, uint256)',
  'function swap(uint256, uint256, address, bytes)',
])
const vaultAbi = parseAbi([
  'struct SingleSwap { bytes32 poolId; uint8 kind; address assetIn; address assetOut; uint256 amount; bytes userData; }',
  'struct FundManagement { address sender; bool fromInternalBalance; address recipient; bool toInternalBalance; }',
  'function swap(SingleSwap singleSwap, FundManagement funds, uint256 limit, uint256 deadline) payable returns (uint256)',
])
