import { type BrowserContext, expect, type Frame, type Page } from '@playwright/test'
import { callWallet, requestWindow } from '../../../dev/browser/popupPage.ts'
import { approve, connect, openSite, request, test } from '../../helpers/e2e/pages.ts'

// Provider injection in every kind of document.

const html = 'text/html; charset=utf-8'

/** Counts the wallets announced to a document. */
const counting = `<script>
  window.found = 0
  addEventListener('eip6963:announceProvider', () => { window.found++ })
  dispatchEvent(new Event('eip6963:requestProvider'))
</script>`

/** Requests accounts from every wallet found. */
const meeting = `<script>
  window.met = (async () => {
    const providers = []
    addEventListener('eip6963:announceProvider', ({ detail }) => providers.push(detail.provider))
    dispatchEvent(new Event('eip6963:requestProvider'))
    const answers = providers.map((one) => one.request({ method: 'eth_requestAccounts' }).catch(({ code }) => code))
    return Promise.all(answers)
  })()
</script>`

test('exposes no provider, or no account, to frames and opened windows', async ({
  chrome: { context },
  wallet,
  site,
}) => {
  await callWallet(wallet.page, 'saveSettings', { defaultWallet: true })
  site.put('/inner', html, `<!doctype html>${meeting}`)
  site.put('/plain', html, '<!doctype html>')
  const page = await context.newPage()
  // `window.ethereum` exists on the site itself once the wallet is the default.
  await expect(async () => {
    await page.goto(`${site.url}/plain`)
    expect(await page.evaluate(() => typeof Reflect.get(window, 'ethereum'))).toBe('object')
  }).toPass()

  await page.evaluate(async (written) => {
    const blob = URL.createObjectURL(new Blob([written], { type: 'text/html' }))
    const frames: Record<string, string>[] = [
      { name: 'cross-site', src: location.href.replace('127.0.0.1', 'localhost').replace('plain', 'inner') },
      { name: 'same-site', src: '/inner' },
      { name: 'blob', src: blob },
      { name: 'data', src: `data:text/html,${encodeURIComponent(written)}` },
      { name: 'srcdoc', srcdoc: written },
      { name: 'sandboxed', src: '/inner', sandbox: 'allow-scripts' },
      { name: 'sandboxed srcdoc', srcdoc: written, sandbox: 'allow-scripts' },
      { name: 'blank', src: 'about:blank' },
    ]
    const loads = frames.map((attributes) => {
      const frame = document.createElement('iframe')
      for (const [name, value] of Object.entries(attributes)) frame.setAttribute(name, value)
      const loaded = new Promise((done) => frame.addEventListener('load', done))
      document.body.append(frame)
      return loaded
    })
    await Promise.all(loads)
    document.querySelector<HTMLIFrameElement>('[name=blank]')?.contentDocument?.write(written)
  }, meeting)
  const frames = page.frames().filter((frame) => frame !== page.mainFrame())
  // Reads the document's own name: the test tool learns of it a little later.
  const inFrames = await Promise.all(
    frames.map(async (frame) => [await frame.evaluate(() => window.name), await metBy(frame)]),
  )
  const nothing = { usual: 'undefined', answers: [] }
  expect(Object.fromEntries(inFrames)).toEqual({
    'cross-site': nothing,
    'same-site': nothing,
    blob: nothing,
    data: nothing,
    srcdoc: nothing,
    sandboxed: nothing,
    'sandboxed srcdoc': nothing,
    blank: nothing,
  })

  // Windows opened by such pages. One opened from a sandbox stays sandboxed, whatever its URL.
  const blank = await opened(context, () =>
    page.evaluate((written) => window.open('about:blank')?.document.write(written), meeting),
  )
  expect(await metBy(blank.mainFrame())).toEqual(nothing)
  const blob = await opened(context, () =>
    page.evaluate((written) => {
      window.open(URL.createObjectURL(new Blob([written], { type: 'text/html' })))
    }, meeting),
  )
  expect(await metBy(blob.mainFrame())).toEqual(nothing)
  const data = await context.newPage()
  await data.goto(`data:text/html,${encodeURIComponent(meeting)}`)
  expect(await metBy(data.mainFrame())).toEqual(nothing)
  const boxed = await opened(context, () =>
    page.evaluate(() => {
      const frame = document.createElement('iframe')
      frame.setAttribute('sandbox', 'allow-scripts allow-popups')
      frame.srcdoc = `<script>window.open('${location.origin}/inner')</script>`
      document.body.append(frame)
    }),
  )
  expect(await metBy(boxed.mainFrame())).toMatchObject({ answers: [4100] })

  expect(await callWallet(wallet.page, 'approvals')).toEqual([])
  expect(context.pages().filter((one) => one.url().endsWith('#requests'))).toEqual([])
})

/** Returns the results of the script above in a document. */
function metBy(frame: Frame): Promise<unknown> {
  return frame.evaluate(async () => ({
    answers: await (window as unknown as { met: Promise<unknown> }).met,
    usual: typeof Reflect.get(window, 'ethereum'),
  }))
}

async function opened(context: BrowserContext, open: () => Promise<unknown>): Promise<Page> {
  const opening = context.waitForEvent('page')
  await open()
  const page = await opening
  await page.waitForFunction('window.met')
  return page
}

