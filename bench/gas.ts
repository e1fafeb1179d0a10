import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { erc20Abi, maxUint256 } from 'viem'
import { deployer } from '../dev/chain/client.ts'
import { createLocalnet } from '../dev/localnet.ts'
import { type TokenSymbol, tokens } from '../dev/pools/tokens.ts'
import type { Address } from '../service/config.ts'
import { createEngine } from '../service/engine.ts'
import { connectRpc } from '../service/indexer/node.ts'
import { createNodeFeed } from '../service/indexer/nodeFeed.ts'
import { type GasPart, gasCosts, gasMargin } from '../service/pools/gasCosts.ts'
import { countGasParts } from '../service/routing/gasParts.ts'
import type { Route } from '../service/routing/route.ts'
import { encodeSwap } from '../service/swap/calldata.ts'
import { simulateSwap } from '../service/swap/simulate.ts'
import { nativeTokenAddress } from '../service/tokens/registry.ts'
import { createRandom } from './random.ts'
import { toAmount, toRouteLimits } from './routing/trades.ts'

// `npm run bench:gas`: fits service/pools/gasCosts.ts to executed routes by least squares, then raises
// `margins` until none exceeds its quote.

/** A pool's first swap fills empty slots and costs more. */
const warmUps = 400
const draws = 1_600
const seed = 21
const file = resolve(import.meta.dirname, '../service/pools/gasCosts.ts')

const parts = [
  ...(['base', 'branch', 'wrap', 'unwrap', 'constantProduct', 'concentrated', 'tick'] as const),
  ...(['weighted', 'stable'] as const),
] satisfies GasPart[]

const localnet = await createLocalnet()
const { client, config } = localnet
const engine = await createEngine(config, createNodeFeed(config, localnet.rpcUrl, { pollMs: 3_600_000 }))
const node = connectRpc(localnet.rpcUrl)
const traded = tokens.filter(({ isFoT }) => isFoT !== true)
await client.setBalance({ address: deployer, value: 10n ** 27n })
await client.writeContractSync({
  address: localnet.tokens.WETH,
  abi: [{ type: 'function', name: 'deposit', inputs: [], outputs: [], stateMutability: 'payable' }],
  functionName: 'deposit',
  value: 10n ** 26n,
})
for (const { symbol } of traded) await approve(symbol)
await engine.refresh()

const random = createRandom(seed)
let receivers = 0
const samples: { counts: number[]; used: number }[] = []
const firsts: typeof samples = []
const fees: number[] = []
const sources = engine.sources.map(({ id }) => id)
for (let i = 0; i < warmUps + draws; i++) {
  const sell = random.pick(traded)
  const buy = random.pick(traded.filter((token) => token !== sell))
  const [sellsNative, buysNative] = [
    sell.symbol === 'WETH' && random.chance(0.5),
    buy.symbol === 'WETH' && random.chance(0.5),
  ]
  const amount = toAmount(
    { address: localnet.tokens[sell.symbol], decimals: sell.decimals, usd: Number(sell.cents) / 100 },
    10 ** random.between(-1, 6.3),
  )
  const from = sellsNative ? nativeTokenAddress : localnet.tokens[sell.symbol]
  const to = buysNative ? nativeTokenAddress : localnet.tokens[buy.symbol]
  const limits = {
    ...toRouteLimits(config, random.pick([0n, 10n ** 9n, 10n ** 11n])),
    apart: random.chance(0.2),
    complexityLevel: random.pick([0, 1, 2]),
  }
  if (random.chance(0.5)) limits.sources = new Set(['WETH', random.pick(sources)])
  const route = engine.route({ sell: from, buy: to, amount, limits })
  if (route === undefined) continue
  // An empty receiver costs the most.
  const used = await execute(route, from, to, amount, limits.apart, 0)
  if (used === undefined) continue
  if (i < warmUps) {
    firsts.push({ counts: countParts(route), used })
    await client.execute({ ...callOf(route, from, to, amount, limits.apart, 0), gas: 12_000_000n })
    await engine.refresh()
    continue
  }
  samples.push({ counts: countParts(route), used })
  if (fees.length < 100) {
    const fee = 10_000
    const sold = amount + (amount * BigInt(fee)) / BigInt(1_000_000 - fee)
    const withFee = await execute(route, from, to, sold, limits.apart, fee)
    if (withFee !== undefined) fees.push(withFee - used)
  }
}
engine.stop()
await localnet.stop()

