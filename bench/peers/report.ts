import type { thisMachine } from '../machine.ts'
import { allowedBps, type Compared, type Comparison, gasPrices, sizes } from './compare.ts'

type Result = { section: string; peer: string; compared: Compared }

const maxListed = 60

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
    'no Balancer pools; with our curves for them it is a router that nobody runs. Loss: what the peer has more, in bps of its return; negative is a win.',
    '',
    '## Verdict',
    '',
    ...verdict(rows, results),
    '',
    ...gasPrices.flatMap((gasPrice) => [
      `## ${gasPrice === 0n ? 'Gross' : `Net of gas at ${Number(gasPrice) / 1e9} gwei`}`,
      '',
      ...lossTable(results, gasPrice),
      '',
    ]),
    'Gas by `service/pools/gasCosts.ts` for every router: the base, and each hop. Own estimates, below, differ in what they include: peers',
    'leave out the transfer to a new holder, and so seem cheaper than they are.',
    '',
    '## Net of gas by each router’s own estimate',
    '',
    ...ownTable(rows),
    '',
    '## Executed on the local chain',
    '',
    ...executedTable(rows),
    '',
    '## Lost trades',
    '',
    ...lostList(rows),
    '',
  ].join('\n')
}

function verdict(rows: readonly Comparison[], results: readonly Result[]): string[] {
  const real = rows.filter(({ peer }) => !/our/.test(peer))
  const judged = (isGross: boolean) =>
    real.filter(({ gasPrice }) => (isGross ? gasPrice === 0n : gasPrice === gasPrices[1]))
  const line = (name: string, isGross: boolean, limit: number) => {
    const own = judged(isGross)
    const lost = own.filter(({ lossBps }) => lossBps > limit)
    return `- ${name}: ${lost.length} of ${own.length} trades lost by more than ${limit} bps, the worst loss is ${most(own).toFixed(3)} bps.`
  }
  const count = (of: (compared: Compared) => readonly unknown[]) =>
    results.reduce((sum, { compared }) => sum + of(compared).length, 0)
  const executed = rows.flatMap(({ executed, gasPrice }) =>
    executed && gasPrice === gasPrices[1] ? [executed] : [],
  )
  const dearer = executed.filter(({ lossBps }) => lossBps > allowedBps.net).length
  return [
    line('Gross', true, allowedBps.gross),
    line('Net at 0.5 gwei', false, allowedBps.net),
    `- Net of executed gas at 0.5 gwei, beside AlphaRouter: ${dearer} of ${executed.length} trades lost by more than ${allowedBps.net} bps, the worst loss is ${most(executed).toFixed(3)} bps.`,
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

function ownTable(rows: readonly Comparison[]): string[] {
  const own = rows.filter(({ gasPrice }) => gasPrice === gasPrices[1])
  return [
    ...head(['0.5 gwei: worst loss, mean', ...sizes.map(dollars)]),
    ...[...new Set(own.map(({ peer }) => peer))].map((peer) =>
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
  const executed = rows.flatMap(({ executed, usd, gasPrice }) =>
    executed ? [{ ...executed, usd, gasPrice }] : [],
  )
  if (executed.length === 0) return ['Nothing was executed.']
  const exact = executed.filter(({ isExact }) => isExact).length
  return [
    ...head(['net of executed gas: worst loss, mean', ...sizes.map(dollars)]),
    ...gasPrices.map((gasPrice) =>
      line([
        `${Number(gasPrice) / 1e9} gwei`,
        ...sizes.map((usd) =>
          worstAndMean(executed.filter((one) => one.usd === usd && one.gasPrice === gasPrice)),
        ),
      ]),
    ),
    line([
      'mean gas at 0.5 gwei: ours, AlphaRouter',
      ...sizes.map((usd) => {
        const own = executed.filter((one) => one.usd === usd && one.gasPrice === gasPrices[1])
        return [own.map(({ ourGas }) => ourGas), own.map(({ peerGas }) => peerGas)]
          .map((gas) => `${(mean(gas) / 1_000).toFixed(1)}k`)
          .join(', ')
      }),
    ]),
    '',
    `${executed.length} trades of AlphaRouter by SwapRouter02 and of ours by our router, each with the settled return as its minimum: ${exact} of`,
    'them received exactly what was settled, on both sides. The recipient held none of the token before.',
  ]
}

function lostList(rows: readonly Comparison[]): string[] {
  const lost = rows
    .filter(({ cause }) => cause !== undefined)
    .sort((one, other) => Number(one.gasPrice - other.gasPrice) || other.lossBps - one.lossBps)
  if (lost.length === 0) return ['None.']
  return [
    ...head(['trade', 'size', 'gas', 'peer', 'loss, bps', 'cause']),
    ...lost.slice(0, maxListed).map(({ section, sell, buy, usd, gasPrice, peer, lossBps, cause = '' }) => {
      const gas = gasPrice === 0n ? 'gross' : `${Number(gasPrice) / 1e9} gwei`
      return line([`${section}: ${sell} to ${buy}`, dollars(usd), gas, peer, lossBps.toFixed(3), cause])
    }),
    ...(lost.length > maxListed ? ['', `And ${lost.length - maxListed} more.`] : []),
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
