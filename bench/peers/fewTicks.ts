import type { Address } from '../../service/config.ts'
import type { Concentrated, FeeTier } from '../../service/pools/concentrated.ts'
import { sqrtPriceAtTick } from '../../service/pools/math/sqrtPrice.ts'
import type { PoolInfo, PoolSnapshot } from '../../service/pools/poolType.ts'
import { createSynthetic, type SyntheticToken } from '../routing/synthetic.ts'
import type { Priced } from '../routing/trades.ts'
import { type PeerMarket, toHubs } from './peer.ts'

type Position = { below: number; above: number; usd: number }

/** Ticks around the market's price; some leave gaps, some lie on one side of the price. */
const shapes: readonly (readonly Position[])[] = [
  [{ below: -600, above: 600, usd: 300_000 }],
  [
    { below: -60, above: 60, usd: 100_000 },
    { below: 900, above: 1_500, usd: 400_000 },
  ],
  [
    { below: -60, above: 60, usd: 100_000 },
    { below: -1_500, above: -900, usd: 400_000 },
  ],
  [{ below: -240, above: 180, usd: 2_000_000 }],
  [
    { below: -6_000, above: 6_000, usd: 800_000 },
    { below: -120, above: 120, usd: 800_000 },
  ],
]

const tickSpacing = 60
const feePpm = 3_000
const traded = 6

/**
 * Returns the hubs' pools and a few tokens whose v3 pools have two to four ticks, so that a trade leaves a
 * pool's last range, and a deep v2 pool that takes the rest.
 */
export function createFewTicks(): PeerMarket & { thin: readonly SyntheticToken[] } {
  const { config, tokens, standings } = createSynthetic(1_000)
  const hubs = toHubs(tokens)
  const own = new Set<Address>(Object.values(hubs))
  const core = standings.filter(({ listing }) => listing.tokens.every((token) => own.has(token)))
  const thin = tokens.slice(20, 20 + traded)
  const pools = thin.flatMap((token, i) => {
    const partners = [tokens[0]!, tokens[1]!, thin[(i + 1) % traded]!]
    return partners.flatMap((partner, j) => [
      concentratedOf([token, partner], shapes[(i + j) % shapes.length]!, 100 * i + j),
      ...(j === 1 ? [constantProductOf([token, partner], 5_000_000, 100 * i + j)] : []),
    ])
  })
  return { name: 'few ticks', config, tokens, pools: [...core, ...pools], hubs, thin }
}

function addressOf(kind: number, index: number): Address {
  return `0x${(BigInt(kind) * 2n ** 32n + BigInt(index)).toString(16).padStart(40, 'f')}`
}

function sorted(pair: readonly Priced[]): [Priced, Priced] {
  return pair.toSorted((one, other) => (one.address < other.address ? -1 : 1)) as [Priced, Priced]
}

function constantProductOf(pair: readonly Priced[], usd: number, index: number): PoolSnapshot {
  const [one, other] = sorted(pair)
  const reserve = ({ usd: price, decimals }: Priced) => BigInt(Math.round((usd / 2 / price) * 10 ** decimals))
  const listing: PoolInfo<{ feePpm: number }> = {
    ...{ kind: 'constant-product', source: 'UNISWAP_V2', address: addressOf(0xa2, index) },
    ...{ tokens: [one.address, other.address], fixed: { feePpm } },
  }
  return { listing, state: { reserve0: reserve(one), reserve1: reserve(other) } }
}

function concentratedOf(pair: readonly Priced[], shape: readonly Position[], index: number): PoolSnapshot {
  const [one, other] = sorted(pair)
  const [unit0, unit1] = [10 ** one.decimals / one.usd, 10 ** other.decimals / other.usd]
  const tick = Math.round(Math.log(unit1 / unit0) / Math.log(1.0001))
  const nets = new Map<number, bigint>()
  const add = (at: number, net: bigint) => nets.set(at, (nets.get(at) ?? 0n) + net)
  const align = (at: number) => Math.round((tick + at) / tickSpacing) * tickSpacing
  for (const { below, above, usd } of shape) {
    const width = 1 - 1.0001 ** (-(above - below) / 2)
    const liquidity = BigInt(Math.round((usd * Math.sqrt(unit0 * unit1)) / 2 / width))
    add(align(below), liquidity)
    add(align(above), -liquidity)
  }
  const ticks = [...nets]
    .sort(([a], [b]) => a - b)
    .map(([index, net]) => ({ index, net, sqrtPrice: sqrtPriceAtTick(index) }))
  const liquidity = ticks.reduce((sum, { index, net }) => (index <= tick ? sum + net : sum), 0n)
  const listing: PoolInfo<FeeTier> = {
    ...{ kind: 'concentrated', source: 'UNISWAP_V3', address: addressOf(0xa3, index) },
    ...{ tokens: [one.address, other.address], fixed: { feePpm, tickSpacing } },
  }
  const state: Concentrated = { sqrtPrice: sqrtPriceAtTick(tick), tick, liquidity, ticks }
  return { listing, state }
}
