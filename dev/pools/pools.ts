import { encodeAbiParameters, encodePacked, getCreate2Address, keccak256 } from 'viem'
import type { Address } from '../../service/config.ts'
import { predictAddress } from '../chain/deploy.ts'
import { findToken, type TokenSymbol, unitsForUsd } from './tokens.ts'

export type PoolPlan = {
  pair: readonly [TokenSymbol, TokenSymbol]
  /** Initial total. */
  usd: number
  /** Premium on the first token's price; below the fee, against arbitrage. */
  skewBps: number
} & ({ kind: 'v2'; maker?: 'sushiFactory' } | { kind: 'v3'; fee: number; ranges: readonly Range[] })

/** Ticks below and above the initial price. */
export type Range = 'full' | { below: number; above: number }

// Overlapping, so that large trades cross ticks.
export const volatile: readonly Range[] = [
  'full',
  { below: 2_000, above: 2_400 },
  { below: 900, above: 600 },
  { below: 300, above: 400 },
]
export const pegged: readonly Range[] = ['full', { below: 100, above: 120 }, { below: 20, above: 10 }]

/** BROOK and DTT trade with one token each. */
export const pools: readonly PoolPlan[] = [
  { kind: 'v2', pair: ['WETH', 'USDC'], usd: 40_000_000, skewBps: 9 },
  { kind: 'v2', pair: ['WETH', 'USDT'], usd: 30_000_000, skewBps: -6 },
  { kind: 'v2', pair: ['WETH', 'DAI'], usd: 12_000_000, skewBps: 4 },
  { kind: 'v2', pair: ['WBTC', 'WETH'], usd: 6_000_000, skewBps: -8 },
  { kind: 'v2', pair: ['LINK', 'WETH'], usd: 900_000, skewBps: 12 },
  { kind: 'v2', pair: ['USDC', 'DAI'], usd: 40_000, skewBps: -3 },
  { kind: 'v2', pair: ['BROOK', 'DAI'], usd: 60_000, skewBps: 10 },
  { kind: 'v2', pair: ['DTT', 'WETH'], usd: 400_000, skewBps: 0 },
  { kind: 'v3', pair: ['WETH', 'USDC'], fee: 500, usd: 60_000_000, skewBps: 1, ranges: volatile },
  { kind: 'v3', pair: ['WETH', 'USDC'], fee: 3_000, usd: 25_000_000, skewBps: -7, ranges: volatile },
  { kind: 'v3', pair: ['WETH', 'USDC'], fee: 10_000, usd: 80_000, skewBps: 20, ranges: volatile },
  { kind: 'v3', pair: ['WETH', 'USDT'], fee: 500, usd: 15_000_000, skewBps: -1, ranges: volatile },
  { kind: 'v3', pair: ['USDC', 'USDT'], fee: 100, usd: 40_000_000, skewBps: 0, ranges: pegged },
  { kind: 'v3', pair: ['USDC', 'DAI'], fee: 500, usd: 10_000_000, skewBps: 1, ranges: pegged },
  { kind: 'v3', pair: ['WBTC', 'WETH'], fee: 3_000, usd: 30_000_000, skewBps: 5, ranges: volatile },
  { kind: 'v3', pair: ['WBTC', 'USDC'], fee: 3_000, usd: 2_000_000, skewBps: -10, ranges: volatile },
  { kind: 'v3', pair: ['LINK', 'WETH'], fee: 3_000, usd: 5_000_000, skewBps: -9, ranges: volatile },
  { kind: 'v3', pair: ['LINK', 'USDC'], fee: 10_000, usd: 70_000, skewBps: 25, ranges: volatile },
  { kind: 'v3', pair: ['BROOK', 'DAI'], fee: 10_000, usd: 30_000, skewBps: -20, ranges: volatile },
  { kind: 'v2', maker: 'sushiFactory', pair: ['WETH', 'USDC'], usd: 7_000_000, skewBps: -12 },
  { kind: 'v2', maker: 'sushiFactory', pair: ['LINK', 'WETH'], usd: 600_000, skewBps: -5 },
]

export type Side = { token: Address; amount: bigint }

/** Price in US cents. */
export type Priced = { address: Address; decimals: number; cents: bigint }

/** Sorted by address, as in pools. */
export function sides({ pair: [base, counter], usd, skewBps }: PoolPlan): [Side, Side] {
  return splitValue(locate(base), locate(counter), usd, skewBps)
}

function locate(symbol: TokenSymbol): Priced {
  return { ...findToken(symbol), address: predictAddress(symbol) }
}

/** Halves `usd` between two tokens; `skewBps` as in `PoolPlan`. Sorted by address. */
export function splitValue(base: Priced, counter: Priced, usd: number, skewBps: number): [Side, Side] {
  const one = { token: base.address, amount: unitsForUsd(base, usd / 2) }
  const priced = (unitsForUsd(counter, usd / 2) * BigInt(10_000 + skewBps)) / 10_000n
  const other = { token: counter.address, amount: priced }
  return one.token < other.token ? [one, other] : [other, one]
}

/** keccak256 of the init code of UniswapV2Pair and UniswapV3Pool. */
export const poolCodeHash = {
  v2: '0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f',
  v3: '0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54',
} as const

export function poolAddress(pool: PoolPlan): Address {
  return computePoolAddress(poolFactory(pool), sides(pool), pool.kind === 'v3' ? pool.fee : undefined)
}

/** As PoolAddress.sol of v3-periphery; without a fee UniswapV2Library.sol of v2-periphery. */
export function computePoolAddress(factory: Address, sides: [Side, Side], fee: number | undefined): Address {
  const [{ token: one }, { token: other }] = sides
  const salt =
    fee === undefined
      ? encodePacked(['address', 'address'], [one, other])
      : encodeAbiParameters([{ type: 'address' }, { type: 'address' }, { type: 'uint24' }], [one, other, fee])
  const address = getCreate2Address({
    from: factory,
    salt: keccak256(salt),
    bytecodeHash: fee === undefined ? poolCodeHash.v2 : poolCodeHash.v3,
  })
  return address.toLowerCase() as Address
}

export function poolFactory(pool: PoolPlan): Address {
  return predictAddress(pool.kind === 'v3' ? 'v3Factory' : (pool.maker ?? 'v2Factory'))
}

/** "WETH/USDC v3 0.05 %" */
export function title(pool: PoolPlan): string {
  const fee = pool.kind === 'v2' ? 3_000 : pool.fee
  const brand = pool.kind === 'v2' && pool.maker ? 'Sushi ' : ''
  return `${pool.pair.join('/')} ${brand}${pool.kind} ${fee / 10_000} %`
}
