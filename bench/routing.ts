import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createLocalnet } from '../dev/localnet.ts'
import { benchChain } from './chain.ts'
import { benchLocal } from './local.ts'
import { benchArithmetic } from './routing/arithmetic.ts'
import { benchPeers } from './routing/baselineRouters.ts'
import { benchExhaustive } from './routing/exhaustive.ts'
import { sizes } from './routing/trades.ts'
import { type Figures, formatFigures } from './table.ts'

// `npm run bench:service`: writes bench/results/service.json and service.md. With `-- --pools 100000` it only
// measures one synthetic chain, and with `--quotes` only its quotes; it prints them and writes nothing.

const { values } = parseArgs({ options: { pools: { type: 'string' }, quotes: { type: 'boolean' } } })
if (values.pools !== undefined) {
  const chain = await benchChain(Number(values.pools), values.quotes === true ? [] : sizes)
  console.log(JSON.stringify(chain, null, 2))
  process.exit()
}

const peerPools = 10_000

const before = loadavg()[0] ?? 0
const localnet = await createLocalnet()
const local = await benchLocal(localnet).finally(() => localnet.stop())
const chains: Figures['chains'] = []
for (const pools of [1_000, 10_000, 100_000]) chains.push(await benchChain(pools))
const exhaustive = benchExhaustive()
const peers = { pools: peerPools, bySize: await benchPeers(peerPools) }
const arithmetic = benchArithmetic()

const machine = {
  date: new Date().toISOString().slice(0, 10),
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  node: process.version,
  load: [before, loadavg()[0] ?? 0],
}
const tookSeconds = performance.now() / 1_000
const figures: Figures = { machine, tookSeconds, chains, exhaustive, peers, arithmetic, local }
const page = formatFigures(figures)
const results = resolve(import.meta.dirname, 'results')
mkdirSync(results, { recursive: true })
writeFileSync(join(results, 'service.json'), `${JSON.stringify(figures, null, 2)}\n`)
writeFileSync(join(results, 'service.md'), page)
console.log(page)