const costs = solve(samples)
const margins = parts.map(() => 0)
// Small routes first, to learn each part alone.
const all = [...firsts, ...samples].sort((one, other) => sizeOf(one.counts) - sizeOf(other.counts))
for (const { counts, used } of all) {
  const missing = used - dot(counts, costs) - dot(counts, margins)
  if (missing <= 0) continue
  const share = missing / Math.max(1, sizeOf(counts))
  counts.forEach((count, i) => {
    if (count > 0 && (i > 0 || sizeOf(counts) === 0)) margins[i] = margins[i]! + share
  })
}

const written = parts.map((part) => Number(gasCosts[part] + gasMargin[part]))
const below = all.filter(({ counts, used }) => dot(counts, written) < used).length
write('gasCosts', [...costs, mean(fees)])
write('gasMargin', [...margins, Math.max(...fees) - mean(fees)])
console.log(`${all.length} routes; ${below} used more than was quoted before.`)
const quoted = all.map(({ counts, used }) => (dot(counts, costs) + dot(counts, margins)) / used)
console.log(
  `Now quoted, as a part of what is used: ${Math.min(...quoted).toFixed(2)} to ${Math.max(...quoted).toFixed(2)}, mean ${mean(quoted).toFixed(2)}.`,
)

/** Rewrites one table, rounded up to hundreds. */
function write(table: string, numbers: number[]): void {
  const [before, own, after] = splitAt(readFileSync(file, 'utf8'), table)
  const changed = [...parts, 'fee' as const].reduce((text, part, i) => {
    const rounded = Math.max(0, Math.ceil(numbers[i]! / 100)) * 100
    console.log(`${table}.${part}: ${rounded}`)
    return text.replace(
      new RegExp(`(\\n  ${part}: )[\\d_]+n`),
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

function countParts(route: Route): number[] {
  const counts = countGasParts(route)
  return parts.map((part) => counts.get(part) ?? 0)
}

function sizeOf(counts: number[]): number {
  return counts.slice(1).reduce((sum, count) => sum + count, 0)
}

function mean(numbers: number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length
}

/** Receiver and referrer hold none of their tokens. */
function callOf(route: Route, sell: Address, buy: Address, amount: bigint, isApart: boolean, feePpm: number) {
  const stranger = (): Address => `0x${(0xc0ffee00 + ++receivers).toString(16).padStart(40, '0')}`
  return encodeSwap({
    ...{ config, route, sell, buy, amount, receiver: stranger(), minReturn: 0n, deadline: 2n ** 40n, feePpm },
    ...{ referrer: feePpm > 0 ? stranger() : undefined, permit: undefined, flags: isApart ? 1n : 0n },
  })
}

async function execute(...trade: Parameters<typeof callOf>): Promise<number | undefined> {
  const outcome = await simulateSwap(
    node,
    { from: deployer, ...callOf(...trade) },
    deployer,
    engine.block()!,
    [],
  )
  return outcome.status === 'done' ? Number(outcome.gasUsed) : undefined
}

async function approve(symbol: TokenSymbol): Promise<void> {
  await client.writeContractSync({
    address: localnet.tokens[symbol],
    abi: erc20Abi,
    functionName: 'approve',
    args: [config.router, maxUint256],
  })
}

function dot(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, value, i) => sum + value * (other[i] as number), 0)
}

/** Normal equations; unused parts are 0. */
function solve(rows: { counts: number[]; used: number }[]): number[] {
  const size = parts.length
  const matrix = Array.from({ length: size }, (_, i) => [
    ...Array.from({ length: size }, (_, j) =>
      rows.reduce((sum, { counts }) => sum + counts[i]! * counts[j]!, 0),
    ),
    rows.reduce((sum, { counts, used }) => sum + counts[i]! * used, 0),
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
