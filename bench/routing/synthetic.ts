import type { Address, ChainConfig, TokenInfo } from '../../service/config.ts'
import type { VaultBalances } from '../../service/pools/balancerVault.ts'
import type { Concentrated, FeeTier } from '../../service/pools/concentrated.ts'
import type { Reserves } from '../../service/pools/constantProduct.ts'
import { maxTick, sqrtPriceAtTick } from '../../service/pools/math/sqrtPrice.ts'
import type { Tick } from '../../service/pools/math/ticks.ts'
import type { PoolInfo, PoolSnapshot } from '../../service/pools/poolType.ts'
import type { StableSwapState } from '../../service/pools/stableSwap/stableSwapPool.ts'
import { createRandom, type Random } from '../random.ts'

/** Ordered by popularity. */
export type SyntheticToken = { address: Address; decimals: number; usd: number }

export type Synthetic = {
  config: ChainConfig
  tokens: readonly SyntheticToken[]
  standings: readonly PoolSnapshot[]
}

/**
 * Creates a deterministic chain like a large network: a few hubs with deep pairs and a long tail. Pools price
 * tokens within their fee of the true value.
 */
export function createSynthetic(pools: number): Synthetic {
  const random = createRandom(pools)
  const tokens = createTokens(Math.ceil(pools * 0.4), random)
  const plans = [...core(), ...tail(tokens.length, pools, random)].slice(0, pools)
  return {
    config: configOf(tokens),
    tokens,
    standings: plans.map((plan, i) => build(tokens, plan, i, random)),
  }
}

const hubs = [
  { usd: 3_000, decimals: 18 },
  { usd: 1, decimals: 6 },
  { usd: 1, decimals: 6 },
  { usd: 1, decimals: 18 },
  { usd: 60_000, decimals: 8 },
]

/** Tokens usable as connectors. */
const listed = 2_000

export function createTokens(count: number, random: Random): SyntheticToken[] {
  return Array.from({ length: count }, (_, rank) => ({
    address: addressAt(1, rank, random),
    ...(hubs[rank] ?? { usd: 10 ** random.between(-4, 3), decimals: random.chance(0.85) ? 18 : 6 }),
  }))
}

/** Unique. */
export function addressAt(space: number, index: number, random: Random): Address {
  const noise = () =>
    Math.floor(random.between(0, 2 ** 32))
      .toString(16)
      .padStart(8, '0')
  const own = `${space}${index.toString(16).padStart(7, '0')}`
  return `0x${noise()}${noise()}${own}${noise()}${noise()}`
}

export type Plan = { pair: readonly [number, number]; usd: number; feePpm: number; isV3: boolean }

const tiers: Record<number, number> = { 100: 1, 500: 10, 3000: 60, 10000: 200 }

/** Pairs of the hubs. */
export function core(): Plan[] {
  const depth = [400e6, 300e6, 150e6, 60e6, 200e6]
  const pairs = depth.flatMap((_, i) => depth.slice(i + 1).map((_, j) => [i, i + 1 + j] as const))
  return pairs.flatMap((pair) => {
    const usd = Math.min(depth[pair[0]]!, depth[pair[1]]!) / 2
    const pegged = pair[0] > 0 && pair[1] < 4
    const shares = pegged ? { 100: 0.6, 500: 0.2 } : { 500: 0.55, 3000: 0.25, 10000: 0.01 }
    const v3 = Object.entries(shares).map(([fee, share]) => {
      return { pair, usd: usd * share, feePpm: Number(fee), isV3: true }
    })
    return [...v3, { pair, usd: usd * 0.15, feePpm: 3_000, isV3: false }]
  })
}

const maxOfPair = 10

export function tail(tokens: number, pools: number, random: Random): Plan[] {
  const counts = new Map<number, number>()
  const plans = Array.from({ length: tokens - hubs.length }, (_, i) => plan(hubs.length + i))
  while (plans.length < pools) plans.push(plan(Math.floor(tokens * random.between(0, 1) ** 3)))
  return plans

  function plan(token: number): Plan {
    const pair = [token, partner(token)].sort((a, b) => a - b) as [number, number]
    const place = pair[0] * tokens + pair[1]
    const count = (counts.get(place) ?? 0) + 1
    if (count > maxOfPair) return plan(Math.floor(tokens * random.between(0, 1)))
    counts.set(place, count)
    const usd = Math.min(1e8, (3e8 / (pair[1] + 1) ** 1.1) * 10 ** random.between(-1.5, 0.3))
    const isV3 = random.chance(0.4)
    const feePpm = isV3 ? random.pick([500, 3_000, 3_000, 10_000]) : 3_000
    return { pair, usd: Math.max(2_000, usd), feePpm, isV3 }
  }

  function partner(token: number): number {
    const other = random.pick([0, 0, 0, 0, 0, 0, 1, 1, 2, 3, 4, -1])
    const rank = other >= 0 ? other : Math.floor(Math.min(tokens, 2_000) * random.between(0, 1) ** 2)
    return rank === token ? (token + 1) % tokens : rank
  }
}

export function build(
  tokens: readonly SyntheticToken[],
  plan: Plan,
  index: number,
  random: Random,
): PoolSnapshot {
  const [one, other] = plan.pair
    .map((rank) => tokens[rank]!)
    .sort((a, b) => (a.address < b.address ? -1 : 1)) as [SyntheticToken, SyntheticToken]
  const off = 1 + random.between(-0.9, 0.9) * (plan.feePpm / 1e6)
  const unit0 = 10 ** one.decimals / one.usd
  const unit1 = (10 ** other.decimals / other.usd) * off
  const address = addressAt(2, index, random)
  const pair = [one.address, other.address] as const
  return plan.isV3
    ? concentratedStanding(address, pair, plan, unit1 / unit0, Math.sqrt(unit0 * unit1), random)
    : constantProductStanding(address, pair, plan, unit0, unit1)
}

