import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createLocalnet, type Localnet } from '../dev/localnet.ts'
import { tokens } from '../dev/pools/tokens.ts'
import { buildService } from '../scripts/serviceBuild.mjs'
import type { Flood, Flooded } from './load/generator.ts'
import { formatLoad, type LoadFigures, type Run, type Step } from './load/page.ts'
import { askQuietly } from './load/quietClient.ts'
import { thisMachine } from './machine.ts'
import { toAmount } from './routing/trades.ts'

// `npm run bench:load -- [--seconds 20] [--as after] [--note TEXT]`: writes bench/results/load.{json,md}.

const connections = [1, 16, 64, 256, 1_000]
const quietEveryMs = 500
const keys = { heavy: 'bench-key-of-the-heavy-client', quiet: 'bench-key-of-the-quiet-client' }
const results = resolve(import.meta.dirname, 'results')

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    as: { type: 'string', default: 'after' },
    note: { type: 'string', default: '' },
    connections: { type: 'string', default: connections.join() },
    option: { type: 'string', multiple: true, default: [] },
  },
})
const run = await measure(values.connections.split(',').map(Number), Number(values.seconds), values.option)
const file = join(results, 'load.json')
const known: LoadFigures = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
const figures = { ...known, [values.as]: { ...run, note: values.note } }
writeFileSync(file, `${JSON.stringify(figures, null, 2)}\n`)
writeFileSync(join(results, 'load.md'), formatLoad(figures))
console.log(formatLoad(figures))

async function measure(counts: number[], seconds: number, more: string[]): Promise<Omit<Run, 'note'>> {
  const machine = thisMachine()
  const localnet = await createLocalnet()
  const folder = mkdtempSync(join(tmpdir(), 'sluice-load-'))
  const config = join(folder, 'localnet.json')
  const keysFile = join(folder, 'keys')
  writeFileSync(config, JSON.stringify(localnet.config))
  writeFileSync(keysFile, `${Object.values(keys).join('\n')}\n`)
  try {
    const options = ['--rpc', localnet.rpcUrl, '--config', config, '--data', folder, ...more]
    return {
      machine,
      seconds,
      byKey: await measureSteps(localnet, folder, [...options, '--keys', keysFile], counts, seconds, keys),
      byAddress: await measureSteps(localnet, folder, options, counts, seconds),
    }
  } finally {
    await localnet.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measureSteps(
  localnet: Localnet,
  folder: string,
  options: string[],
  counts: number[],
  seconds: number,
  named?: typeof keys,
): Promise<Step[]> {
  const service = await startProcess(options, folder)
  const control = fork(join(import.meta.dirname, 'load/control.ts'))
  const [controlUrl] = (await once(control, 'message')) as [string]
  const paths = quotePaths(localnet)
  let number = 0
  const flood = async (count: number, forSeconds: number) => {
    number += 1_000_000
    const heavy = named === undefined ? {} : { key: named.heavy }
    const given = { url: service.url, paths, first: number, connections: count, seconds: forSeconds }
    return inProcess({ ...given, ...heavy })
  }
  try {
    await flood(16, 5)
    const steps: Step[] = []
    for (const count of counts) {
      const before = await service.cpuSeconds()
      const over = new AbortController()
      const apart = named === undefined ? { localAddress: '127.0.0.2' } : { key: named.quiet }
      number += 1_000_000
      const at = { url: service.url, paths, first: number, everyMs: quietEveryMs }
      const asking = askQuietly({ ...at, ...apart }, over.signal)
      const asIdle = askQuietly({ ...at, url: controlUrl }, over.signal)
      const flooded = await flood(count, seconds)
      over.abort()
      const [quiet, machine] = await Promise.all([asking, asIdle])
      const cpuSeconds = (await service.cpuSeconds()) - before
      steps.push({ connections: count, flooded, quiet, machine: machine.times, cpuSeconds })
      console.error(JSON.stringify(steps.at(-1)))
    }
    return steps
  } finally {
    control.disconnect()
    await service.stop()
  }
}

/** As in production, with its log written to a file. */
async function startProcess(options: string[], folder: string) {
  const log = openSync(join(folder, 'log'), 'w')
  const command = [join(buildService(), 'main.js'), '--chain', '31337', '--port', '0', ...options]
  const cwd = resolve(import.meta.dirname, '..')
  const service = spawn(process.execPath, command, { cwd, stdio: ['ignore', log, 'pipe'] })
  closeSync(log)
  let output = ''
  const addresses = /at (http\S+)\/v6[\s\S]*Metrics at (http\S+)/
  for await (const text of service.stderr ?? []) {
    output += text
    if (addresses.test(output)) break
  }
  const [, url, metrics] = addresses.exec(output) ?? []
  if (url === undefined || metrics === undefined) throw new Error(`The service did not start: ${output}`)
  return {
    url,
    async cpuSeconds() {
      const text = await (await fetch(metrics)).text()
      const found = text.matchAll(/^process_cpu_seconds_total(?:{[^}]*})? (\S+)/gm)
      return [...found].reduce((sum, [, seconds]) => sum + Number(seconds), 0)
    },
    async stop() {
      service.kill('SIGTERM')
      if (service.exitCode === null) await once(service, 'exit')
    },
  }
}

/** Every pair at three sizes; the generators add to the amounts. */
function quotePaths({ tokens: addresses, chainId }: Localnet): string[] {
  const traded = tokens.filter(({ isFoT }) => isFoT !== true)
  const pairs = traded.flatMap((sell) =>
    traded.flatMap((buy) => (sell === buy ? [] : [[sell, buy] as const])),
  )
  return [1_000, 10_000, 100_000].flatMap((usd) =>
    pairs.map(([sell, buy]) => {
      const priced = {
        address: addresses[sell.symbol],
        decimals: sell.decimals,
        usd: Number(sell.cents) / 100,
      }
      const trade = `src=${priced.address}&dst=${addresses[buy.symbol]}&amount=${toAmount(priced, usd)}`
      return `/v6.1/${chainId}/quote?${trade}`
    }),
  )
}

async function inProcess(flood: Flood): Promise<Flooded> {
  const child = fork(join(import.meta.dirname, 'load/generator.ts'))
  const told = once(child, 'message') as Promise<[Flooded]>
  const ended = once(child, 'exit')
  child.send(flood)
  const first = await Promise.race([told, ended.then(() => undefined)])
  if (first === undefined) throw new Error('The load generator ended before its result.')
  await ended
  return first[0]
}
