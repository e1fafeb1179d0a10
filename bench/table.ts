import type { ChainFigures } from './chain.ts'
import type { LocalFigures } from './local.ts'
import type { ArithmeticFigures } from './routing/arithmetic.ts'
import type { PeerFigures } from './routing/baselineRouters.ts'
import type { ExhaustiveFigures } from './routing/exhaustive.ts'
import type { Times } from './stats.ts'

export type Figures = {
  machine: { date: string; cpu: string; cores: number; memoryGiB: number; node: string; load: number[] }
  tookSeconds: number
  chains: ChainFigures[]
  exhaustive: ExhaustiveFigures
  peers: { pools: number; bySize: PeerFigures }
  arithmetic: ArithmeticFigures
  local: LocalFigures
}

export function formatFigures({ machine, tookSeconds, ...figures }: Figures): string {
  const { date, cores, cpu, memoryGiB, node, load } = machine
  const [before, after] = load.map((one) => one.toFixed(1))
  return [
    `Measured ${date} on ${cores} × ${cpu}, ${memoryGiB} GiB, Node ${node}, in ${Math.round(tookSeconds)} s by`,
    `\`npm run bench:service\`. The machine's load was ${before} before and ${after} after; above ${cores} others worked there too, and`,
    'times by the clock are longer than they would be. Times are in ms unless said otherwise.',
    ...['', '## Synthetic chains', '', ...chainTable(figures.chains)],
    ...['', '## Returns as a part of the proven bound', '', ...boundTable(figures)],
    ...['', '## Net of gas, against every set of pools', '', ...exhaustiveText(figures.exhaustive)],
    ...['', '## Simpler routers', '', ...peerTable(figures.peers)],
    ...['', '## Arithmetic of v3', '', ...arithmeticTable(figures.arithmetic)],
    ...['', '## The localnet over HTTP', '', ...localTable(figures.local), ''],
  ].join('\n')
}

function chainTable(chains: readonly ChainFigures[]): string[] {
  const row = (name: string, of: (chain: ChainFigures) => string) => line([name, ...chains.map(of)])
  return [
    ...head(['pools', ...chains.map(({ pools }) => pools.toLocaleString('en'))]),
    row('start of the engine', ({ startMs }) => startMs.toFixed(0)),
    row('heap after the start, MB', ({ heapAtStartMb }) => heapAtStartMb.toFixed(0)),
    row('heap after the quotes, MB', ({ heapAfterQuotesMb }) => heapAfterQuotesMb.toFixed(0)),
    row('quote, CPU: p50 / p95 / p99', ({ quotes }) => times(quotes.cpu)),
    row('quote, clock: p50 / p95 / p99', ({ quotes }) => times(quotes.wall)),
    row('unique quotes a second of CPU', ({ quotes }) => quotes.perCoreSecond.toFixed(0)),
    row('quotes (without a route)', ({ quotes }) => `${quotes.wall.runs} (${quotes.without})`),
    row('1,000 changed pools: p50, worst pause', ({ update }) => {
      return `${update.took.p50.toFixed(1)}, ${update.longestPauseMs.toFixed(1)}`
    }),
    '',
    'Trades are of 1k, 10k, 100k and 1M $ in turns, between listed tokens drawn by fame, at 10 gwei; each is asked once. CPU is that of',
    'the whole process, its compiler and garbage collector included. The heap is what is left after a full collection.',
  ]
}

function boundTable({ chains, local }: Pick<Figures, 'chains' | 'local'>): string[] {
  const worlds = [
    ...chains.map(({ pools, toBound }) => ({ name: pools.toLocaleString('en'), toBound })),
    { name: 'localnet', toBound: local.toBound },
  ]
  const cells = worlds[0]?.toBound.map(({ usd }, i) =>
    line([
      dollars(usd),
      ...worlds.map(({ toBound }) => {
        const { limited, reachable, unlimited } = toBound[i]!
        return [limited, reachable ?? [], unlimited]
          .flat()
          .map(({ median, mean, worst }) => [median, mean, worst].map((part) => part.toFixed(5)).join(' '))
          .join('<br>')
      }),
    ]),
  )
  return [
    ...head(['median mean worst', ...worlds.map(({ name }) => name)]),
    ...(cells ?? []),
    '',
    'First within the limits of the interface (10 branches from the sold token, 50 in all), last without them. Gas is free. On the',
    'synthetic chains the bound is the dual value over every pool between listed tokens, computed by the bench from all arcs and apart',
    'from the search; on the localnet it is the certificate of the answer. No router could return more from these pools. The middle row',
    'compares the first one with the bound of routes with at most 10 branches from the sold token: at any prices, their 10 most profitable',
    'pools and all others. What is left there is our loss, the limit of 50, or the slack of that bound; the rest is the limit of 10.',
    `Certificates are ${certified(chains)} of the independent bound.`,
  ]
}

