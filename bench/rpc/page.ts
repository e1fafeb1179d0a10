import type { Machine } from '../machine.ts'
import type { Requests } from './counter.ts'
import type { DiscoveryFigures } from './discovery.ts'

export type BlockFigures = {
  blockSeconds: number
  blocks: number
  requests: Requests
  /** Median from a block's mining to its state. */
  lateMs: number
}

export type RpcFigures = {
  machine: Machine
  start: { pools: number; requests: Requests; bytes: number; cpuMs: number }
  blocks: { change: string; blocks: number; requests: Requests; bytes: number }[]
  polled: BlockFigures[]
  /** By `newHeads`. */
  pushed: BlockFigures[]
}

export type RpcResults = {
  before?: RpcFigures
  after?: RpcFigures
  discovery?: { machine: Machine; found: DiscoveryFigures[] }
}

const methods = ['eth_getBlockByNumber', 'eth_getLogs', 'eth_call', 'eth_feeHistory'] as const

/** Formats bench/results/rpc.md. */
export function formatRpc({ before, after, discovery }: RpcResults): string {
  const latest = after ?? before
  if (latest === undefined) return ''
  const { machine } = latest
  const versions = [
    ['before', before],
    ['after', after],
  ].flatMap(([name, figures]) => (figures ? [[name as string, figures as RpcFigures] as const] : []))
  const rhythms = versions.flatMap(([name, { polled, pushed }]) => [
    ...polled.map((figures) => ({ name, figures })),
    ...pushed.map((figures) => ({ name: `${name}, newHeads`, figures })),
  ])
  rhythms.sort((a, b) => b.figures.blockSeconds - a.figures.blockSeconds)

  return [
    `Measured ${machine.date} on ${machine.cores} × ${machine.cpu}, ${machine.memoryGiB} GiB, Node ${machine.node}, load ${machine.load.toFixed(1)}, by \`npm run bench:rpc\` (Anvil on the same machine; counts do not depend on load, delays do).`,
    '',
    '"Before" polls every 250 ms, asks each factory for logs, reads every changed pool, and scans bitmaps by Multicall3.',
    '',
    '## JSON-RPC requests per day',
    '',
    'Every block has a v2 swap, a v3 swap and a changed position. The delay is the median from mining a block to its state. Pushed heads, one message per block, are not counted.',
    '',
    table(
      ['block time', 'version', 'all', ...methods.map(short), 'per block', 'delay, ms'],
      rhythms.map(({ name, figures: { blockSeconds, blocks, requests, lateMs } }) => {
        const perDay = (count: number) => ((count / blocks) * 86_400) / blockSeconds
        return [
          `${blockSeconds} s`,
          name,
          whole(perDay(sum(requests))),
          ...methods.map((method) => whole(perDay(requests[method] ?? 0))),
          (sum(requests) / blocks).toFixed(2),
          whole(lateMs),
        ]
      }),
    ),
    '',
    '## Requests per block, without polls that find none',
    '',
    table(
      ['change in the block', 'version', 'all', ...methods.map(short), 'bytes'],
      latest.blocks.flatMap(({ change }) =>
        versions.flatMap(([name, figures]) => {
          const row = figures.blocks.find((block) => block.change === change)
          if (row === undefined) return []
          const { blocks, requests, bytes } = row
          return [
            [
              change,
              name,
              (sum(requests) / blocks).toFixed(2),
              ...methods.map((method) => ((requests[method] ?? 0) / blocks).toFixed(2)),
              whole(bytes / blocks),
            ],
          ]
        }),
      ),
    ),
    '',
    '## Start from nothing',
    '',
    table(
      ['version', 'pools', 'requests', ...methods.map(short), 'MB', 'CPU, s'],
      versions.map(([name, { start }]) => [
        name,
        whole(start.pools),
        whole(sum(start.requests)),
        ...methods.map((method) => whole(start.requests[method] ?? 0)),
        (start.bytes / 1e6).toFixed(1),
        (start.cpuMs / 1_000).toFixed(1),
      ]),
    ),
    '',
    ...(discovery ? formatDiscovery(discovery) : []),
  ].join('\n')
}

function formatDiscovery({ machine, found }: NonNullable<RpcResults['discovery']>): string[] {
  const [{ delayMs, runs } = { delayMs: 0, runs: 0 }] = found
  return [
    '## Discovery of unlisted tokens',
    '',
    `Measured ${machine.date}, load ${machine.load.toFixed(1)}, by \`npm run bench:rpc -- --discovery\`: ${runs} services each, which list the localnet's connectors only, before an RPC that answers ${delayMs} ms late.`,
    '',
    table(
      ['asked for', 'pools found', 'requests', 'dependent requests', 'median, ms', 'longest, ms'],
      found.map(({ title, pools, requests, trips, ms }) => [
        ...[title, whole(pools), whole(requests), whole(trips)],
        ...[whole(ms.median), whole(ms.longest)],
      ]),
    ),
    '',
  ]
}

function table(heads: readonly string[], rows: readonly string[][]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(heads), line(heads.map((_, i) => (i < 2 ? '---' : '---:'))), ...rows.map(line)].join('\n')
}

const short = (method: string) => `\`${method.replace('eth_', '')}\``
const sum = (requests: Requests) => Object.values(requests).reduce((total, count) => total + count, 0)
const whole = (value: number) => Math.round(value).toLocaleString('en')
