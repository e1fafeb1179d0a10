import type { Machine } from '../machine.ts'
import type { HostFigures } from './host.ts'

export type ScaleFigures = {
  machine: Machine & { loadAfter: number }
  hosts: (HostFigures & { threads: number })[]
}

export function formatScale({ machine, hosts }: ScaleFigures): string {
  const { date, cores, cpu, memoryGiB, node, load, loadAfter } = machine
  const row = (title: string, of: (host: HostFigures) => string) =>
    `| ${title} | ${hosts.map(of).join(' | ')} |`
  const pause = ({ ms, cpuMs, pauseMs, pauseCpuMs }: HostFigures['change']) =>
    `${whole(ms)}, ${whole(cpuMs)}; ${one(pauseMs)}, ${one(pauseCpuMs)}`
  return `${[
    `Measured ${date} on ${cores} × ${cpu}, ${memoryGiB} GiB, Node ${node}, by \`npm run bench:scale\`. The machine's load was`,
    `${load.toFixed(1)} before and ${loadAfter.toFixed(1)} after; above ${cores} others worked there too, and times by the clock are longer than`,
    'they would be. Times are in ms. A host is one process of built JavaScript with its search threads.',
    '',
    `| pools, threads | ${hosts.map(({ pools, threads }) => `${pools.toLocaleString('en')}, ${threads}`).join(' | ')} |`,
    `| --- |${hosts.map(() => ' --- |').join('')}`,
    row('start from saved pools: clock, CPU', ({ load }) => `${whole(load.ms)}, ${whole(load.cpuMs)}`),
    row('resident memory after the start, MB', ({ load }) => whole(load.rssMb)),
    row('resident memory, highest during quotes, MB', ({ rssMb }) => whole(rssMb)),
    row('quote with certificate, CPU: p50, p95', ({ quotes }) => times(quotes.cpuMs)),
    row('the same quote again, CPU: p50, p95', ({ quotes }) => times(quotes.warmCpuMs)),
    row('search in its thread, clock: p50, p95', ({ quotes }) => times(quotes.searchMs)),
    row('1,000 changed pools, worst of 10', ({ change }) => pause(change)),
    row('all pools read again', ({ resync }) => pause(resync)),
    row('pools saved', ({ save }) => pause(save)),
    '',
    'The last three rows: clock and CPU; longest pause of the HTTP thread by the clock (`monitorEventLoopDelay`), and the most CPU time it',
    'took in one turn of its event loop (`/proc/thread-self/schedstat`), which other processes hardly lengthen. Quotes are of 1k, 10k, 100k and 1M $ in turns,',
    'between listed tokens drawn by fame, at 10 gwei; their CPU is that of all threads of the process.',
  ].join('\n')}\n`
}

function times({ p50, p95 }: { p50: number; p95: number }): string {
  return `${one(p50)}, ${one(p95)}`
}

function whole(value: number): string {
  return String(Math.round(value))
}

function one(value: number): string {
  return value.toFixed(1)
}
