import type { Swap } from '../../src/domain/swap/swap.ts'
import { unanswered } from '../../tests/helpers/e2e/intents.ts'
import type { Machine } from '../machine.ts'

/** Counts are cumulative. */
export type Minute = {
  minute: number
  swaps: number
  kills: number
  /** After a full collection. */
  workerMb: number
  popupMb: number
  /** In `storage.local`. */
  storedBytes: number
  records: number
  errors: number
}

/** `holds`: undefined when the run is too short. */
export type Check = { name: string; limit: string; found: string; holds: boolean | undefined }

export function minuteLine({ minute, swaps, kills, records, errors, ...sizes }: Minute): string {
  const { workerMb, popupMb, storedBytes } = sizes
  const memory = `worker ${workerMb.toFixed(2)} MB, popup ${popupMb.toFixed(2)} MB`
  return `${minute} min: ${swaps} swaps, ${kills} kills, ${memory}, stored ${storedBytes} B in ${records} records, ${errors} errors`
}

/** Minimum for quarters that differ. */
const fewestRows = 8

export function check(run: {
  rows: readonly Minute[]
  made: number
  swaps: readonly Swap[]
  /** Router swaps, and the account's nonce. */
  chain: { hashes: readonly string[]; sent: number }
  minutes: number
  /** Unseen stops do not count. */
  kills: { made: number; meant: number }
  asked: number
  errors: number
}): Check[] {
  const { rows, made, swaps, chain, minutes, kills, asked, errors } = run
  const done = swaps.filter(({ outcome }) => outcome.status === 'done')
  const told = done.map(({ steps }) => steps.find(({ kind }) => kind === 'swap')?.hash)
  const open = swaps.filter(({ outcome }) => !['done', 'failed'].includes(outcome.status))
  const refused = swaps.flatMap(({ outcome }) =>
    outcome.status === 'failed' && !unanswered.test(outcome.code) ? [outcome.message] : [],
  )
  const mined = swaps.flatMap(({ steps }) => steps).filter(({ state }) => ['mined', 'final'].includes(state))
  const once = told.filter((hash) => chain.hashes.filter((one) => one === hash).length === 1)
  const { length: onChain } = chain.hashes
  const leastKills = Math.max(1, Math.floor(kills.meant * 0.8))
  const leastAsked = 15 * minutes
  const growth = rows.length < fewestRows ? undefined : growthOf(rows, ({ workerMb }) => workerMb)
  const most = Math.max(0, ...rows.map(({ storedBytes }) => storedBytes))
  return [
    {
      name: 'each swap on chain exactly once',
      limit: 'all that the user saw done, and no other',
      found: `${once.length} of ${made}; ${onChain} on chain`,
      holds: once.length === made && onChain === made,
    },
    {
      name: 'transactions of the account',
      limit: 'those of its swaps',
      found: `${chain.sent}; ${mined.length} of its swaps`,
      holds: chain.sent === mined.length,
    },
    {
      // Timeouts after all retries do not count.
      name: 'swaps without an end, and failed ones',
      limit: '0 of both',
      found: [open.length, refused.length, ...refused].join(', '),
      holds: open.length === 0 && refused.length === 0,
    },
    {
      name: 'growth of the worker’s heap',
      limit: '10 MB',
      found: growth === undefined ? `not told: it takes ${fewestRows} minutes` : `${growth.toFixed(2)} MB`,
      holds: growth === undefined ? undefined : growth <= 10,
    },
    {
      name: '`storage.local` at its fullest',
      limit: '5 MB',
      found: `${(most / 1e6).toFixed(3)} MB`,
      holds: most <= 5e6,
    },
    {
      name: 'what hung, was not answered or not caught',
      limit: '0',
      found: String(errors),
      holds: errors === 0,
    },
    {
      name: 'swaps made, workers killed, questions of a page',
      limit: `${minutes}, ${leastKills} and ${leastAsked} at least`,
      found: `${made}, ${kills.made} and ${asked}`,
      holds: made >= minutes && kills.made >= leastKills && asked >= leastAsked,
    },
  ]
}

