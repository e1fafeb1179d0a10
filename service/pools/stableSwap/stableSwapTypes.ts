import { type AbiEvent, type Hex, parseAbi } from 'viem'
import type { Address, Factory } from '../../config.ts'
import { addressOf, view, words } from '../../indexer/abiWords.ts'
import { toLowerAddress } from '../../indexer/address.ts'
import type { BlockRef, Chain, Log } from '../../indexer/chain.ts'
import type { PoolQuery, PoolType } from '../poolType.ts'
import { listIn, listStableSwaps } from './listStableSwap.ts'
import { readIsolated } from './readIsolated.ts'
import { readStableSwaps } from './readStableSwap.ts'
import {
  isStableSwap,
  ngForm,
  type StableSwapInfo,
  type StableSwapState,
  stableSwapPool,
} from './stableSwapPool.ts'

type StableSwapType = PoolType<StableSwapInfo, StableSwapState>

/** Events with amounts per token have another signature for each number of tokens. */
const liquidityEvents = ['uint256[2]', 'uint256[3]', 'uint256[4]'].flatMap((amounts) => [
  `event AddLiquidity(address indexed provider, ${amounts} token_amounts, ${amounts} fees, uint256 invariant, uint256 token_supply)`,
  `event RemoveLiquidity(address indexed provider, ${amounts} token_amounts, ${amounts} fees, uint256 token_supply)`,
  `event RemoveLiquidityImbalance(address indexed provider, ${amounts} token_amounts, ${amounts} fees, uint256 invariant, uint256 token_supply)`,
])

const rampEvents = [
  'event RampA(uint256 old_A, uint256 new_A, uint256 initial_time, uint256 future_time)',
  'event StopRampA(uint256 A, uint256 t)',
]

const signedExchange =
  'event TokenExchange(address indexed buyer, int128 sold_id, uint256 tokens_sold, int128 bought_id, uint256 tokens_bought)'

const classicEvents = parseAbi([
  signedExchange,
  ...liquidityEvents,
  'event RemoveLiquidityOne(address indexed provider, uint256 token_amount, uint256 coin_amount)',
  'event RemoveLiquidityOne(address indexed provider, uint256 token_amount, uint256 coin_amount, uint256 token_supply)',
  ...rampEvents,
  'event NewFee(uint256 fee, uint256 admin_fee)',
] as string[]) as readonly AbiEvent[]

/** The first four pools of a pair. */
const byIndex = Array.from({ length: 4 }, (_, argument) => ({
  ...{ signature: 'find_pool_for_coins(address,address,uint256)', argument },
}))

/** The pair's pools of the native token as well. */
const byNativeIndex = [...byIndex, ...byIndex.map((query) => ({ ...query, isNative: true as const }))]

/** Curve's first pools, which its registry lists. */
export const curve = createType({
  form: 0,
  created: parseAbi(['event PoolAdded(address indexed pool, bytes rate_method_id)'])[0],
  // Pools of lending tokens have a method for their rates.
  find: async (_chain, _block, logs) =>
    logs.flatMap(({ args }) => {
      const { pool, rate_method_id } = args as { pool: Address; rate_method_id: Hex }
      return BigInt(rate_method_id === '0x' ? 0 : rate_method_id) === 0n ? [pool] : []
    }),
  queries: byNativeIndex,
  // Lookups do not tell the method.
  isRated: true,
  changes: classicEvents,
})

/** Plain pools of Curve's first factories. */
export const curveFactory = createType({
  form: 0,
  created: parseAbi([
    'event PlainPoolDeployed(address[4] coins, uint256 A, uint256 fee, address deployer)',
  ])[0],
  find: findByTokens,
  queries: byNativeIndex,
  changes: classicEvents,
  isAnyones: true,
})

/** Plain pools of Curve's StableSwap-NG. */
export const curveNg = createType({
  form: ngForm,
  created: parseAbi([
    'event PlainPoolDeployed(address[] coins, uint256 A, uint256 fee, address deployer)',
  ])[0],
  find: findByTokens,
  queries: byIndex,
  isAnyones: true,
  changes: parseAbi([
    signedExchange,
    'event AddLiquidity(address indexed provider, uint256[] token_amounts, uint256[] fees, uint256 invariant, uint256 token_supply)',
    'event RemoveLiquidity(address indexed provider, uint256[] token_amounts, uint256[] fees, uint256 token_supply)',
    'event RemoveLiquidityOne(address indexed provider, int128 token_id, uint256 token_amount, uint256 coin_amount, uint256 token_supply)',
    'event RemoveLiquidityImbalance(address indexed provider, uint256[] token_amounts, uint256[] fees, uint256 invariant, uint256 token_supply)',
    ...rampEvents,
    'event ApplyNewFee(uint256 fee, uint256 offpeg_fee_multiplier)',
  ] as string[]) as readonly AbiEvent[],
})

