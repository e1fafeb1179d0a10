import { maxUint256, parseAbiItem } from 'viem'
import type { Address } from '../config.ts'
import { view, words } from '../indexer/abiWords.ts'
import { toLowerAddress } from '../indexer/address.ts'
import type { Log } from '../indexer/chain.ts'
import { gasCosts } from './gasCosts.ts'
import { createLiquidityRanges } from './liquidityRanges.ts'
import type { Pool } from './pool.ts'
import type { PoolInfo, PoolType } from './poolType.ts'
import type { Curve } from './priceCurve.ts'
import { isAmount, isInteger, isRecord } from './valid.ts'

type Fee = { feePpm: number }

export type Reserves = { reserve0: bigint; reserve1: bigint }

/** Uniswap v2 and compatible pools: x·y = k (v2 whitepaper, 3.2.1). */
export const constantProduct: PoolType<Fee, Reserves> = {
  created: parseAbiItem(
    'event PairCreated(address indexed token0, address indexed token1, address pair, uint256 count)',
  ),

  async list(_chain, _block, logs, { kind, source, feePpm }) {
    return logs.map(({ args }) => {
      const { token0, token1, pair } = args as Record<'token0' | 'token1' | 'pair', Address>
      const tokens = [toLowerAddress(token0), toLowerAddress(token1)]
      return { kind, source, address: toLowerAddress(pair), tokens, fixed: { feePpm } }
    })
  },

  lookup: {
    queries: [{ signature: 'getPair(address,address)' }],
    list: ({ address, tokens }, { kind, source, feePpm }) => {
      return { kind, source, address, tokens, fixed: { feePpm } }
    },
  },

  changes: [parseAbiItem('event Sync(uint112 reserve0, uint112 reserve1)')],

  poolOf: ({ address }) => toLowerAddress(address),
  isRestless: () => false,

  async read(chain, block, readings) {
    const synced = readings.map(({ logs }) => afterSync(logs))
    const fresh = readings.filter((_, i) => synced[i] === undefined)
    const known = await chain.readPools(
      fresh.map(({ listing: { address } }) => ({ address })),
      block,
    )
    const rest = fresh.filter((_, i) => known[i] === undefined)
    const calls = rest.map(({ listing }) => [{ to: listing.address, data: getReserves() }])
    const answers = await chain.read(calls, block)
    const [fromLens, fromCalls] = [known.values(), answers.values()]
    return synced.map((state) => {
      if (state !== undefined) return state
      const pool = fromLens.next().value
      if (pool !== undefined && 'reserve0' in pool) return pool
      const [answer = '0x'] = fromCalls.next().value ?? []
      const [reserve0 = 0n, reserve1 = 0n] = words(answer)
      return { reserve0, reserve1 }
    })
  },

  pool: constantProductPool,

  isValid(tokenCount, fixed, state) {
    return (
      tokenCount === 2 &&
      isRecord(fixed) &&
      isInteger(fixed.feePpm, 0, 999_999) &&
      isRecord(state) &&
      isAmount(state.reserve0, 0n, maxUint256) &&
      isAmount(state.reserve1, 0n, maxUint256)
    )
  },
}

/** Every change of the reserves ends with Sync (UniswapV2Pair._update). */
function afterSync(logs: readonly Log[]): Reserves | undefined {
  const last = logs.findLast(({ eventName }) => eventName === 'Sync')
  if (last === undefined) return undefined
  const { reserve0, reserve1 } = last.args as Reserves
  return { reserve0, reserve1 }
}

const getReserves = view('function getReserves()')

const million = 1_000_000n
/** Reserves have 112 bits (v2 whitepaper, 3.7). */
const maxReserve = 2n ** 112n - 1n

export function constantProductPool(listing: PoolInfo<Fee>, { reserve0, reserve1 }: Reserves): Pool {
  const { address, source, tokens } = listing
  const { feePpm } = listing.fixed
  const keepPpm = million - BigInt(feePpm)
  const curves: (Curve | undefined)[] = []

  const reserves = (sell: Address) =>
    (sell === tokens[0] ? [reserve0, reserve1] : [reserve1, reserve0]) as [bigint, bigint]

  return {
    address,
    source,
    tokens,

    quote(sell, _buy, amount) {
      const [reserveIn, reserveOut] = reserves(sell)
      if (amount <= 0n || reserveIn === 0n || reserveIn + amount > maxReserve) return 0n
      const input = amount * keepPpm
      return (input * reserveOut) / (reserveIn * million + input)
    },

    curve(sell) {
      const direction = sell === tokens[0] ? 0 : 1
      const [reserveIn, reserveOut] = reserves(sell).map(Number) as [number, number]
      curves[direction] ??= createLiquidityRanges(
        Number(keepPpm) / 1e6,
        reserveIn === 0 ? [] : [{ reserveIn, reserveOut, room: Number.POSITIVE_INFINITY }],
      )
      return curves[direction]
    },

    spot(sell) {
      const [reserveIn, reserveOut] = reserves(sell).map(Number) as [number, number]
      if (reserveIn === 0 || reserveOut === 0) return { start: 0, depth: 0 }
      return { start: (Number(keepPpm) / 1e6) * (reserveOut / reserveIn), depth: reserveOut }
    },

    gas: () => gasCosts.constantProduct,
    encode: () => ({ kind: 2, fee: feePpm }),
  }
}