function certified(chains: readonly ChainFigures[]): string {
  const all = chains.flatMap(({ toBound }) => toBound.map(({ certificate }) => certificate))
  const least = Math.min(...all.map(({ least }) => least))
  const most = Math.max(...all.map(({ most }) => most))
  return `${least.toFixed(7)} to ${most.toFixed(7)}`
}

function exhaustiveText({ worlds, solved, mean, worst, reached }: ExhaustiveFigures): string[] {
  return [
    `${worlds} worlds of at most 11 pools, 10k to 1M $, 10 to 100 gwei. Net returns are ${mean.toFixed(6)} of the best set's on average,`,
    `${worst.toFixed(6)} at worst; ${reached} of ${worlds} reach it. Each of the ${solved.toLocaleString('en')} sets was split by this router as if gas were`,
    'free: the choice of pools is judged here, the splitting by the bound above.',
  ]
}

function peerTable({ pools, bySize }: Figures['peers']): string[] {
  return [
    ...head(['mean, worst loss in bps', 'best single path', 'grid of 5 %', 'grid of 1 %', 'trades']),
    ...bySize.map(({ usd, trades, single, grid5, grid1 }) =>
      line([
        dollars(usd),
        ...[single, grid5, grid1].map(({ mean, worst }) => `${mean.toFixed(2)}, ${worst.toFixed(1)}`),
        String(trades),
      ]),
    ),
    '',
    `Against our returns for the same trades over the same candidates of ${pools.toLocaleString('en')} pools; gas is free. Negative: it returned more`,
    'than ours. The grid keeps the limits on connectors and first pieces; it deals equal slices, each to the best of 30 ways, by the best pool of every step.',
  ]
}

function arithmeticTable({ inputs, sqrtPriceAtTick, swapStep }: ArithmeticFigures): string[] {
  const row = (name: string, { equal, ourNs, theirNs }: ArithmeticFigures['swapStep']) =>
    line([name, `${equal} of ${inputs}`, ourNs.toFixed(0), theirNs.toFixed(0)])
  return [
    ...head(['against @uniswap/v3-sdk', 'equal', 'ours, ns', 'theirs, ns']),
    row('√price at a tick', sqrtPriceAtTick),
    row('step of a swap', swapStep),
    '',
    'The SDK computes on JSBI, integers written in JavaScript.',
  ]
}

function localTable({ firstQuoteMs, connections, ...local }: LocalFigures): string[] {
  return [
    ...head(['what', 'p50 / p95 / p99', 'a second']),
    line([
      `unique quotes, ${connections} connections`,
      times(local.uniqueQuotes.times),
      local.uniqueQuotes.perSecond.toFixed(0),
    ]),
    line([
      'unique quotes, one connection',
      times(local.uniqueAlone.times),
      local.uniqueAlone.perSecond.toFixed(0),
    ]),
    line([
      `the same quote, ${connections} connections`,
      times(local.repeatedQuotes.times),
      local.repeatedQuotes.perSecond.toFixed(0),
    ]),
    line(['swap with simulation, one after another', times(local.swaps), '']),
    '',
    `From start to the first quote: ${firstQuoteMs.fromNode.toFixed(0)} from the node, ${firstQuoteMs.fromSaved.toFixed(0)} from saved pools, with the code already loaded.`,
    `A second of the service's own CPU answers ${local.uniqueQuotes.perCoreSecond.toFixed(0)} unique quotes. Client, service and node share the machine's cores.`,
  ]
}

function head(cells: readonly string[]): string[] {
  return [line(cells), line(cells.map(() => '---'))]
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

function times({ p50, p95, p99 }: Times): string {
  return [p50, p95, p99].map((ms) => ms.toFixed(1)).join(' / ')
}

function dollars(usd: number): string {
  return usd < 1e6 ? `${usd / 1e3}k $` : `${usd / 1e6}M $`
}
