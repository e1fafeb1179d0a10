import { zeroAddress } from 'viem'
import type { Factory } from '../../service/config.ts'
import type { PoolSnapshot } from '../../service/pools/poolType.ts'
import type { Random } from '../random.ts'
import {
  balancesOf,
  converterOf,
  type Draft,
  maxSkew,
  placeOf,
  stableOf,
  stableSwapOf,
  weightedOf,
} from './memberSnapshots.ts'
import { addressAt, concentratedStanding, type SyntheticToken } from './synthetic.ts'

/** A pool to build; tokens by rank. */
export type KindPlan = {
  kind: Factory['kind']
  /** Of a converter the underlying token first. */
  tokens: readonly number[]
  /** Worth of all balances. */
  usd: number
  feePpm: number
  /** Of Solidly pools: x³y + y³x. */
  isStable?: boolean
  /** Of Balancer v2: with the rates of its tokens. */
  isComposable?: boolean
  /** Of converters. */
  form?: 'vault' | 'wsteth' | 'psm'
}

export const sources: Record<Factory['kind'], string> = {
  'constant-product': 'UNISWAP_V2',
  concentrated: 'UNISWAP_V3',
  weighted: 'BALANCER_V2_WEIGHTED',
  stable: 'BALANCER_V2_STABLE',
  solidly: 'AERODROME_V2',
  'weighted-v3': 'BALANCER_V3_WEIGHTED',
  'stable-v3': 'BALANCER_V3_STABLE',
  curve: 'CURVE',
  'curve-factory': 'CURVE_V1_FACTORY',
  'curve-ng': 'CURVE_STABLE_NG',
  'pancake-stable': 'PANCAKESWAP_STABLE',
  'uniswap-v4': 'UNISWAP_V4',
  algebra: 'ALGEBRA',
  slipstream: 'AERODROME_SLIPSTREAM',
  converter: 'CONVERTER',
}

/** Creates the pool of a plan, priced within its fee of the tokens' true worth. */
export function buildKind(
  tokens: readonly SyntheticToken[],
  plan: KindPlan,
  index: number,
  random: Random,
): PoolSnapshot {
  const { kind } = plan
  const isNative = kind === 'uniswap-v4' && plan.tokens.includes(0) && random.chance(0.5)
  const key = (token: SyntheticToken) => (isNative && token === tokens[0] ? zeroAddress : token.address)
  const members = plan.tokens.map((rank) => tokens[rank] as SyntheticToken)
  if (kind !== 'converter') members.sort((a, b) => (key(a) < key(b) ? -1 : 1))
  const named = {
    ...{ kind, source: sources[kind], address: addressAt(2, index, random) },
    tokens: members.map(({ address }) => address),
  }
  const draft = { plan, named, members, random }
  switch (kind) {
    case 'concentrated':
    case 'uniswap-v4':
    case 'slipstream':
    case 'algebra':
      return rangesOf(draft, isNative)
    case 'constant-product':
    case 'solidly':
      return pairOf(draft)
    case 'weighted':
    case 'weighted-v3':
      return weightedOf(draft)
    case 'stable':
    case 'stable-v3':
      return stableOf(draft)
    case 'curve':
    case 'curve-factory':
    case 'curve-ng':
    case 'pancake-stable':
      return stableSwapOf(draft)
    case 'converter':
      return converterOf(draft)
  }
}

function pairOf(draft: Draft): PoolSnapshot {
  const { plan, named, members } = draft
  const part = plan.feePpm / 1e6
  // Near balance the price of x³y + y³x moves with the cube.
  const most = plan.isStable === true ? Math.cbrt(0.2 * part) : maxSkew * part
  const [reserve0, reserve1] = balancesOf(draft, [0.5, 0.5], most)
  if (named.kind === 'constant-product') {
    return { listing: { ...named, fixed: { feePpm: plan.feePpm } }, state: { reserve0, reserve1 } }
  }
  const units = members.map(({ decimals }) => 10n ** BigInt(decimals))
  const fixed = { factory: placeOf(0xfb), isStable: plan.isStable === true, units }
  return {
    listing: { ...named, fixed },
    state: { reserve0, reserve1, fee: plan.feePpm / 100, isPaused: false },
  }
}

const spacings: Record<number, number> = { 100: 1, 500: 10, 3000: 60, 10000: 200 }

function rangesOf({ plan, named, members, random }: Draft, isNative: boolean): PoolSnapshot {
  const { usd, feePpm } = plan
  const tickSpacing = spacings[feePpm] as number
  const off = 1 + random.between(-2 * maxSkew, 2 * maxSkew) * (feePpm / 1e6)
  const [unit0, unit1] = members.map((token) => 10 ** token.decimals / token.usd) as [number, number]
  const [price, unit] = [(unit1 * off) / unit0, Math.sqrt(unit0 * unit1 * off)]
  const flat = { pair: [0, 1] as const, usd, feePpm, isV3: true }
  const { state } = concentratedStanding(named.address, named.tokens, flat, price, unit, random)
  if (named.kind === 'algebra') {
    return { listing: { ...named, fixed: {} }, state: { ...state, fee: feePpm, config: 0 } }
  }
  if (named.kind === 'slipstream') {
    const fee = { feePpm, module: zeroAddress, isMoving: false, observations: 0 }
    return {
      listing: { ...named, fixed: { factory: placeOf(0xfa), tickSpacing } },
      state: { ...state, ...fee },
    }
  }
  if (named.kind === 'concentrated') return { listing: { ...named, fixed: { feePpm, tickSpacing } }, state }
  const fixed = { manager: placeOf(0xba4), hooks: zeroAddress, fee: feePpm, tickSpacing, isNative }
  const protocolFee = random.chance(0.2) ? (50 << 12) | 50 : 0
  return { listing: { ...named, fixed }, state: { ...state, protocolFee } }
}
