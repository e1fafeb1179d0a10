import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { buildExtension } from '../dev/build.ts'
import { createLocalnet } from '../dev/localnet.ts'
import { measureBundles } from './extension/bytes.ts'
import { benchExtension, type ExtensionFigures } from './extension/extension.ts'
import { benchHome, heldTokens } from './extension/home.ts'
import { benchPages } from './extension/pages.ts'
import { benchPicker } from './extension/picker.ts'
import { benchOpen, records } from './extension/popupOpen.ts'
import { benchSwap } from './extension/swapTimes.ts'
import { thisMachine } from './machine.ts'
import { benchService } from './service.ts'
import type { Times } from './stats.ts'

// `npm run bench`: writes bench/results/latest.json and latest.md.

const machine = thisMachine()
const localnet = await createLocalnet()
const extension = buildExtension({})
const service = await part('service', benchService(localnet))
const pages = await part('pages', benchPages(extension, localnet))
const picker = await part('picker', benchPicker(extension, localnet))
const open = await part('opening', benchOpen(extension, localnet))
await localnet.stop()
const home = await part('home', benchHome(extension))
const swap = {
  limited: await part('swaps, 1 request/s', benchSwap(extension, { perSecond: 1, burst: 1 })),
  unlimited: await part('swaps', benchSwap(extension)),
}
const { ours, floor } = await part('floor', benchExtension(extension, 5))
const bundles = measureBundles(extension)
const loadAfter = thisMachine().load

const table = [
  `Measured ${machine.date} on ${machine.cores} × ${machine.cpu}, ${machine.memoryGiB} GiB, Node ${machine.node}. The machine's load was`,
  `${machine.load.toFixed(1)} before and ${loadAfter.toFixed(1)} after; above ${machine.cores} others worked there too, and times are longer than they would be.`,
  'Times in ms unless said otherwise. “Floor” is the figure of a do-nothing extension in the same run, in the line below.',
  '',
  '| what | runs | p50 | p95 | p99 | limit | holds |',
  '|---|---|---|---|---|---|---|',
  row('quote in process', service.quoteInProcess),
  row('quote over HTTP', service.quoteOverHttp),
  row('same quote over HTTP', service.sameQuoteOverHttp),
  row('swap with simulation over HTTP', service.swapOverHttp),
  ...beside('popup cold: interactive', 'popupCold', { times: 2 }),
  ...beside('popup warm: interactive', 'popupWarm', { times: 1.8 }),
  ...beside('popup while the browser starts: interactive', 'popupAtStart'),
  ...beside('stopped worker → first answer', 'workerCold', { times: 2.5 }),
  row(`… of a locked wallet with ${records} swaps`, open.wake.locked, p95UpTo(150)),
  row('… of the same wallet unlocked', open.wake.unlocked, p95UpTo(150)),
  row('… to its list of swaps', open.wake.swaps, p95UpTo(150)),
  row('unlock: click → accounts shown', open.unlock.whole, p95UpTo(800)),
  row('… deriving the key', open.unlock.derivation, { of: 'p50', least: 150 }),
  row('… the rest', open.unlock.ours, p95UpTo(150)),
  row('quote asked → on screen, beyond the service', open.quote, p95UpTo(40)),
  row('review pressed → minimum received, 1 request/s', swap.limited.review, p95UpTo(1_500)),
  row('… at an unlimited service', swap.unlimited.review, p95UpTo(400)),
  row('confirmed → done (approve + swap), 1 request/s, blocks of 1 s', swap.limited.confirm, p95UpTo(4_000)),
  row('… at an unlimited service', swap.unlimited.confirm),
  row('home: navigation → frame', home.frame),
  row('… → last known total', home.lastKnown),
  row('… fresh balances: round trips to the RPC', home.roundTrips, p95UpTo(2)),
  row(`… scrolling ${heldTokens} held tokens, per frame`, home.scrollHome),
  row(`the picker, scrolling ${heldTokens} held tokens, per frame`, home.scrollPicker),
  row('key in the search of 5,000 tokens', picker, p95UpTo(16)),
  row('page reads through the wallet', pages.readThroughWallet),
  row('… straight from the node', pages.readFromNode),
  ...beside('page asks for its chain', 'chainIdMs', { more: 0.5 }),
  ...beside('main thread of an empty page', 'pageThreadMs', { more: 1 }),
  ...beside('heap of an empty page, kB', 'pageKb', { more: 60 }),
  ...beside('memory of the idle browser, MB', 'idleMb', { more: 8 }),
  row('heap of the popup, MB', ours.popupMb, p50UpTo(3)),
  row('… of a do-nothing extension', floor.popupMb),
  row('heap of the worker, MB', ours.workerMb, p50UpTo(2.5)),
  row('… of a do-nothing extension', floor.workerMb),
  '',
  `The limits of both heaps are for the first screen of a new wallet. Of a wallet in use with ${records} swaps behind it, for which none is set, the`,
  `popup's heap is ${open.popupMb.toFixed(2)} MB, the worker's ${open.workerMb.toFixed(2)} MB.`,
  '',
  '| bytes at start | raw | gzip | limit |',
  '|---|---|---|---|',
  `| popup script | ${bundles.popupScript.raw} | ${bundles.popupScript.gzip} | 40000 gzip |`,
  `| popup style | ${bundles.popupStyle.raw} | ${bundles.popupStyle.gzip} | 9000 gzip |`,
  `| worker | ${bundles.worker.raw} | ${bundles.worker.gzip} | 186000 gzip |`,
  `| provider in every page | ${bundles.page.raw} | ${bundles.page.gzip} | 6000 raw |`,
  `| relay in every page | ${bundles.relay.raw} | ${bundles.relay.gzip} | 4000 raw |`,
  `| … both together | ${bundles.pages.raw} | ${bundles.pages.gzip} | 4000 gzip |`,
  `| whole extension, unpacked | ${bundles.unpacked} | | 3000000 |`,
  '',
].join('\n')

