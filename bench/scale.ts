import { fork } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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

// `npm run bench:scale -- [--pools 10000,100000,300000] [--threads 1,4] [--quotes 200]`: writes
// bench/results/scale.json and scale.md. Hosts run as built JavaScript, from saved pools.

const { values } = parseArgs({
  options: {
    pools: { type: 'string', default: '10000,100000,300000' },
    threads: { type: 'string', default: '1,4' },
    quotes: { type: 'string', default: '200' },
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
  tell(`${pools} pools are made`)
  const data = await save(pools)
  for (const threads of numbers(values.threads)) {
    tell(`${pools} pools, ${threads} threads`)
    // A host saves the pools it has changed: the next one must not begin with those.
    const own = `${data}-${threads}`
    cpSync(data, own, { recursive: true })
    hosts.push({ threads, ...(await runHost({ folder: own, threads, code, quotes: Number(values.quotes) })) })
    rmSync(own, { recursive: true })
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
  const child = fork(host, { execArgv: serviceFlags() })
  let found: HostFigures | undefined
  child.on('message', (told: { step: string } | { figures: HostFigures }) => {
    if ('step' in told) tell(told.step)
    else found = told.figures
  })
  const ended = once(child, 'exit')
  child.send(task)
  await ended
  if (found === undefined) throw new Error('The host has ended before it was measured.')
  return found
}

/** Node's flags of `npm run service`. */
function serviceFlags(): string[] {
  const file = readFileSync(resolve(import.meta.dirname, '../package.json'), 'utf8')
  const { scripts } = JSON.parse(file) as { scripts: { service: string } }
  return scripts.service.split(' ').filter((word) => word.startsWith('--'))
}

function tell(step: string): void {
  console.error(`${(performance.now() / 1_000).toFixed(0)} s: ${step}`)
}
