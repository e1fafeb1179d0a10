import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Browser, launchBrowser } from './browser/browser.ts'
import { buildSite, type Site, serveSite } from './browser/site.ts'
import { runTour } from './browser/smokeTest.ts'
import { buildExtension } from './build.ts'
import { createLocalnet, type Localnet } from './localnet.ts'
import { openPort } from './port.ts'
import { startServiceProcess } from './serviceProcess.ts'

// Runs the whole product locally: node, contracts, service, extension, demo page, browser.
// npm start: opens a browser; without a display, runs the smoke test
// npm start -- --headless: always the smoke test
// npm start -- --keep: keeps node and service running afterwards

const root = resolve(import.meta.dirname, '..')
const isHeadless = process.argv.includes('--headless') || !hasDisplay()
const started: (() => Promise<unknown> | unknown)[] = []
let isEnding = false

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end(0))

try {
  await run()
} catch (error) {
  if (!isEnding) {
    console.error(`\n${error instanceof Error ? error.message : String(error)}`)
    await end(1)
  }
}

async function run(): Promise<void> {
  const localnet = await during('Starting the local chain', async () =>
    createLocalnet({
      port: await openPort(8545),
      faucetPort: await openPort(8788),
      blockTimeSeconds: 2,
    }),
  )
  started.push(() => localnet.stop())

  const service = await during('Starting the swap service', async () =>
    startServiceProcess({ config: localnet.config, rpcUrl: localnet.rpcUrl, port: await openPort(8787) }),
  )
  started.push(() => service.stop())

  const extension = await during('Building the extension', async () =>
    buildExtension({
      WXT_RPC_URL: localnet.rpcUrl,
      WXT_SERVICE_URL: service.url,
      WXT_FAUCET_URL: localnet.faucetUrl ?? '',
      WXT_STABLE: localnet.tokens.USDC,
      WXT_WRAPPED: localnet.tokens.WETH,
      WXT_ROUTER: localnet.contracts.router,
      WXT_V2_FACTORY: localnet.contracts.v2Factory,
      WXT_V3_FACTORY: localnet.contracts.v3Factory,
      WXT_QUOTER: localnet.contracts.quoter,
      WXT_SWAP_ROUTER: localnet.contracts.swapRouter,
      WXT_ORACLE: localnet.contracts.oracle,
      WXT_CURRENCY_FEEDS: JSON.stringify(localnet.currencyFeeds),
    }),
  )

  const demo = await during('Building the demo page', async () => startDemo(localnet, await openPort(8790)))
  started.push(() => demo.stop())

  const browser = await during('Opening Chromium', () =>
    launchBrowser({ extension, profile: freshProfile(), headless: isHeadless }),
  )
  started.push(() => browser.close())

  if (isHeadless) await doMainJob(browser, localnet, { demoUrl: demo.url, serviceUrl: service.url })
  else await letPlay(browser, demo.url)
}

type Urls = { demoUrl: string; serviceUrl: string }

async function doMainJob(browser: Browser, localnet: Localnet, { demoUrl, serviceUrl }: Urls): Promise<void> {
  const screenshots = resolve(import.meta.dirname, '../.localnet/screenshots')
  rmSync(screenshots, { recursive: true, force: true })
  await runTour({ browser, localnet, demoUrl, screenshots, say: (line) => console.log(line) })
  if (!process.argv.includes('--keep')) return end(0)
  await browser.close()
  console.log(`\nNode ${localnet.rpcUrl} and service ${serviceUrl} stay up. Ctrl-C ends them.`)
}

async function letPlay(browser: Browser, demoUrl: string): Promise<void> {
  const demo = await browser.context.newPage()
  await demo.goto(demoUrl)
  await browser.openPopup()
  browser.context.on('close', () => void end(0))
  console.log(
    [
      '',
      '1. In the tab that opened (or the Sluice icon in the toolbar), create a wallet with a password of your own.',
      '2. Press “Get test funds”, choose what to swap, and review.',
      `3. The other tab, ${demoUrl}, is a site: connect it, and request a swap there.`,
      '4. Ctrl-C here, or closing the browser, ends everything.',
    ].join('\n'),
  )
}

async function during<Result>(title: string, work: () => Promise<Result>): Promise<Result> {
  const startedAt = Date.now()
  process.stdout.write(`${title} … `)
  const result = await work()
  console.log(`${((Date.now() - startedAt) / 1000).toFixed(1)} s`)
  return result
}

/** An old profile would remember swaps missing from the fresh chain. */
function freshProfile(): string {
  const profile = mkdtempSync(join(tmpdir(), 'sluice-'))
  started.push(() => rmSync(profile, { recursive: true, force: true }))
  return profile
}

async function end(code: number): Promise<void> {
  if (isEnding) return
  isEnding = true
  for (const stop of started.reverse()) {
    try {
      await stop()
    } catch {
      // Stop the others anyway.
    }
  }
  process.exit(code)
}

function hasDisplay(): boolean {
  if (process.platform !== 'linux') return true
  return Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY)
}

/** Serves the page of `demo/` with the localnet's tokens. */
async function startDemo(localnet: Localnet, port: number): Promise<Site> {
  const folder = join(root, '.localnet/demo')
  await buildSite(join(root, 'demo'), folder)
  const tokens = { type: 'application/json', body: JSON.stringify(localnet.tokens) }
  return serveSite(folder, { port, files: { '/tokens.json': tokens } })
}
