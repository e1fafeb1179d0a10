import { readAbi } from '../domain/abi/abi.ts'
import { encodeFunctionData } from '../domain/abi/abiCalls.ts'
import { smaller } from '../domain/bounds.ts'
import { type PoolMaker, poolAddresses } from '../domain/network/markets.ts'
import type { Address, Hex } from '../domain/token/token.ts'
import { balanceData } from './erc20.ts'
import { type Call, type CallResult, multicall } from './multicall.ts'
import type { PriceTable } from './prices.ts'
import type { Rpc } from './rpc.ts'

// Uniswap v2-core and v3-core, and pools that answer the same.
const abi = readAbi([
  'function getReserves()',
  'function slot0()',
  'function liquidity()',
  'function observe(uint32[] secondsAgos)',
])

/** Seconds over which a v3 pool's price and liquidity are averaged. */
const window = 600
/** A pool with less of the connector in it, in US dollars with eight decimals, tells no price. */
const leastDepth = 10_000n * 100_000_000n

/** Token of a known price, and another to price by it. */
type Pair = { token: Address; connector: Address }

/** Base units of the connector that are in the pool, per base unit of the token. */
type Ratio = { num: bigint; den: bigint }

/**
 * `depth` in base units of the connector. `isSettled`: the price cannot have been made for a single block at
 * no risk.
 */
type Reading = { ratio: Ratio; depth: bigint; isSettled: boolean }

/**
 * Adds to `known` the prices of `wanted` by pools against `connectors`, the first of which is priced already.
 * Pools are found by CREATE2, so that everything is one request.
 *
 * A price is the median of a token's pools, each weighted by its depth: to move it takes more than half of
 * all that is in them.
 * - v2: the reserves, all of which trade at that price.
 * - v3: the averages of ten minutes. Depth is the least of two: of the connector the pool holds, and the
 *   share of it that the average liquidity makes up around the price. The first cannot be made by a narrow
 *   position, the second not by one that is out of range.
 * - v3 pools without ten minutes of history count by their price of now, and only where nothing else is
 *   known.
 */
export async function readPools(
  rpc: Rpc,
  makers: PoolMaker[],
  connectors: Address[],
  wanted: Address[],
  known: PriceTable,
): Promise<void> {
  const open = [...new Set([...connectors, ...wanted])].filter((token) => !known.has(token))
  const reads = open.flatMap((token) =>
    connectors
      .filter((connector) => connector !== token)
      .flatMap((connector) =>
        makers.flatMap((maker) =>
          poolAddresses(maker, token, connector).map((pool) => ({
            token,
            connector,
            isV3: maker.kind === 'v3',
            calls: callsOf(maker, pool, connector),
          })),
        ),
      ),
  )
  const told = await multicall(
    rpc,
    reads.flatMap(({ calls }) => calls),
  )
  let at = 0
  const readings = reads.flatMap(({ calls, isV3, ...pair }) => {
    const answers = told.slice(at, at + calls.length)
    at += calls.length
    const reading = isV3 ? readV3(answers, pair) : readV2(answers, pair)
    return reading ? [{ ...pair, ...reading }] : []
  })
  for (const token of open) {
    const deep = readings.flatMap(({ connector, ratio, depth, isSettled, ...pair }) => {
      const by = known.get(connector)
      if (pair.token !== token || by === undefined) return []
      const worth = (depth * by.usd) / by.per
      return worth < leastDepth
        ? []
        : [{ usd: ratio.num * by.usd, per: ratio.den * by.per, worth, isSettled }]
    })
    const settled = deep.filter(({ isSettled }) => isSettled)
    const price = median(settled.length > 0 ? settled : deep)
    if (price) known.set(token, { usd: price.usd, per: price.per, source: 'pool', ageSeconds: 0 })
  }
}

function callsOf({ kind }: PoolMaker, pool: Address, connector: Address): Call[] {
  const read = (data: Hex) => ({ to: pool, data })
  if (kind === 'v2') return [read(encodeFunctionData({ abi: abi(), functionName: 'getReserves' }))]
  return [
    read(encodeFunctionData({ abi: abi(), functionName: 'slot0' })),
    read(encodeFunctionData({ abi: abi(), functionName: 'liquidity' })),
    read(encodeFunctionData({ abi: abi(), functionName: 'observe', args: [[window, 0]] })),
    { to: connector, data: balanceData(pool) },
  ]
}

function readV2([returned]: CallResult[], { token, connector }: Pair): Reading | undefined {
  const [one = 0n, other = 0n] = wordsOf(returned)
  const [own, depth] = token < connector ? [one, other] : [other, one]
  return own > 0n && depth > 0n ? { ratio: { num: depth, den: own }, depth, isSettled: true } : undefined
}

function readV3([slot, spot, observed, held]: CallResult[], { token, connector }: Pair): Reading | undefined {
  const [price = 0n] = wordsOf(slot)
  const [now = 0n] = wordsOf(spot)
  const [balance = 0n] = wordsOf(held)
  if (price === 0n) return undefined
  const average = averagesOf(observed)
  // The root of the second token's amount per the first one's.
  const root = average?.root ?? { num: price, den: 2n ** 96n }
  const liquidity = average?.liquidity ?? now
  const { num, den } = token < connector ? root : { num: root.den, den: root.num }
  const around = (liquidity * num) / den
  return {
    ratio: { num: num * num, den: den * den },
    depth: smaller(around, balance),
    isSettled: average !== undefined,
  }
}

/**
 * Reads the arithmetic mean of the tick, and the harmonic mean of the liquidity, as OracleLibrary of
 * v3-periphery does.
 */
function averagesOf(observed: CallResult): { root: Ratio; liquidity: bigint } | undefined {
  const all = wordsOf(observed)
  const [, , , fromTick, toTick, , fromLiquidity, toLiquidity] = all
  if (all.length !== 8 || fromTick === undefined || toTick === undefined) return undefined
  const tick = Number(BigInt.asIntN(56, toTick - fromTick)) / window
  // Seconds per unit of liquidity, with 128 binary places, in 160 bits that overflow.
  const passed = BigInt.asUintN(160, (toLiquidity ?? 0n) - (fromLiquidity ?? 0n))
  if (passed === 0n || Math.abs(tick) > 887_272) return undefined
  const scale = 2n ** 40n
  const root = BigInt(Math.floor(1.0001 ** (Math.abs(tick) / 2) * Number(scale)))
  return {
    root: tick < 0 ? { num: scale, den: root } : { num: root, den: scale },
    liquidity: (BigInt(window) << 128n) / passed,
  }
}

function wordsOf(returned: CallResult = '0x'): bigint[] {
  return (returned.slice(2).match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`))
}

/** The price at which half of all the worth is below, and half above. */
function median<Priced extends { usd: bigint; per: bigint; worth: bigint }>(
  all: Priced[],
): Priced | undefined {
  const sorted = all.toSorted((one, other) => (one.usd * other.per < other.usd * one.per ? -1 : 1))
  const whole = sorted.reduce((sum, { worth }) => sum + worth, 0n)
  let below = 0n
  return sorted.find(({ worth }) => {
    below += worth
    return below * 2n >= whole
  })
}
