import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { launchBrowser } from '../dev/browser/browser.ts'
import { callWallet } from '../dev/browser/popupPage.ts'
import { serveSite } from '../dev/browser/site.ts'
import { buildExtension } from '../dev/build.ts'
import { createLocalnet } from '../dev/localnet.ts'
import { startService } from '../service/server.ts'
import { insist, pause, swapsOf } from '../tests/helpers/e2e/intents.ts'
import { makeWallet } from './extension/wallet.ts'
import { thisMachine } from './machine.ts'
import { lookAtWorker, pageHeapMb } from './soak/memory.ts'
import { check, formatSoak, type Minute, minuteLine } from './soak/soakReport.ts'
import { createSoakSite, siteHtml } from './soak/soakSite.ts'
import { createSoakUser } from './soak/soakUser.ts'

// `npm run soak -- 480 --kill-every 10`: uses the wallet for 480 minutes and kills its worker every ten. Runs
// of ten minutes and more write bench/results/soak.md; exits with 1 when a check fails.

const { minutes, killEvery } = given()

const machine = thisMachine()
const localnet = await createLocalnet({ blockTimeSeconds: 2 })
const service = await startService({ config: localnet.config, rpcUrl: localnet.rpcUrl, port: 0 })
const scratch = mkdtempSync(join(tmpdir(), 'sluice-soak-'))
const host = await serveSite(scratch, { files: { '/': { type: 'text/html', body: siteHtml } } })
const extension = buildExtension({})
const browser = await launchBrowser({ extension, profile: join(scratch, 'profile'), headless: true })

const errors = new Map<string, number>()
const note = (where: string, what: string) => {
  const line = `${where}: ${what.split('\n')[0]}`
  errors.set(line, (errors.get(line) ?? 0) + 1)
}

const wallet = await makeWallet(browser, localnet, service.url)
const user = await createSoakUser(browser, localnet, wallet)
const site = await createSoakSite(browser, host.url)
browser.context.on('weberror', (error) => note('page', error.error().message))
browser.context.on('console', (message) => {
  if (message.type() === 'error') note('console', message.text())
})

const end = Date.now() + minutes * 60_000
const counts = { kills: 0, asked: 0 }
const rows: Minute[] = []

await Promise.all([
  // Random, so that kills hit every phase of a swap.
  every(
    'swapping',
    () => 20_000 + Math.random() * 20_000,
    async (turn) => {
      await user.swap(turn)
      if (turn % 4 === 3) await user.reopen()
      if (turn % 8 === 5) await user.relock()
    },
  ),
  every(
    'asking',
    () => 10_000,
    async (turn) => {
      await site.read()
      counts.asked += 3
      if (turn % 9 !== 4) return
      await site.sign()
      counts.asked += 1
    },
  ),
  // Measured just before the kill.
  every(
    'measuring',
    () => 60_000,
    async (turn) => {
      if (turn === 0) return
      await measure(turn)
      if (turn % killEvery === 0 && (await browser.killWorker())) counts.kills++
    },
  ),
])

await user.look()
const chain = {
  hashes: (await swapsOf(localnet, wallet.address)).map(({ transactionHash }) => transactionHash),
  sent: await localnet.client.getTransactionCount({ address: wallet.address }),
}
const swaps = [...user.swaps.values()]
const kills = { made: counts.kills, meant: Math.floor(minutes / killEvery) }
const checks = check({
  ...{ rows, swaps, chain, minutes, kills },
  made: user.made(),
  asked: counts.asked,
  errors: errorCount(),
})
const text = formatSoak({
  machine: { ...machine, loadAfter: thisMachine().load },
  chromium: browser.context.browser()?.version() ?? 'unknown',
  ...{ minutes, killEvery, asked: counts.asked, rows, checks, errors },
})
await browser.close()
await host.stop()
await service.stop()
await localnet.stop()
rmSync(scratch, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })

const results = resolve(import.meta.dirname, 'results')
mkdirSync(results, { recursive: true })
if (minutes >= 10) writeFileSync(join(results, 'soak.md'), text)
console.log(`\n${text}`)
process.exit(checks.some(({ holds }) => holds === false) ? 1 : 0)

function given(): { minutes: number; killEvery: number } {
  try {
    const options = { 'kill-every': { type: 'string', default: '1' } } as const
    const { values, positionals } = parseArgs({ options, allowPositionals: true })
    const [minutes, killEvery] = [Number(positionals[0] ?? 10), Number(values['kill-every'])]
    if (positionals.length <= 1 && minutes >= 1 && killEvery >= 1) return { minutes, killEvery }
  } catch {
    // Unknown option.
  }
  console.error('npm run soak -- MINUTES --kill-every MINUTES, each 1 or more; without them 10 and 1.')
  process.exit(1)
}

function errorCount(): number {
  return [...errors.values()].reduce((sum, one) => sum + one, 0)
}

/** Intervals run from start to start; errors are recorded. */
async function every(name: string, ms: () => number, work: (turn: number) => Promise<void>): Promise<void> {
  // Includes the last minute.
  for (let turn = 0; Date.now() <= end + 500; turn++) {
    const next = Date.now() + ms()
    await work(turn).catch((error: Error) => note(name, error.message))
    await pause(Math.max(0, Math.min(next, end + 1_000) - Date.now()))
  }
}

async function measure(minute: number): Promise<void> {
  // Closed while reopening.
  while (user.view().isClosed()) await pause(100)
  const page = user.view()
  await insist(page, () => callWallet(page, 'status'))
  const worker = await lookAtWorker(browser)
  for (const said of worker?.errors ?? []) note('worker', said)
  const stored = await page.evaluate(async () => {
    const { local } = (globalThis as unknown as { chrome: typeof import('wxt/browser').browser }).chrome
      .storage
    const keys = Object.keys(await local.get(null))
    const records = keys.filter((key) => key.startsWith('swap.') || key.startsWith('calls.')).length
    return { bytes: await local.getBytesInUse(null), records }
  })
  const row: Minute = {
    minute,
    swaps: [...user.swaps.values()].filter(({ outcome }) => outcome.status === 'done').length,
    kills: counts.kills,
    workerMb: worker?.heapMb ?? Number.NaN,
    popupMb: await pageHeapMb(page),
    storedBytes: stored.bytes,
    records: stored.records,
    errors: errorCount(),
  }
  rows.push(row)
  console.log(minuteLine(row))
}