function constantProductStanding(
  address: Address,
  tokens: readonly Address[],
  { usd, feePpm }: Plan,
  unit0: number,
  unit1: number,
): PoolSnapshot<{ feePpm: number }, Reserves> {
  const listing: PoolInfo<{ feePpm: number }> = {
    ...{ kind: 'constant-product', source: 'UNISWAP_V2', address, tokens },
    fixed: { feePpm },
  }
  const reserve = (unit: number) => BigInt(Math.max(1_000, Math.round((usd / 2) * unit)))
  return { listing, state: { reserve0: reserve(unit0), reserve1: reserve(unit1) } }
}

/** About 1,500 ticks at 100 million dollars, 100 at one million, 8 at 10,000. */
function ticksOf(usd: number): number {
  return Math.round(2 + 1_500 * (usd / 1e8) ** 0.6)
}

export function concentratedStanding(
  address: Address,
  tokens: readonly Address[],
  { usd, feePpm }: Plan,
  price: number,
  unit: number,
  random: Random,
): PoolSnapshot<FeeTier, Concentrated> {
  const tickSpacing = tiers[feePpm]!
  const last = Math.floor(maxTick / tickSpacing) * tickSpacing
  const exact = Math.log(price) / Math.log(1.0001)
  const tick = Math.floor(exact)
  const positions = Math.ceil(ticksOf(usd) / 2)
  const nets = new Map<number, bigint>()
  const add = (at: number, net: bigint) => nets.set(at, (nets.get(at) ?? 0n) + net)
  for (let i = 0; i < positions; i++) {
    const width = i === 0 ? last : Math.min(last, tickSpacing * 10 ** random.between(0.3, 2.5) + 20)
    const middle = i === 0 ? 0 : tick + width * random.between(-0.8, 0.8)
    const below = Math.max(-last, Math.floor((middle - width) / tickSpacing) * tickSpacing)
    const above = Math.min(last, Math.ceil((middle + width) / tickSpacing) * tickSpacing)
    const depth = ((usd / positions) * unit) / 2 / Math.max(1e-4, 1 - 1.0001 ** (-width / 2))
    const liquidity = BigInt(Math.max(1, Math.round(depth)))
    add(below, liquidity)
    add(above, -liquidity)
  }
  const ticks: Tick[] = [...nets]
    .filter(([, net]) => net !== 0n)
    .sort(([a], [b]) => a - b)
    .map(([at, net]) => ({ index: at, net, sqrtPrice: ownCopy(priceOf(at)) }))
  const liquidity = ticks.reduce((sum, { index, net }) => (index <= tick ? sum + net : sum), 0n)
  const sqrtPrice = (BigInt(Math.round(1.0001 ** ((exact - tick) / 2) * 2 ** 52)) * priceOf(tick)) >> 52n
  const listing: PoolInfo<FeeTier> = {
    ...{ kind: 'concentrated', source: 'UNISWAP_V3', address, tokens },
    fixed: { feePpm, tickSpacing },
  }
  return { listing, state: { sqrtPrice, tick, liquidity, ticks } }
}

const prices = new Map<number, bigint>()

function priceOf(tick: number): bigint {
  const known = prices.get(tick) ?? sqrtPriceAtTick(tick)
  prices.set(tick, known)
  return known
}

/** Unshared, as in pools read from a chain, for the memory figures. */
function ownCopy(value: bigint): bigint {
  return (value << 1n) >> 1n
}

export function configOf(tokens: readonly SyntheticToken[]): ChainConfig {
  const nowhere: Address = `0x${'0'.repeat(40)}`
  const factory = { address: nowhere, feePpm: 3_000, fromBlock: 0 }
  return {
    chainId: 1,
    name: 'Synthetic',
    coin: { symbol: 'ETH', name: 'Ether', logoURI: '' },
    wrapped: tokens[0]!.address,
    router: nowhere,
    multicall: nowhere,
    permit2: nowhere,
    connectors: tokens.slice(0, hubs.length).map(({ address }) => address),
    factories: [
      { ...factory, kind: 'constant-product', source: 'UNISWAP_V2', title: 'Uniswap V2' },
      { ...factory, kind: 'concentrated', source: 'UNISWAP_V3', title: 'Uniswap V3' },
    ],
    tokens: tokens.slice(0, listed).map(({ address, decimals }, rank): TokenInfo => {
      return { address, symbol: `T${rank}`, name: `Token ${rank}`, decimals, logoURI: '', tags: [] }
    }),
  }
}

/** Returns the pool with a slightly other price or depth; converters as they are. */
export function changePool({ listing, state }: PoolSnapshot): PoolSnapshot {
  const now = state as Partial<Concentrated & Reserves & VaultBalances & Pick<StableSwapState, 'balances'>>
  const grow = (amount: bigint) => amount + amount / 10_000n
  if (now.sqrtPrice !== undefined) return { listing, state: { ...now, sqrtPrice: now.sqrtPrice + 1n } }
  if (now.balances) return { listing, state: { ...now, balances: now.balances.map(grow) } }
  if (now.holdings) {
    const holdings = now.holdings.map(({ cash, managed }) => ({ cash: grow(cash), managed }))
    return { listing, state: { ...now, holdings } }
  }
  const { reserve0, reserve1 } = now
  if (reserve0 === undefined || reserve1 === undefined) return { listing, state: { ...now } }
  return { listing, state: { ...now, reserve0: grow(reserve0), reserve1: reserve1 - reserve1 / 10_100n } }
}
