import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createLocalnet } from '../dev/localnet.ts'
import type { FeeTier } from '../service/pools/concentrated.ts'
import { thisMachine } from './machine.ts'
import { createAlphaRouter, loadUniswap } from './peers/alphaRouter.ts'
import { type Compared, compareOn } from './peers/compare.ts'
import { createExecutor } from './peers/execute.ts'
import { createGrid } from './peers/grid.ts'
import { installPeers, readPeerVersions } from './peers/install.ts'
import { createSections, readLocalMarket } from './peers/markets.ts'
import { createPancake, loadPancake } from './peers/pancake.ts'
import type { Peer } from './peers/peer.ts'
import { formatPeers } from './peers/report.ts'
import { createTines } from './peers/tines.ts'

// `npm run bench:peers`: our routes beside other routers' over the same pools, in bench/results/peers.md.
// An argument runs the sections and peers with it in their name, and writes nothing.

const only = process.argv[2]
const before = process.cpuUsage()
const load = installPeers()
const localnet = await createLocalnet()
const fresh = await readLocalMarket(localnet)
const fees = new Map(
  fresh.pools.map(({ listing: { address, kind, fixed } }) => {
    return [address, kind === 'concentrated' ? (fixed as FeeTier).feePpm : 0]
  }),
)
const executor = await createExecutor(localnet, (pool) => fees.get(pool) ?? 0)
await executor.warmUp(fresh)
const market = await readLocalMarket(localnet)

const tines = load('@sushiswap/tines')
/** Their paths are SwapRouter02's. */
const executable = [createAlphaRouter(loadUniswap(load)), createPancake(loadPancake(load))]
const everywhere = [createTines(tines, false), ...executable, createGrid()]
const withVault = [...everywhere, createTines(tines, true)]

const startedAt = Date.now()
const results: { section: string; peer: string; compared: Compared }[] = []
const tasks = createSections(market).flatMap((section) => {
  const peers: Peer[] = section.market === market ? withVault : everywhere
  return peers.flatMap((peer) => {
    return only === undefined || `${section.title}, ${peer.name}`.includes(only) ? [{ section, peer }] : []
  })
})
for (const [done, { section, peer }] of tasks.entries()) {
  const isExecuted = section.market === market && executable.includes(peer)
  const compared = await compareOn(section, peer, isExecuted ? executor : undefined)
  results.push({ section: section.title, peer: peer.name, compared })
  const seconds = Math.round((Date.now() - startedAt) / 1_000)
  console.log(
    `${done + 1} of ${tasks.length}, ${seconds} s: ${section.title}, ${peer.name}: ${compared.rows.length} comparisons`,
  )
}
await localnet.stop()

const { user, system } = process.cpuUsage(before)
const page = formatPeers(thisMachine(), readPeerVersions(), (user + system) / 1e6, results)
console.log(page)
if (only === undefined) {
  const folder = resolve(import.meta.dirname, 'results')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'peers.md'), page)
}