/** Pools of PancakeSwap's StableSwap, of two or three tokens. */
export const pancakeStable = createType({
  form: 1,
  created: parseAbi([
    'event NewStableSwapPair(address indexed swapContract, address tokenA, address tokenB, address tokenC, address LP)',
  ])[0],
  find: async (_chain, _block, logs) =>
    logs.map(({ args }) => (args as { swapContract: Address }).swapContract),
  // The answers begin with the pool.
  queries: ['getPairInfo', 'getThreePoolPairInfo'].map((name) => ({ signature: `${name}(address,address)` })),
  changes: parseAbi([
    'event TokenExchange(address indexed buyer, uint256 sold_id, uint256 tokens_sold, uint256 bought_id, uint256 tokens_bought)',
    ...liquidityEvents.slice(0, 6),
    'event RemoveLiquidityOne(address indexed provider, uint256 index, uint256 token_amount, uint256 coin_amount)',
    ...rampEvents,
    'event NewFee(uint256 fee, uint256 admin_fee)',
    'event DonateAdminFees()',
    'event Kill()',
    'event Unkill()',
  ] as string[]) as readonly AbiEvent[],
})

type Variant = Pick<StableSwapType, 'created' | 'changes'> & {
  form: number
  /** True if anyone creates pools. */
  isAnyones?: boolean
  /** Questions to the factory for the pools of a pair. */
  queries?: readonly PoolQuery[]
  /** True if pools that a lookup finds may be of lent tokens, of which the factory tells the rates. */
  isRated?: true
  /** Returns the addresses of the pools that the logs announce. */
  find(chain: Chain, block: BlockRef, logs: readonly Log[], factory: Factory): Promise<Address[]>
}

function createType(variant: Variant): StableSwapType {
  const { form, created, find, changes, queries, isRated, isAnyones = false } = variant
  return {
    created,
    changes,
    list: async (chain, block, logs, factory, wrapped) =>
      listStableSwaps(chain, block, await find(chain, block, logs, factory), form, factory, wrapped),
    ...(queries && {
      lookup: {
        // A pair may have more pools than queries, and the first may be anyone's.
        isPartial: true,
        queries,
        read: (chain, block, found, factory, wrapped) => {
          const addresses = found.map(({ address }) => address)
          return listStableSwaps(chain, block, addresses, form, factory, wrapped, isRated)
        },
      },
    }),
    isExtra: () => isAnyones,
    holdings: ({ isUsable, balances }) => (isUsable ? balances : []),
    poolOf: ({ address }) => toLowerAddress(address),
    isRestless: ({ isMoving }) => isMoving,
    read: (chain, block, readings) =>
      readStableSwaps(
        chain,
        block,
        readings.map(({ listing }) => listing),
      ),
    pool: stableSwapPool,
    isValid: isStableSwap,
  }
}

const poolCount = view('function pool_count()')
const poolList = view('function pool_list(uint256)')
const getCoins = view('function get_coins(address)')

/** The factories' events name the tokens only: returns all pools of the same tokens created since. */
async function findByTokens(
  chain: Chain,
  block: BlockRef,
  logs: readonly Log[],
  { address: to }: Factory,
): Promise<Address[]> {
  const key = (tokens: readonly bigint[]) => tokens.filter((token) => token !== 0n).join()
  const announced = new Set(logs.map(({ args }) => key((args as { coins: Address[] }).coins.map(BigInt))))
  const [before, count] = await Promise.all([
    countBefore(chain, block, logs, to),
    countPools(chain, block, to),
  ])

  async function findFrom(first: number): Promise<Address[]> {
    const places = Array.from({ length: Math.max(count - first, 0) }, (_, i) => first + i)
    const named = await readIsolated(
      chain,
      block,
      places.map((i) => [{ to, data: poolList(i) }]),
    )
    const pools = named.flatMap(([pool = '0x']) => addressOf(words(pool)[0]) ?? [])
    const asked = pools.map((pool) => [{ to, data: getCoins(pool) }])
    const tokens = await readIsolated(chain, block, asked)
    return pools.filter((_, i) => announced.has(key(listIn(tokens[i]?.[0]))))
  }

  const found = await findFrom(before)
  // The earlier block was asked by number, and may have been of another fork.
  return found.length < logs.length && before > 0 ? findFrom(0) : found
}

/** RPCs without an archive have the states of at least 64 blocks. */
const keptStates = 64n

/** Returns how many pools a factory had before the logs; 0 if that cannot be read. */
async function countBefore(
  chain: Chain,
  block: BlockRef,
  logs: readonly Log[],
  factory: Address,
): Promise<number> {
  const newest = typeof block === 'bigint' ? block : block.number
  const first = logs[0]?.blockNumber ?? newest
  if (first === 0n || newest - first >= keptStates) return 0
  return countPools(chain, first - 1n, factory).catch(() => 0)
}

async function countPools(chain: Chain, block: BlockRef, to: Address): Promise<number> {
  const [[count = '0x'] = []] = await chain.read([[{ to, data: poolCount() }]], block)
  return Number(words(count)[0] ?? 0n)
}
