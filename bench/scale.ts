import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'vite'
import { createPoolState } from '../service/indexer/poolState.ts'
import { createSnapshotFile } from '../service/indexer/snapshotFile.ts'
import { thisMachine } from './machine.ts'
import { createSynthetic } from './routing/synthetic.ts'
import type { HostData, HostFigures, HostTask } from './scale/host.ts'
import { formatScale, type ScaleFigures } from './scale/scaleTable.ts'
import { headerAt } from './soak/memoryFeed.ts'

// `npm run bench:scale -- [--pools 10000,100000,300000] [--threads 1,4]`: writes bench/results/scale.json and
// scale.md. Hosts run as built JavaScript, from saved pools.

const { values } = parseArgs({
  options: {
    pools: { type: 'string', default: '10000,100000,300000' },
    threads: { type: 'string', default: '1,4' },
  },
})
const numbers = (text: string) => text.split(',').map(Number)

const machine = thisMachine()
// Files of packages are found from here.
const folder = mkdtempSync(resolve(import.meta.dirname, '..', 'node_modules', '.scale-'))
const host = await bundle('bench/scale/host.ts', 'host')
const code = await bundle('service/search/searchThread.ts', 'searchThread')
const hosts: ScaleFigures['hosts'] = []
for (const pools of numbers(values.pools)) {
  const data = await save(pools)
  for (const threads of numbers(values.threads)) {
    hosts.push({ threads, ...(await runHost({ folder: data, threads, code })) })
  }
  rmSync(data, { recursive: true })
}
rmSync(folder, { recursive: true })
const figures: ScaleFigures = { machine: { ...machine, loadAfter: thisMachine().load }, hosts }
const results = resolve(import.meta.dirname, 'results')
mkdirSync(results, { recursive: true })
writeFileSync(join(results, 'scale.json'), `${JSON.stringify(figures, null, 2)}\n`)
writeFileSync(join(results, 'scale.md'), formatScale(figures))
console.log(formatScale(figures))

async function bundle(entry: string, name: string): Promise<string> {
  await build({
    ...{ configFile: false, logLevel: 'error', ssr: { noExternal: true } },
    build: {
      ...{
        ssr: resolve(import.meta.dirname, '..', entry),
        outDir: folder,
        emptyOutDir: false,
        target: 'node20',
      },
      rollupOptions: { output: { entryFileNames: `${name}.mjs` } },
    },
  })
  return join(folder, `${name}.mjs`)
}

/** Saves a synthetic chain; the heap it takes is freed before hosts run. */
async function save(pools: number): Promise<string> {
  const data = mkdtempSync(join(tmpdir(), 'sluice-pools-'))
  const { config, tokens, standings } = createSynthetic(pools)
  const state = createPoolState()
  await state.adopt({ block: headerAt(1), tip: 0n, pools: standings })
  await createSnapshotFile(data, config, state).stop()
  const chain: HostData = { config, tokens: tokens.slice(0, config.tokens.length) }
  writeFileSync(join(data, 'chain.json'), JSON.stringify(chain))
  return data
}

async function runHost(task: HostTask): Promise<HostFigures> {
  const child = fork(host, { execArgv: [] })
  const told = once(child, 'message') as Promise<[HostFigures]>
  const ended = once(child, 'exit')
  child.send(task)
  const first = await Promise.race([told, ended.then(() => undefined)])
  if (first === undefined) throw new Error('The host has ended before it was measured.')
  await ended
  return first[0]
}
