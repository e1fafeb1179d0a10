import type { ChainConfig, Factory } from '../../service/config.ts'
import { createRandom, type Random } from '../random.ts'
import { buildKind, type KindPlan, sources } from './kindSnapshots.ts'
import {
  configOf,
  core,
  createTokens,
  type Plan,
  type Synthetic,
  type SyntheticToken,
  tail,
} from './synthetic.ts'

/**
 * Creates a deterministic chain as `createSynthetic`, with every kind of pool: hubs trade in all of them, one
 * token in ten is pegged to a hub or wraps it, and the long tail is mostly v2 and v3.
 */
export function createMixedSynthetic(pools: number): Synthetic {
  const random = createRandom(pools + 7_000_000)
  const { tokens, pegs } = pegSome(createTokens(Math.ceil(pools * 0.4), random), random)
  const plans = [
    ...core().flatMap((plan) => [toKind(plan), ...alongside(plan)]),
    ...betweenHubs,
    ...pegs.flatMap((peg) => poolsOf(peg, random)),
    ...tail(tokens.length, pools, random).map((plan, i) => choose(plan, i < tokens.length, random)),
  ].slice(0, pools)
  return {
    config: mixedConfig(tokens),
    tokens,
    standings: plans.map((plan, i) => buildKind(tokens, plan, i, random)),
  }
}

function toKind({ pair, usd, feePpm, isV3 }: Plan): KindPlan {
  return { kind: isV3 ? 'concentrated' : 'constant-product', tokens: pair, usd, feePpm }
}

/** Further pools beside one of the hubs': the same pair with part of the depth. */
function alongside(plan: Plan): KindPlan[] {
  const { pair: tokens, usd, feePpm } = plan
  if (!plan.isV3) return [{ kind: 'solidly', tokens, usd: usd / 2, feePpm }]
  const part = (kind: Factory['kind'], share: number): KindPlan => ({
    kind,
    tokens,
    usd: usd * share,
    feePpm,
  })
  return feePpm > 3_000 ? [] : [part('uniswap-v4', 0.5), part('slipstream', 0.3), part('algebra', 0.15)]
}

const betweenHubs: readonly KindPlan[] = [
  { kind: 'curve', tokens: [1, 2, 3], usd: 160e6, feePpm: 100 },
  { kind: 'stable', tokens: [1, 2, 3], usd: 20e6, feePpm: 100 },
  { kind: 'stable-v3', tokens: [1, 2], usd: 40e6, feePpm: 100 },
  { kind: 'curve-ng', tokens: [1, 2], usd: 30e6, feePpm: 100 },
  { kind: 'curve-factory', tokens: [2, 3], usd: 5e6, feePpm: 400 },
  { kind: 'pancake-stable', tokens: [1, 2], usd: 50e6, feePpm: 100 },
  { kind: 'solidly', tokens: [1, 3], usd: 8e6, feePpm: 500, isStable: true },
  { kind: 'converter', form: 'psm', tokens: [1, 3], usd: 100e6, feePpm: 0 },
  { kind: 'weighted', tokens: [0, 1], usd: 10e6, feePpm: 3_000 },
  { kind: 'weighted', tokens: [0, 1, 4], usd: 15e6, feePpm: 3_000 },
  { kind: 'weighted-v3', tokens: [0, 4], usd: 8e6, feePpm: 3_000 },
]

/** `token` has a constant price in `base`; a second one wraps it. */
type Peg = { token: number; base: number; form: 'dollar' | 'vault' | 'staked' }

const forms = ['dollar', 'vault', 'staked'] as const

/** Pegs the tokens of ranks 7, 17, 27, … to hubs; those after staked ones wrap these. */
function pegSome(
  plain: readonly SyntheticToken[],
  random: Random,
): { tokens: SyntheticToken[]; pegs: Peg[] } {
  const tokens = [...plain]
  const pegs: Peg[] = []
  for (let token = 7; token + 1 < tokens.length; token += 10) {
    const form = forms[pegs.length % forms.length] as Peg['form']
    const base = form === 'dollar' ? 1 : form === 'staked' ? 0 : random.pick([0, 1, 2, 3, 4])
    pegs.push({ token, base, form })
    price(token, base, form === 'vault' ? yieldOf() : 1)
    if (form === 'staked') price(token + 1, token, yieldOf())
  }
  return { tokens, pegs }

  function price(token: number, base: number, rate: number): void {
    const { usd } = tokens[base] as SyntheticToken
    const own = tokens[token] as SyntheticToken
    tokens[token] = { ...own, decimals: rate === 1 && base > 0 ? own.decimals : 18, usd: usd * rate }
  }

  /** Exact in millionths. */
  function yieldOf(): number {
    return Math.round(random.between(1.02, 1.3) * 1e6) / 1e6
  }
}