test('injects the provider into XHTML pages, but not into JSON, XML and SVG documents', async ({
  chrome,
  wallet: _,
  site,
}) => {
  site.put('/data.json', 'application/json', '{"a": 1}')
  site.put('/data.xml', 'application/xml', '<?xml version="1.0"?><a><b/></a>')
  site.put('/picture.svg', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
  site.put(
    '/page.xhtml',
    'application/xhtml+xml',
    '<html xmlns="http://www.w3.org/1999/xhtml"><body/></html>',
  )
  const page = await chrome.context.newPage()
  const found: Record<string, number> = {}
  for (const path of ['/data.json', '/data.xml', '/picture.svg', '/page.xhtml']) {
    await page.goto(site.url + path)
    found[path] = await countWallets(page)
  }
  expect(found).toEqual({ '/data.json': 0, '/data.xml': 0, '/picture.svg': 0, '/page.xhtml': 1 })
})

test('works on a page with a strict content security policy', async ({
  chrome,
  wallet,
  site,
  localnet: _,
}) => {
  site.put('/strict', html, '<!doctype html><h1>Strict</h1>', {
    'content-security-policy': "default-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  })
  const page = await chrome.context.newPage()
  await page.goto(`${site.url}/strict`)
  expect(await countWallets(page)).toBe(1)
  const asked = ask(page, 'eth_requestAccounts')
  await approve(await requestWindow(chrome.context), 'Connect')
  expect(await asked).toEqual([wallet.address])
})

test('rejects requests of a sandboxed document without opening a window', async ({
  chrome,
  wallet: _,
  site,
}) => {
  site.put('/sandboxed', html, `<!doctype html>${counting}`, {
    'content-security-policy': 'sandbox allow-scripts',
  })
  const page = await chrome.context.newPage()
  await page.goto(`${site.url}/sandboxed`)
  expect(await countWallets(page)).toBe(1)
  expect(await ask(page, 'eth_requestAccounts')).toMatchObject({ code: 4100 })
  expect(chrome.context.pages().filter((one) => one.url().endsWith('#requests'))).toEqual([])
})

test('does not start the worker for a page without requests', async ({ chrome, wallet, site }) => {
  const page = await chrome.context.newPage()
  // An extension page without scripts: the popup would send the worker messages.
  await wallet.page.goto(new URL('manifest.json', wallet.page.url()).href)
  // The worker's alarm or a message in flight would restart it.
  await expect(async () => {
    await wallet.page.evaluate(() => (globalThis as unknown as WithAlarms).chrome.alarms.clearAll())
    await chrome.killWorker()
    await page.waitForTimeout(500)
    expect(await isWorkerRunning(page)).toBe(false)
  }).toPass()
  await page.goto(`${site.url}/`)
  expect(await countWallets(page)).toBe(1)
  await page.waitForTimeout(500)
  expect(await isWorkerRunning(page)).toBe(false)
  await ask(page, 'eth_chainId')
  expect(await isWorkerRunning(page)).toBe(true)
})

test('accepts the same request again after a page reload', async ({ chrome, wallet, localnet, site }) => {
  const { context } = chrome
  const page = await openSite(context, site.url, localnet.rpcUrl)
  request(page, 'eth_requestAccounts').catch(() => undefined)
  const gone = (await requestWindow(context)).waitForEvent('close')
  await page.reload()
  await gone
  await page.evaluate(async () => void (await window.site))
  const again = request(page, 'eth_requestAccounts')
  await approve(await requestWindow(context), 'Connect')
  expect(await again).toEqual({ result: [wallet.address] })
})

test('notifies only the connected site of a change', async ({ chrome, wallet, localnet, site }) => {
  const { context } = chrome
  const one = await openSite(context, site.url, localnet.rpcUrl)
  const other = await openSite(context, site.other, localnet.rpcUrl)
  await request(other, 'eth_chainId')
  await connect(context, one)
  expect(await request(other, 'eth_accounts')).toEqual({ result: [] })
  expect(await accountEvents(one)).toEqual([[wallet.address]])
  expect(await accountEvents(other)).toEqual([])
})

function accountEvents(page: Page): Promise<unknown[]> {
  return page.evaluate(async () =>
    (await window.site).events.filter(({ event }) => event === 'accountsChanged').map(({ data }) => data),
  )
}

/** Counts our providers in a document. Works where page scripts are blocked. */
function countWallets(page: Page): Promise<number> {
  return page.evaluate(() => {
    let found = 0
    const count = () => {
      found += 1
    }
    addEventListener('eip6963:announceProvider', count)
    dispatchEvent(new Event('eip6963:requestProvider'))
    removeEventListener('eip6963:announceProvider', count)
    return found
  })
}

/** Sends a request without a page script. */
function ask(page: Page, method: string): Promise<unknown> {
  return page.evaluate(async (method) => {
    type Provider = { request(ask: { method: string }): Promise<unknown> }
    const found: Provider[] = []
    addEventListener('eip6963:announceProvider', (event) =>
      found.push((event as CustomEvent<{ provider: Provider }>).detail.provider),
    )
    dispatchEvent(new Event('eip6963:requestProvider'))
    return found[0]?.request({ method }).catch(({ code, message }: { code: number; message: string }) => ({
      code,
      message,
    }))
  }, method)
}

type WithAlarms = { chrome: { alarms: { clearAll(): Promise<boolean> } } }

async function isWorkerRunning(page: Page): Promise<boolean> {
  const session = await page.context().newCDPSession(page)
  const { targetInfos } = await session.send('Target.getTargets', { filter: [{}] })
  await session.detach()
  return targetInfos.some(({ type }) => type === 'service_worker')
}
