import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createLocalnet } from '../dev/localnet.ts'
import { createEngine } from '../service/engine.ts'
import { createNodeFeed } from '../service/indexer/nodeFeed.ts'
import { type GasPart, gasBounds, gasCosts, maxRefundShare, refund } from '../service/pools/gasCosts.ts'
import { countGasParts } from '../service/routing/gasParts.ts'
import { drawGasSamples } from './gasSamples.ts'

// `npm run bench:gas`: fits service/pools/gasCosts.ts to measured routes: the costs by least squares of
// relative errors, the bounds by the smallest largest error, raised until no route exceeds its own.

const file = resolve(import.meta.dirname, '../service/pools/gasCosts.ts')

/** The search does not know the others. */
const coarse = [
  ...(['base', 'branch', 'wrap', 'unwrap', 'constantProduct', 'concentrated', 'tick'] as const),
  ...(['weighted', 'stable', 'solidlyVolatile', 'solidlyStable', 'uniswapV4', 'fee'] as const),
  ...(['weightedV3', 'stableV3'] as const),
  ...(['stableSwap', 'stableSwapNg', 'algebra', 'slipstream'] as const),
  ...(['composable', 'composableToken'] as const),
  ...(['deposit', 'redeem', 'wrapShares', 'unwrapShares', 'sellGem', 'buyGem'] as const),
] satisfies GasPart[]
const parts = [
  ...coarse,
  'vaultV3',
  'word',
  'held',
  'slot',
  'split',
  'newHolder',
  'nativeSold',
  'nativeBought',
] satisfies GasPart[]
/** Measured alone: too rare in random routes to be fitted. */
const known = ['stableSwapToken', 'algebraTick', 'slipstreamRewards', 'slipstreamTick'] satisfies GasPart[]
/** For routes that were not drawn. */
const spare = 0.018
type Sample = { counts: Map<GasPart, number>; used: number; refunds: number }

const localnet = await createLocalnet()
const engine = await createEngine(
  localnet.config,
  createNodeFeed(localnet.config, localnet.rpcUrl, { pollMs: 3_600_000 }),
)
const samples: Sample[] = []
for await (const { route, used, feePpm, isNewHolder } of drawGasSamples(localnet, engine, {
  seed: 21,
  warmUps: 2_500,
  draws: 6_000,
})) {
  const counts = countGasParts(route)
  counts.set('newHolder', isNewHolder ? 1 : 0)
  counts.set('fee', feePpm > 0 ? 1 : 0)
  samples.push({ counts, used, refunds: Number(refund) * (counts.get('slot') ?? 0) })
}
engine.stop()
await localnet.stop()

const fitted = minimise(parts)
const most = Math.max(
  ...samples.map((sample) => fittedPart(sample, gasBounds, grossOf(sample)) / dot(sample.counts, fitted)),
)
const bounds = fitted.map((cost) => Math.ceil((cost * most * (1 + spare)) / 100) * 100)
write(
  'gasCosts',
  coarse,
  solve(coarse, gasCosts, ({ used }) => used),
)
write('gasBounds', parts, bounds)
const ratios = samples.map((sample) => quoted(sample) / sample.used).sort((one, other) => one - other)
console.log(`${samples.length} routes, quoted as a part of what is used:`)
for (const part of [0, 0.05, 0.5, 0.95, 1]) {
  console.log(`p${part * 100}: ${ratios[Math.round(part * (ratios.length - 1))]?.toFixed(3)}`)
}

function quoted({ counts, refunds }: Sample): number {
  const gross = dot(counts, bounds) + sumKnown(counts, gasBounds)
  return gross - Math.min(refunds, gross / Number(maxRefundShare))
}

/** Least squares, reweighted by the errors until the largest is smallest (Lawson 1961). */
function minimise(names: readonly GasPart[]): number[] {
  let weights = samples.map(() => 1)
  let best = { costs: solve(names, gasBounds, grossOf), error: Number.POSITIVE_INFINITY }
  for (let round = 0; round < 300; round++) {
    const costs = solve(names, gasBounds, grossOf, weights)
    const errors = samples.map((sample) => {
      const gross = grossOf(sample)
      return Math.abs(dot(sample.counts, costs) - fittedPart(sample, gasBounds, gross)) / gross
    })
    const error = Math.max(...errors)
    if (error < best.error) best = { costs, error }
    const next = weights.map((weight, i) => weight * errors[i]!)
    const mean = next.reduce((sum, weight) => sum + weight, 0) / next.length
    weights = next.map((weight) => weight / mean)
  }
  return best.costs
}

/** Of `gas`, the part that is to be fitted. */
function fittedPart({ counts }: Sample, table: Record<GasPart, bigint>, gas: number): number {
  return gas - sumKnown(counts, table)
}

function sumKnown(counts: Sample['counts'], table: Record<GasPart, bigint>): number {
  return known.reduce((sum, part) => sum + (counts.get(part) ?? 0) * Number(table[part]), 0)
}

/** Gas before refunds. */
function grossOf({ used, refunds }: Sample): number {
  const share = Number(maxRefundShare)
  return Math.min(used + refunds, (used * share) / (share - 1))
}

/** Rewrites one table, rounded up to hundreds. */
function write(table: string, names: readonly GasPart[], numbers: readonly number[]): void {
  const [before, own, after] = splitAt(readFileSync(file, 'utf8'), table)
  const changed = names.reduce((text, part, i) => {
    // Not -0.
    const rounded = Math.ceil((numbers[i] as number) / 100) * 100 || 0
    console.log(`${table}.${part}: ${rounded}`)
    return text.replace(
      new RegExp(`(\\n  ${part}: )-?[\\d_]+n`),
      `$1${rounded.toLocaleString('en').replaceAll(',', '_')}n`,
    )
  }, own)
  writeFileSync(file, before + changed + after)
}

function splitAt(text: string, table: string): [string, string, string] {
  const start = text.indexOf(`export const ${table}`)
  const end = text.indexOf('\n}', start)
  return [text.slice(0, start), text.slice(start, end), text.slice(end)]
}

function dot(counts: Sample['counts'], costs: readonly number[]): number {
  return parts.reduce((sum, name, i) => sum + (counts.get(name) ?? 0) * (costs[i] as number), 0)
}

/** Normal equations of the relative errors; unused parts are 0. */
function solve(
  names: readonly GasPart[],
  table: Record<GasPart, bigint>,
  gasOf: (sample: Sample) => number,
  weights: readonly number[] = samples.map(() => 1),
): number[] {
  const rows = samples.map((sample) => names.map((name) => (sample.counts.get(name) ?? 0) / gasOf(sample)))
  const targets = samples.map((sample) => fittedPart(sample, table, gasOf(sample)) / gasOf(sample))
  const size = names.length
  // Gas is divided by its square, so that numbers stay near 1.
  const matrix = names.map((_, i) => [
    ...names.map((_, j) => rows.reduce((sum, row, k) => sum + weights[k]! * row[i]! * row[j]!, 0) * 1e10),
    rows.reduce((sum, row, k) => sum + weights[k]! * row[i]! * targets[k]!, 0) * 1e10,
  ])
  for (let i = 0; i < size; i++) {
    const pivot = matrix[i]![i]!
    if (pivot < 1e-9) continue
    for (let j = 0; j < size; j++) {
      if (j === i) continue
      const factor = matrix[j]![i]! / pivot
      for (let k = 0; k <= size; k++) matrix[j]![k] = matrix[j]![k]! - factor * matrix[i]![k]!
    }
  }
  return matrix.map((row, i) => (Math.abs(row[i]!) < 1e-9 ? 0 : row[size]! / row[i]!))
}
