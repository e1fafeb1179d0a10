import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLocalnet } from '../dev/localnet.ts'
import { openPort } from '../dev/port.ts'
import { endService, spawnService } from '../dev/serviceProcess.ts'
import { buildService } from '../scripts/serviceBuild.mjs'
import { thisMachine } from './machine.ts'

// `npm run bench:start -- [runs]`: writes bench/results/start.md.

/** Times in ms from the spawn of the process; CPU time is that of its process group. */
type Start = { health: number; healthCpu: number; quote: number; quoteCpu: number }

const runs = Number(process.argv[2] ?? 12)
const programs = {
  'TypeScript by tsx': ['--import', 'tsx', 'service/main.ts'],
  'built, by `scripts/service.mjs`': ['scripts/service.mjs'],
  'built, `main.js` itself': [join(buildService(), 'main.js')],
}
const machine = thisMachine()
const localnet = await createLocalnet()
const dataFolder = mkdtempSync(join(tmpdir(), 'sluice-start-'))
const starts = new Map<string, Start[]>(Object.keys(programs).map((name) => [name, []]))
try {
  // The first round saves the pools and fills tsx's cache.
  for (let run = 0; run <= runs; run++) {
    for (const [name, program] of Object.entries(programs)) {
      if (run > 0 && readdirSync(dataFolder).length === 0) throw new Error('No pools were saved.')
      const start = await measureStart(program)
      if (run > 0) starts.get(name)?.push(start)
    }
  }
} finally {
  await localnet.stop()
  rmSync(dataFolder, { recursive: true })
}
const page = format()
writeFileSync(resolve(import.meta.dirname, 'results/start.md'), page)
console.log(page)

async function measureStart(program: readonly string[]): Promise<Start> {
  const { config, rpcUrl, tokens } = localnet
  const port = await openPort()
  const root = `http://127.0.0.1:${port}`
  const quote = `quote?src=${tokens.USDC}&dst=${tokens.WETH}&amount=1000000`
  const began = performance.now()
  const { child, cleanUp } = spawnService({ config, rpcUrl, port, dataFolder, program })
  const closed = new Promise((resolve) => child.once('close', resolve))
  try {
    await answers(`${root}/health`, child)
    const health = performance.now() - began
    const healthCpu = cpuMs(child)
    await answers(`${root}/v6.1/${config.chainId}/${quote}`, child)
    return { health, healthCpu, quote: performance.now() - began, quoteCpu: cpuMs(child) }
  } finally {
    await endService(child)
    await closed
    cleanUp()
  }
}

async function answers(url: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const isServed = await fetch(url).then(
      async (response) => (await response.text()) !== '' && response.ok,
      () => false,
    )
    if (isServed) return
    await sleep(5)
  }
  throw new Error(`The service ended with code ${child.exitCode}.`)
}

/** Linux counts in hundredths of a second. tsx has a process for its compiler. */
function cpuMs({ pid }: ChildProcess): number {
  let ticks = 0
  for (const name of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const fields = statOf(name)
    if (Number(fields[2]) !== pid) continue
    // utime, stime, and those of ended children.
    for (const field of fields.slice(11, 15)) ticks += Number(field)
  }
  return ticks * 10
}

/** The fields of /proc/[pid]/stat after the command's name (proc_pid_stat(5)); none when it has ended. */
function statOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ')
  } catch {
    return []
  }
}

function format(): string {
  const columns = ['health', 'healthCpu', 'quote', 'quoteCpu'] as const
  const { date, cores, cpu, memoryGiB, node, load } = machine
  const after = thisMachine().load
  return [
    `Measured ${date} on ${cores} × ${cpu}, ${memoryGiB} GiB, Node ${node}, by \`npm run bench:start\`: ${runs} starts of each in turn. The`,
    `machine's load was ${load.toFixed(1)} before and ${after.toFixed(1)} after; above ${cores} others worked there too, and times by the clock are longer than they would be.`,
    '',
    'From the spawn of the process until it answers, in ms, median (least). The localnet with saved pools; a quote needs their newest state.',
    '',
    '| | `/health` | CPU time until then | first quote | CPU time until then |',
    '| --- | ---: | ---: | ---: | ---: |',
    ...[...starts].map(([name, times]) => {
      const cells = columns.map((column) => summary(times.map((time) => time[column])))
      return `| ${name} | ${cells.join(' | ')} |`
    }),
    '',
  ].join('\n')
}

function summary(times: number[]): string {
  const sorted = times.toSorted((one, other) => one - other)
  const [least = Number.NaN] = sorted
  const median = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
  return `${Math.round(median).toLocaleString('en')} (${Math.round(least).toLocaleString('en')})`
}
