import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { buildExtension } from '../dev/build.ts'
import { createWorld } from '../dev/world.ts'
import { measureBundles } from './bytes.ts'
import { benchExtension } from './extension.ts'
import { benchPages } from './pages.ts'
import { benchPicker } from './picker.ts'
import { benchService } from './service.ts'
import type { Times } from './stats.ts'

// `npm run bench`: measures, prints a table, writes bench/results/latest.json and latest.md.

const world = await createWorld()
const extension = buildExtension({})
const service = await benchService(world)
const pages = await benchPages(extension, world)
const picker = await benchPicker(extension, world)
await world.stop()
const { ours, floor } = await benchExtension(extension, 5)
const bundles = measureBundles(extension)

const machine = {
  date: new Date().toISOString().slice(0, 10),
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  node: process.version,
}
const table = [
  `Measured ${machine.date} on ${machine.cores} × ${machine.cpu}, ${machine.memoryGiB} GiB, Node ${machine.node}. Times in ms.`,
  '',
  '| what | runs | p50 | p95 | p99 |',
  '|---|---|---|---|---|',
  row('quote in process', service.quoteInProcess),
  row('quote over HTTP', service.quoteOverHttp),
  row('same quote over HTTP', service.sameQuoteOverHttp),
  row('swap with simulation over HTTP', service.swapOverHttp),
  row('popup cold: interactive', ours.popupCold),
  row('… a do-nothing extension', floor.popupCold),
  row('popup warm: interactive', ours.popupWarm),
  row('… a do-nothing extension', floor.popupWarm),
  row('stopped worker → first answer', ours.workerCold),
  row('… a do-nothing extension', floor.workerCold),
  row('page reads through the wallet', pages.readThroughWallet),
  row('… straight from the node', pages.readFromNode),
  row('page asks for its chain', pages.chainId),
  row('key in the search of 5,000 tokens', picker),
  '',
  '| bytes at start | raw | gzip |',
  '|---|---|---|',
  `| popup script | ${bundles.popupScript.raw} | ${bundles.popupScript.gzip} |`,
  `| popup style | ${bundles.popupStyle.raw} | ${bundles.popupStyle.gzip} |`,
  `| worker | ${bundles.worker.raw} | ${bundles.worker.gzip} |`,
  `| scripts in every page | ${bundles.pages.raw} | ${bundles.pages.gzip} |`,
  `| whole extension, unpacked | ${bundles.unpacked} | |`,
  '',
].join('\n')

const results = resolve(import.meta.dirname, 'results')
mkdirSync(results, { recursive: true })
const numbers = { machine, service, extension: { ours, floor }, pages, picker, bundles }
writeFileSync(join(results, 'latest.json'), `${JSON.stringify(numbers, null, 2)}\n`)
writeFileSync(join(results, 'latest.md'), table)
console.log(table)

function row(name: string, { runs, p50, p95, p99 }: Times): string {
  return `| ${name} | ${runs} | ${p50} | ${p95} | ${p99} |`
}
