import type { thisMachine } from '../machine.ts'
import {
  allowedBps,
  type Compared,
  type Comparison,
  type ExecutedPair,
  gasPrices,
  sizes,
  type TradeInfo,
} from './compare.ts'

type Result = { section: string; peer: string; compared: Compared }

/** Judged net of gas. */
const usual = gasPrices[1]

/** Formats the page bench/results/peers.md. */
export function formatPeers(
  { date, cores, cpu, memoryGiB, node, load }: ReturnType<typeof thisMachine>,
  versions: Record<string, string>,
  cpuSeconds: number,
  results: readonly Result[],
): string {
  const rows = results.flatMap(({ compared }) => compared.rows)
  const peers = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  return [
    `Measured ${date} on ${cores} × ${cpu}, ${memoryGiB} GiB, Node ${node}, load ${load.toFixed(1)}, in ${cpuSeconds.toFixed(0)} s of CPU by`,
    `\`npm run bench:peers\`. Peers: ${peers.join(', ')}, each with its defaults for mainnet, and a percent grid.`,
    '',
    'Every peer is compared over exactly the pools of the kinds it knows, with our router over the same and the limits of the interface',
    '(50 pieces, 10 first ones). All routes are settled in the pools’ integer arithmetic on one block. AlphaRouter and PancakeSwap know one pool',
    'per pair and fee. tines gets its own number of flows, and 100 where gas is free; the grid 1, 20 and 100 slices: the best answer counts. tines has',
    'v2 and v3 pools only; with our curves for all others it is a router that nobody runs. Loss: what the peer has more, in bps of its return; negative is a win.',
    '',
    '## Verdict',
    '',
    ...verdict(rows, results),
    '',
    ...gasPrices.flatMap((gasPrice) => [
      `## ${gasPrice === 0n ? 'Gross' : `Net of gas at ${gwei(gasPrice)}`}`,
      '',
      ...lossTable(results, gasPrice),
      '',
    ]),
    'Gas by `service/pools/gasCosts.ts` for every router: the base, and each hop.',
    '',
    '## Net of gas by each router’s own estimate',
    '',
    ...gasPrices.slice(1).flatMap((gasPrice) => [...ownTable(rows, gasPrice), '']),
    '',
    'Estimates differ in what they include. What a route really uses is below.',
    '',
    '## Executed on the local chain',
    '',
    ...executedTable(rows),
    '',
    '## Lost trades',
    '',
    ...lostList(results),
    '',
  ].join('\n')
}

function verdict(rows: readonly Comparison[], results: readonly Result[]): string[] {
  const real = rows.filter(({ peer }) => !/our/.test(peer))
  const judged = (isGross: boolean) =>
    real.filter(({ gasPrice }) => (isGross ? gasPrice === 0n : gasPrice === usual))
  const line = (name: string, isGross: boolean, limit: number) => {
    const own = judged(isGross)
    const lost = own.filter(({ lossBps }) => lossBps > limit)
    return `- ${name}: ${lost.length} of ${own.length} trades lost by more than ${limit} bps, the worst loss is ${most(own).toFixed(3)} bps.`
  }
  const count = (of: (compared: Compared) => readonly unknown[]) =>
    results.reduce((sum, { compared }) => sum + of(compared).length, 0)
  const executed = rows.flatMap(({ executed, gasPrice }) =>
    executed && gasPrice === usual ? [executed] : [],
  )
  const dearer = executed.filter(({ lossBps }) => lossBps > allowedBps.net).length
  return [
    line('Gross', true, allowedBps.gross),
    line('Net at 0.5 gwei', false, allowedBps.net),
    `- Net of executed gas at 0.5 gwei, on the local chain: ${dearer} of ${executed.length} trades lost by more than ${allowedBps.net} bps, the worst loss is ${most(executed).toFixed(3)} bps.`,
    `- ${count(({ onlyOurs }) => onlyOurs)} comparisons have a route of ours alone, ${count(({ onlyPeers }) => onlyPeers)} one of the peer alone; ${count(({ faults }) => faults)} routes of peers revert in a pool.`,
  ]
}

function lossTable(results: readonly Result[], gasPrice: bigint): string[] {
  return [
    ...head(['worst loss, mean', ...sizes.map(dollars), 'trades', 'lost']),
    ...results.map(({ section, peer, compared }) => {
      const own = compared.rows.filter((row) => row.gasPrice === gasPrice)
      const cells = sizes.map((usd) => worstAndMean(own.filter((row) => row.usd === usd)))
      const lost = own.filter(({ cause }) => cause !== undefined).length
      return line([`${section}: ${peer}`, ...cells, String(own.length), String(lost)])
    }),
  ]
}

function ownTable(rows: readonly Comparison[], gasPrice: bigint): string[] {
  const own = rows.filter((row) => row.gasPrice === gasPrice)
  return [
    ...head([`${gwei(gasPrice)}: worst loss, mean`, ...sizes.map(dollars)]),
    ...peersOf(own).map((peer) =>
      line([
        peer,
        ...sizes.map((usd) => {
          const some = own.filter((row) => row.peer === peer && row.usd === usd)
          return worstAndMean(some.map(({ ownLossBps }) => ({ lossBps: ownLossBps })))
        }),
      ]),
    ),
  ]
}

