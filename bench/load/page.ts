import type { thisMachine } from '../machine.ts'
import type { Times } from '../stats.ts'
import type { Flooded } from './generator.ts'
import type { Quiet } from './quietClient.ts'

export type Step = {
  connections: number
  flooded: Flooded
  quiet: Quiet
  /** Of a bare HTTP server at the same time. */
  machine: Times
  cpuSeconds: number
}

export type Run = {
  machine: ReturnType<typeof thisMachine>
  seconds: number
  note: string
  /** Two keys of one address. */
  byKey: Step[]
  /** Without keys, from two addresses. */
  byAddress: Step[]
}

/** Runs by name, e.g. `before` and `after`. */
export type LoadFigures = Record<string, Run>

export function formatLoad(figures: LoadFigures): string {
  return [
    '# One client with many connections',
    '',
    'By `npm run bench:load`, which starts the built service on the localnet, a load generator (autocannon) and a quiet',
    'client as processes of their own. The generator holds the connections of one client, sends the next unique quote as soon as',
    'one is answered, and ignores `Retry-After`. The quiet client sends two unique quotes a second at fixed times, each on a new',
    'connection. With keys both share one address; without, each has its own. No rate is set.',
    'All processes, the RPC (anvil) too, share the machine’s cores: from 16 connections on the generator competes with the service',
    'for them, and the more so the more answers it gets. CPU seconds per second are those of the service and of the generator.',
    'The quiet client asks a bare HTTP server, a process of its own, at the same times: what that takes, the machine takes.',
    ...Object.entries(figures).flatMap(([name, run]) => formatRun(name, run)),
    '',
  ].join('\n')
}

function formatRun(name: string, { machine, seconds, note, byKey, byAddress }: Run): string[] {
  const { date, cores, cpu, memoryGiB, node, load } = machine
  return [
    '',
    `## ${name}`,
    '',
    `Measured ${date} on ${cores} × ${cpu}, ${memoryGiB} GiB, Node ${node}, ${seconds} s per row; the machine's load was ${load.toFixed(1)} before:`,
    `above ${cores} others worked there too, and times by the clock are longer than they would be.`,
    ...(note === '' ? [] : [note]),
    ...table('Two keys, one address', byKey),
    ...table('No keys, two addresses', byAddress),
  ]
}

function percentiles({ p50, p95, p99 }: Times): string {
  return [p50, p95, p99].map((ms) => ms.toFixed(1)).join(' / ')
}

function table(title: string, steps: Step[]): string[] {
  const head = [
    ...['connections', 'good answers a second', 'their p50 / p99, ms', 'others a second', 'lost'],
    ...['quiet client: p50 / p95 / p99, ms', 'a bare server', 'its answers', 'CPU: service, generator'],
  ]
  const rows = steps.map(({ connections, flooded, quiet, machine, cpuSeconds }) => {
    const { byStatus, seconds } = flooded
    const refused = Object.entries(byStatus).filter(([status]) => status !== '200')
    return [
      connections.toLocaleString('en'),
      ((byStatus['200'] ?? 0) / seconds).toFixed(0),
      `${flooded.p50} / ${flooded.p99}`,
      refused.map(([status, count]) => `${status}: ${(count / seconds).toFixed(0)}`).join(', ') || '–',
      String(flooded.lost),
      percentiles(quiet.times),
      percentiles(machine),
      Object.entries(quiet.byStatus)
        .map(([status, count]) => `${status}: ${count}`)
        .join(', '),
      [cpuSeconds, flooded.cpuSeconds].map((used) => (used / seconds).toFixed(2)).join(', '),
    ]
  })
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return ['', `### ${title}`, '', line(head), line(head.map(() => '---')), ...rows.map(line)]
}
