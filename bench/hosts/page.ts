import type { Machine } from '../machine.ts'
import type { Times } from '../stats.ts'
import type { Loss } from './loss.ts'
import type { SnapshotRow } from './snapshots.ts'

export type HostsRow = {
  hosts: number
  times: Times
  perSecond: number
  /** CPU of each host per quote that it answered. */
  cpuMs: number[]
  rpcPerSecond: number
}

export type HostsFigures = {
  machine: Machine
  connections: number
  blockSeconds: number
  rows: HostsRow[]
  snapshots: SnapshotRow[]
  losses: Record<'SIGKILL' | 'SIGTERM', Loss[]>
}

/** Formats bench/results/hosts.md. */
export function formatHosts({
  machine,
  connections,
  blockSeconds,
  rows,
  snapshots,
  losses,
}: HostsFigures): string {
  const capacity = ({ hosts, cpuMs }: HostsRow) => (1_000 * hosts) / mean(cpuMs)
  return [
    `Measured ${machine.date} on ${machine.cores} × ${machine.cpu}, ${machine.memoryGiB} GiB, Node ${machine.node}, load ${machine.load.toFixed(1)} before, by \`npm run bench:hosts\`.`,
    '',
    `Services, Redis, Anvil and the client of ${connections} connections share these cores, so quotes a second stop growing when the cores are busy. "Capacity" is one core per host, from the CPU of a quote. A block with a swap comes every ${blockSeconds} s. All quotes differ. A host that is started later has run fewer of them and costs more until its code is compiled.`,
    '',
    '## Quotes',
    '',
    table(
      [
        'hosts',
        'quotes/s',
        'p50, ms',
        'p95, ms',
        'CPU per quote of each host, ms',
        'capacity, quotes/s',
        'RPC requests/s',
      ],
      rows.map((row) => [
        String(row.hosts),
        row.perSecond.toFixed(0),
        row.times.p50.toFixed(0),
        row.times.p95.toFixed(0),
        row.cpuMs.map((ms) => ms.toFixed(2)).join(', '),
        capacity(row).toFixed(0),
        row.rpcPerSecond.toFixed(1),
      ]),
    ),
    '',
    '## What passes through Redis',
    '',
    'Synthetic pools. A block writes an update; every 256 updates the leader writes a snapshot, which a joining host reads.',
    '',
    table(
      ['pools', 'snapshot, MB', 'bytes per pool', 'encode, CPU ms', 'update of 1,000 pools, kB'],
      snapshots.map(({ pools, snapshotBytes, updateBytes, encodeCpuMs }) => [
        pools.toLocaleString('en'),
        (snapshotBytes / 1e6).toFixed(1),
        (snapshotBytes / pools).toFixed(0),
        encodeCpuMs.toFixed(0),
        (updateBytes / 1e3).toFixed(0),
      ]),
    ),
    '',
    '## Loss of the leader',
    '',
    'Three hosts are asked for 50 quotes a second in turn. The time without blocks is the longest between two blocks on a surviving host, of which a block interval is usual.',
    '',
    table(
      [
        'leader ends by',
        'runs',
        'without blocks, s',
        'usual, s',
        'failed on survivors',
        'failed on the lost host',
        'requests',
      ],
      Object.entries(losses).map(([signal, runs]) => [
        signal,
        String(runs.length),
        runs.map(({ longestGapMs }) => (longestGapMs / 1_000).toFixed(1)).join(', '),
        runs.map(({ usualGapMs }) => (usualGapMs / 1_000).toFixed(1)).join(', '),
        String(sum(runs.map(({ failed }) => failed))),
        String(sum(runs.map(({ failedOnLost }) => failedOnLost))),
        String(sum(runs.map(({ requests }) => requests))),
      ]),
    ),
    '',
  ].join('\n')
}

function table(heads: readonly string[], rows: readonly string[][]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(heads), line(heads.map(() => '---:')), ...rows.map(line)].join('\n')
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
const mean = (numbers: readonly number[]) => sum(numbers) / numbers.length