function executedTable(rows: readonly Comparison[]): string[] {
  const executed = rows.flatMap(({ executed, usd, gasPrice, peer }) =>
    executed ? [{ ...executed, usd, gasPrice, peer }] : [],
  )
  const exact = executed.filter(({ isExact }) => isExact).length
  return [
    ...head(['net of executed gas: worst loss, mean', ...sizes.map(dollars)]),
    ...peersOf(executed).flatMap((peer) => {
      const at = (usd: number, gasPrice: bigint) =>
        executed.filter((one) => one.peer === peer && one.usd === usd && one.gasPrice === gasPrice)
      const gas = (usd: number) => {
        const own = at(usd, usual)
        const both = [own.map(({ ourGas }) => ourGas), own.map(({ peerGas }) => peerGas)]
        return both.map((used) => `${(mean(used) / 1_000).toFixed(1)}k`).join(', ')
      }
      return [
        ...gasPrices.map((gasPrice) =>
          line([`${peer}, ${gwei(gasPrice)}`, ...sizes.map((usd) => worstAndMean(at(usd, gasPrice)))]),
        ),
        line([`mean gas at ${gwei(usual)}: ours, ${peer}`, ...sizes.map(gas)]),
      ]
    }),
    '',
    `${executed.length} trades, the peers’ by SwapRouter02 and ours by our router, each with the settled return as its minimum: in ${exact} of them`,
    'both received exactly what was settled. The recipient held none of the token before.',
    '',
    ...gasLosses(executed.filter(({ gasPrice, lossBps }) => gasPrice === usual && lossBps > allowedBps.net)),
  ]
}

/** Says whether the contract's gas alone loses the trades. */
function gasLosses(lost: readonly ExecutedPair[]): string[] {
  if (lost.length === 0) return [`At ${gwei(usual)} none is lost by more than ${allowedBps.net} bps.`]
  const byGas = lost.filter(({ grossLossBps }) => grossLossBps <= 0)
  const excess = mean(byGas.map(({ ourGas, peerGas }) => ourGas - peerGas))
  return [
    `At ${gwei(usual)} ${lost.length} are lost by more than ${allowedBps.net} bps. In ${byGas.length} of them ours returned as much or more, and our router alone is the`,
    `cause: it used ${(excess / 1_000).toFixed(1)}k more gas on average.`,
  ]
}

/** One line per trade and peer, the worst first. */
function lostList(results: readonly Result[]): string[] {
  const lost = new Map<string, Comparison[]>()
  for (const row of results.flatMap(({ compared }) => compared.rows)) {
    if (row.cause === undefined) continue
    const trade = [row.section, row.sell, row.buy, row.usd, row.peer].join()
    lost.set(trade, [...(lost.get(trade) ?? []), row])
  }
  const missed = results.flatMap(({ compared }) => compared.onlyPeers)
  if (lost.size + missed.length === 0) return ['None.']
  const worst = (rows: readonly Comparison[]) => rows.find((row) => row.lossBps === most(rows)) as Comparison
  const title = ({ section, sell, buy }: TradeInfo) => `${section}: ${sell} to ${buy}`
  return [
    ...head([
      'trade',
      'size',
      'peer',
      ...gasPrices.map((wei) => (wei === 0n ? 'gross' : gwei(wei))),
      'cause',
    ]),
    ...missed.map((info) =>
      line([title(info), dollars(info.usd), info.peer, '', '', '', 'no route of ours']),
    ),
    ...[...lost.values()]
      .sort((one, other) => most(other) - most(one))
      .map((rows) => {
        const { usd, peer, cause = '' } = worst(rows)
        const losses = gasPrices.map(
          (gasPrice) => rows.find((row) => row.gasPrice === gasPrice)?.lossBps.toFixed(2) ?? '',
        )
        return line([title(worst(rows)), dollars(usd), peer, ...losses, cause])
      }),
    '',
    'In bps. The cause is that of the worst: “tokens not considered” is found if the peer’s tokens are given as connectors,',
    '“pools not chosen” if only the peer’s pools are there as well.',
  ]
}

function worstAndMean(rows: readonly { lossBps: number }[]): string {
  if (rows.length === 0) return '–'
  return [most(rows), mean(rows.map(({ lossBps }) => lossBps))].map((bps) => bps.toFixed(2)).join(', ')
}

function most(rows: readonly { lossBps: number }[]): number {
  return rows.reduce((worst, { lossBps }) => Math.max(worst, lossBps), Number.NEGATIVE_INFINITY)
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function peersOf(rows: readonly { peer: string }[]): string[] {
  return [...new Set(rows.map(({ peer }) => peer))]
}

function gwei(wei: bigint): string {
  return `${Number(wei) / 1e9} gwei`
}

function dollars(usd: number): string {
  if (usd < 1_000) return `${usd} $`
  return usd < 1e6 ? `${usd / 1e3}k $` : `${usd / 1e6}M $`
}

function head(cells: readonly string[]): string[] {
  return [line(cells), line(cells.map(() => '---'))]
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}
