import { expect, type Page } from '@playwright/test'
import { requestWindow } from '../../dev/popup.ts'
import { approve, connect, openSite, request, test } from './pages.ts'

// Where the provider is, and where it is not: every kind of document that a browser shows.

const html = 'text/html; charset=utf-8'

/** Counts the wallets that announce themselves to a document. */
const counting = `<script>
  window.found = 0
  addEventListener('eip6963:announceProvider', () => { window.found++ })
  dispatchEvent(new Event('eip6963:requestProvider'))
</script>`

test('frames meet no provider, wherever they come from', async ({ chrome, wallet: _, site }) => {
  site.put('/inner', html, `<!doctype html>${counting}`)
  site.put(
    '/frames',
    html,
    `<!doctype html>${counting}<iframe src="${site.other}/inner"></iframe><iframe src="/inner"></iframe>
    <iframe sandbox="allow-scripts" src="/inner"></iframe><iframe srcdoc="${counting.replaceAll('"', '&quot;')}"></iframe>`,
  )
  const page = await chrome.context.newPage()
  await page.goto(`${site.url}/frames`)
  const found = await Promise.all(
    page.frames().map((frame) => frame.evaluate(() => (window as unknown as { found: number }).found)),
  )
  expect(found).toEqual([1, 0, 0, 0, 0])
})

test('documents that are no web pages are left alone', async ({ chrome, wallet: _, site }) => {
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

test('a strict content policy is no hindrance', async ({ chrome, wallet, site, world: _ }) => {
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

test('a sandboxed document has nobody’s name, and is refused without a window', async ({
  chrome,
  wallet: _,
  site,
}) => {
  site.put('/sandboxed', html, `<!doctype html>${counting}`, {
    'content-security-policy': 'sandbox allow-scripts',
  })
  const page = await chrome.context.newPage()
  await page.goto(`${site.url}/sandboxed`)
  if ((await countWallets(page)) > 0) {
    expect(await ask(page, 'eth_requestAccounts')).toMatchObject({ code: 4100 })
  }
  expect(chrome.context.pages().filter((one) => one.url().endsWith('#requests'))).toEqual([])
})

test('a page that asks nothing never wakes the worker', async ({ chrome, wallet, site }) => {
  const page = await chrome.context.newPage()
  // A page of the extension without a script of its own: the popup asks now and then.
  await wallet.page.goto(new URL('manifest.json', wallet.page.url()).href)
  // Its alarm would wake it, and so does a message that is on its way.
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

test('a page that is loaded anew may ask again', async ({ chrome, wallet, world, site }) => {
  const { context } = chrome
  const page = await openSite(context, site.url, world.rpcUrl)
  request(page, 'eth_requestAccounts').catch(() => undefined)
  const gone = (await requestWindow(context)).waitForEvent('close')
  await page.reload()
  await gone
  await page.evaluate(async () => void (await window.site))
  const again = request(page, 'eth_requestAccounts')
  await approve(await requestWindow(context), 'Connect')
  expect(await again).toEqual({ result: [wallet.address] })
})

test('only the sites concerned hear of a change', async ({ chrome, wallet, world, site }) => {
  const { context } = chrome
  const one = await openSite(context, site.url, world.rpcUrl)
  const other = await openSite(context, site.other, world.rpcUrl)
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

/** How many of our providers a document is offered. Works where scripts of the page may not run. */
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

/** Asks without any script of the page's own. */
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
