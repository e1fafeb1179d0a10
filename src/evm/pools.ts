import { encodeFunctionData, parseAbi } from 'viem'
import { smaller } from '../domain/bounds.ts'
import { type PoolMaker, poolAddresses } from '../domain/network/markets.ts'
import type { Address, Hex } from '../domain/token/token.ts'
import { once } from '../lib/once.ts'
import { balanceData } from './erc20.ts'
import type { PriceTable } from './oracle.ts'
import { type Call, type CallResult, multicall } from './rpc/multicall.ts'
import type { Rpc } from './rpc/rpc.ts'

// Uniswap v2-core and v3-core.
const abi = once(() =>
  parseAbi([
    'function getReserves()',
    'function slot0()',
    'function liquidity()',
    'function observe(uint32[] secondsAgos)',
  ]),
)

/** Seconds. */
const window = 600
/** Minimum depth, in US dollars with eight decimals. */
const minDepth = 10_000n * 100_000_000n

type Pair = { token: Address; connector: Address }

type Ratio = { num: bigint; den: bigint }

/**
 * `depth`: base units of the connector. `isSettled`: manipulation takes several blocks or capital at risk.
 */
type Reading = { ratio: Ratio; depth: bigint; isSettled: boolean }

export type PoolReading = Pair & Reading

/** Reads the pools of `tokens` against `connectors`, at CREATE2 addresses. */
export async function readPools(
  rpc: Rpc,
  makers: PoolMaker[],
  connectors: Address[],
  tokens: Address[],
): Promise<PoolReading[]> {
  const reads = tokens.flatMap((token) =>
    connectors
      .filter((connector) => connector !== token)
      .flatMap((connector) =>
        makers.flatMap((maker) =>
          poolAddresses(maker, token, connector).map((pool) => ({
            token,
            connector,
            isV3: maker.kind === 'v3',
            calls: toCalls(maker, pool, connector),
          })),
        ),
      ),
  )
  const told = await multicall(
    rpc,
    reads.flatMap(({ calls }) => calls),
  )
  let at = 0
  return reads.flatMap(({ calls, isV3, ...pair }) => {
    const answers = told.slice(at, at + calls.length)
    at += calls.length
    const reading = isV3 ? readV3(answers, pair) : readV2(answers, pair)
    return reading ? [{ ...pair, ...reading }] : []
  })
}

/**
 * Adds prices to `known`, of `tokens` in order, against connectors with a price.
 *
 * A price is the depth-weighted median: moving it takes over half of all depth. v3 prices are ten-minute
 * averages; depth is the smaller of the connector balance (not faked by a narrow position) and the average
 * liquidity around the price (not faked out of range). Pools without history count only if no other does.
 */
export function addPoolPrices(readings: PoolReading[], tokens: Address[], known: PriceTable): void {
  for (const token of tokens) {
    if (known.has(token)) continue
    const deep = readings.flatMap(({ connector, ratio, depth, isSettled, ...pair }) => {
      const by = known.get(connector)
      if (pair.token !== token || by === undefined) return []
      const worth = (depth * by.usd) / by.per
      return worth < minDepth ? [] : [{ usd: ratio.num * by.usd, per: ratio.den * by.per, worth, isSettled }]
    })
    const settled = deep.filter(({ isSettled }) => isSettled)
    const price = median(settled.length > 0 ? settled : deep)
    if (price) known.set(token, { usd: price.usd, per: price.per, source: 'pool', ageSeconds: 0 })
  }
}

function toCalls({ kind }: PoolMaker, pool: Address, connector: Address): Call[] {
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
  const [one = 0n, other = 0n] = toWords(returned)
  const [own, depth] = token < connector ? [one, other] : [other, one]
  return own > 0n && depth > 0n ? { ratio: { num: depth, den: own }, depth, isSettled: true } : undefined
}

function readV3([slot, spot, observed, held]: CallResult[], { token, connector }: Pair): Reading | undefined {
  const [price = 0n] = toWords(slot)
  const [now = 0n] = toWords(spot)
  const [balance = 0n] = toWords(held)
  if (price === 0n) return undefined
  const average = toAverages(observed)
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

/** As OracleLibrary of v3-periphery. */
function toAverages(observed: CallResult): { root: Ratio; liquidity: bigint } | undefined {
  const all = toWords(observed)
  const [, , , fromTick, toTick, , fromLiquidity, toLiquidity] = all
  if (all.length !== 8 || fromTick === undefined || toTick === undefined) return undefined
  const tick = Number(BigInt.asIntN(56, toTick - fromTick)) / window
  // Overflowing uint160.
  const passed = BigInt.asUintN(160, (toLiquidity ?? 0n) - (fromLiquidity ?? 0n))
  if (passed === 0n || Math.abs(tick) > 887_272) return undefined
  const scale = 2n ** 40n
  const root = BigInt(Math.floor(1.0001 ** (Math.abs(tick) / 2) * Number(scale)))
  return {
    root: tick < 0 ? { num: scale, den: root } : { num: root, den: scale },
    liquidity: (BigInt(window) << 128n) / passed,
  }
}

function toWords(returned: CallResult = '0x'): bigint[] {
  return (returned.slice(2).match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`))
}

/** Depth-weighted median. */
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