/** Pools of a pegged token with its base, and what converts them. */
function poolsOf({ token, base, form }: Peg, random: Random): KindPlan[] {
  const usd = () =>
    Math.max(20_000, Math.min(5e7, (3e8 / (token + 1) ** 1.1) * 10 ** random.between(-1, 0.5)))
  const pair = [base, token]
  const feePpm = random.pick([100, 400, 500])
  if (form === 'dollar') {
    const kinds: readonly Pick<KindPlan, 'kind' | 'tokens' | 'isStable'>[] = [
      { kind: 'curve', tokens: [1, 2, 3, token] },
      { kind: 'curve-factory', tokens: pair },
      { kind: 'pancake-stable', tokens: [random.pick([1, 2]), token] },
      { kind: 'solidly', tokens: pair, isStable: true },
      { kind: 'stable', tokens: [1, 3, token] },
      { kind: 'stable-v3', tokens: [2, token] },
    ]
    const start = Math.floor(random.between(0, kinds.length))
    const some = [0, 1, 2].map((i) => ({ ...kinds[(start + i) % kinds.length]!, usd: usd(), feePpm }))
    return [...some, { kind: 'concentrated', tokens: pair, usd: usd(), feePpm: 100 }]
  }
  if (form === 'vault') {
    return [
      { kind: 'converter', form: 'vault', tokens: pair, usd: usd() / 2, feePpm: 0 },
      { kind: random.pick(['curve-ng', 'stable-v3'] as const), tokens: pair, usd: usd(), feePpm },
      { kind: 'stable', isComposable: true, tokens: pair, usd: usd(), feePpm },
    ]
  }
  return [
    { kind: random.pick(['curve-factory', 'curve-ng'] as const), tokens: pair, usd: usd(), feePpm },
    { kind: 'converter', form: 'wsteth', tokens: [token, token + 1], usd: usd() * 5, feePpm: 0 },
    {
      kind: random.pick(['uniswap-v4', 'slipstream'] as const),
      tokens: [0, token + 1],
      usd: usd(),
      feePpm: 100,
    },
    { kind: 'stable', isComposable: true, tokens: [0, token, token + 1], usd: usd(), feePpm },
  ]
}

/**
 * Gives a pool of the tail its kind: two of three are v2 and v3. Weighted pools, which sell a part of their
 * balances at most, are not a token's first.
 */
function choose(plan: Plan, isFirst: boolean, random: Random): KindPlan {
  const own = toKind(plan)
  const draw = random.between(0, 1)
  if (plan.isV3) {
    return {
      ...own,
      kind: draw < 0.6 ? 'concentrated' : draw < 0.76 ? 'uniswap-v4' : draw < 0.9 ? 'slipstream' : 'algebra',
    }
  }
  if (isFirst) return { ...own, kind: draw < 0.85 ? 'constant-product' : 'solidly' }
  const kind =
    draw < 0.55 ? 'constant-product' : draw < 0.68 ? 'solidly' : draw < 0.86 ? 'weighted' : 'weighted-v3'
  if (kind === 'constant-product' || kind === 'solidly' || random.chance(0.6)) return { ...own, kind }
  const third = [0, 1, 2].find((rank) => !plan.pair.includes(rank)) as number
  return { ...own, kind, tokens: [...plan.pair, third] }
}

function mixedConfig(tokens: readonly SyntheticToken[]): ChainConfig {
  const plain = configOf(tokens)
  const { address, fromBlock } = plain.factories[0] as Factory
  return {
    ...plain,
    factories: Object.entries(sources).map(([kind, source]): Factory => {
      const own = { kind: kind as Factory['kind'], source, title: source, address, feePpm: 3_000, fromBlock }
      return kind === 'converter' ? { ...own, form: 'erc4626' } : own
    }),
  }
}