const results = resolve(import.meta.dirname, 'results')
mkdirSync(results, { recursive: true })
const numbers = {
  machine: { ...machine, loadAfter },
  ...{ service, extension: { ours, floor }, open, home, swap, pages, picker, bundles },
}
writeFileSync(join(results, 'latest.json'), `${JSON.stringify(numbers, null, 2)}\n`)
writeFileSync(join(results, 'latest.md'), table)
console.log(table)

/** Says what is running: the whole takes minutes. */
async function part<Result>(name: string, measuring: Promise<Result>): Promise<Result> {
  const started = performance.now()
  const result = await measuring
  console.error(`${name}: measured in ${Math.round((performance.now() - started) / 1_000)} s`)
  return result
}

type Limit = { of: 'p50' | 'p95'; most?: number; least?: number; says?: string }

function row(name: string, times: Times, limit?: Limit): string {
  const { runs, p50, p95, p99 } = times
  return `| ${[name, runs, p50, p95, p99, limit ? saysOf(limit) : '', limit ? verdict(times, limit) : ''].join(' | ')} |`
}

function p50UpTo(most: number): Limit {
  return { of: 'p50', most }
}

function p95UpTo(most: number): Limit {
  return { of: 'p95', most }
}

function saysOf({ of, most, least, says = '' }: Limit): string {
  return most === undefined ? `${of} at least ${least}` : `${of} ${says}${most}`
}

function verdict(times: Times, { of, most = Number.POSITIVE_INFINITY, least = 0 }: Limit): string {
  return times[of] <= most && times[of] >= least ? 'yes' : '**no**'
}

/** The limit is the do-nothing extension's figure, and `more`, or so many `times`. */
function beside(
  name: string,
  what: keyof ExtensionFigures,
  { times = 1, more = 0 }: { times?: number; more?: number } = {},
): string[] {
  const most = Number((floor[what].p50 * times + more).toFixed(1))
  const says = times === 1 ? `floor + ${more}: ` : `floor × ${times}: `
  const limit: Limit | undefined = times === 1 && more === 0 ? undefined : { of: 'p50', most, says }
  return [row(name, ours[what], limit), row('… a do-nothing extension', floor[what])]
}