function verdict(holds: boolean | undefined): string {
  if (holds === undefined) return '–'
  return holds ? 'yes' : '**no**'
}

/** Between the first and last quarters' medians. */
function growthOf(rows: readonly Minute[], of: (row: Minute) => number): number {
  const [first, last] = quarters(rows)
  return median(last.map(of)) - median(first.map(of))
}

function quarters(rows: readonly Minute[]): [Minute[], Minute[]] {
  const length = Math.max(1, Math.floor(rows.length / 4))
  return [rows.slice(0, length), rows.slice(-length)]
}

/** NaN when empty, so that no limit holds. */
function median(figures: readonly number[]): number {
  if (figures.length === 0 || figures.some(Number.isNaN)) return Number.NaN
  return figures.toSorted((one, other) => one - other)[figures.length >> 1] ?? Number.NaN
}

type Soak = {
  machine: Machine & { loadAfter: number }
  chromium: string
  minutes: number
  killEvery: number
  asked: number
  rows: readonly Minute[]
  checks: readonly Check[]
  errors: ReadonlyMap<string, number>
}

const maxRows = 24

export function formatSoak({ machine, chromium, rows, checks, errors, ...run }: Soak): string {
  const { date, cores, cpu, memoryGiB, node, load, loadAfter } = machine
  const [first, last] = quarters(rows)
  const grown = (name: string, digits: number, of: (row: Minute) => number) =>
    `| ${name} | ${median(first.map(of)).toFixed(digits)} | ${median(last.map(of)).toFixed(digits)} | ${growthOf(rows, of).toFixed(digits)} |`
  const step = Math.ceil(rows.length / maxRows)
  const shown = rows.filter((_, index) => (rows.length - 1 - index) % step === 0)
  return [
    `Measured ${date} on ${cores} × ${cpu}, ${memoryGiB} GiB, Node ${node}, Chromium ${chromium}, by \`npm run soak -- ${run.minutes}\`.`,
    `The machine's load was ${load.toFixed(1)} before and ${loadAfter.toFixed(1)} after; above ${cores} others worked there too.`,
    `The worker was killed every ${run.killEvery === 1 ? 'minute' : `${run.killEvery} minutes`}; a connected page asked ${run.asked} times. Heaps are measured after a full`,
    'collection, just before a kill. Growth is from the median of the first quarter of the minutes to that of the last.',
    '',
    '| check | limit | found | holds |',
    '|---|---|---|---|',
    ...checks.map(({ name, limit, found, holds }) => `| ${name} | ${limit} | ${found} | ${verdict(holds)} |`),
    '',
    '| median | first quarter | last quarter | growth |',
    '|---|---|---|---|',
    grown('worker heap, MB', 2, ({ workerMb }) => workerMb),
    grown('popup heap, MB', 2, ({ popupMb }) => popupMb),
    grown('`storage.local`, bytes', 0, ({ storedBytes }) => storedBytes),
    '',
    '| minute | swaps | kills | worker heap, MB | popup heap, MB | `storage.local`, bytes | records | errors seen |',
    '|---|---|---|---|---|---|---|---|',
    ...shown.map((row) => {
      const { minute, swaps, kills, workerMb, popupMb, storedBytes, records } = row
      return `| ${[minute, swaps, kills, workerMb.toFixed(2), popupMb.toFixed(2), storedBytes, records, row.errors].join(' | ')} |`
    }),
    '',
    ...(errors.size === 0 ? ['No errors were seen.'] : ['| error seen | times |', '|---|---|']),
    ...[...errors].slice(0, 20).map(([said, times]) => `| ${said.replaceAll('|', '\\|')} | ${times} |`),
    '',
  ].join('\n')
}
