import { type BrowserContext, expect, type Page } from '@playwright/test'
import {
  callWallet,
  leavePages,
  lock,
  openSettings,
  password,
  requestWindow,
  unlock,
} from '../../../dev/browser/popupPage.ts'
import { type Answer, approve, connect, openSite, request, test } from '../../helpers/e2e/pages.ts'
import type { Wallet } from '../../helpers/e2e/wallet.ts'

// The approval window queues dapp requests. Only the user answers them, and only on purpose.

test('queues requests of two sites in one window and answers each separately', async ({
  chrome,
  wallet,
  localnet,
  site,
}) => {
  const { context } = chrome
  const one = await openSite(context, site.url, localnet.rpcUrl)
  const other = await openSite(context, site.other, localnet.rpcUrl)
  await connect(context, one)
  await connect(context, other)

  const first = sign(one, wallet, 'first')
  const window = await requestWindow(context)
  await expect(window.getByText('first')).toBeVisible()
  const second = sign(other, wallet, 'second')
  await expect(window.getByText('1 of 2')).toBeVisible()
  const third = sign(one, wallet, 'third')
  await expect(window.getByText('1 of 3')).toBeVisible()
  // A later request does not replace the one shown.
  await expect(window.getByText('first')).toBeVisible()
  await expect(window.locator('.origin-host')).toHaveText(site.url)
  expect(windows(context)).toHaveLength(1)

  const sleeps = await watchYes(window, 'second')
  await signButton(window).click()
  expect((await first).result).toMatch(/^0x[0-9a-f]{130}$/)
  await expect(window.getByText('second')).toBeVisible()
  await expect(window.getByText('1 of 2')).toBeVisible()
  await expect(window.locator('.origin-host')).toHaveText(site.other)
  expect(await sleeps()).toBe(true)

  const closed = window.waitForEvent('close')
  await window.getByRole('button', { name: 'Reject all' }).click()
  await closed
  for (const asked of [second, third]) {
    expect((await asked).error).toMatchObject({ code: 4001, data: { reason: 'rejected' } })
  }
  expect(await callWallet(wallet.page, 'approvals')).toEqual([])
})

test.describe('approval window with observed clicks', () => {
  // Watches every page of the browser.
  test.use({ isAlone: true })

  test('answers a request only after a deliberate click or key, or when its window closes', async ({
    chrome,
    wallet,
    localnet,
    site,
  }) => {
    const { context } = chrome
    const page = await openSite(context, site.url, localnet.rpcUrl)
    await connect(context, page)

    // Clicks and keys while the window opens under the pointer.
    const { answeredAfter, metAsleep } = await watchClicks(context)
    let stormed = sign(page, wallet, 'storm')
    let window = await requestWindow(context)
    await clickFor(window, 600)
    // Repeats until a click met the disabled button and none was accepted: a slow machine clicks too late or
    // too rarely. One window may be clicked twice before it closes.
    for (let storms = 1, before = 0; storms < 30; storms++) {
      const isAnswered = window.isClosed() || answeredAfter.length > before
      if (!isAnswered && metAsleep.length > 0 && (await openCount(wallet)) === 1) break
      if (isAnswered) expect((await stormed).result).toMatch(/^0x[0-9a-f]{130}$/)
      // The last click may still close it.
      else
        await window
          .getByRole('button', { name: 'Reject' })
          .click()
          .catch(() => expect(window.isClosed()).toBe(true))
      await expect.poll(() => window.isClosed()).toBe(true)
      before = answeredAfter.length
      stormed = sign(page, wallet, 'storm')
      window = await requestWindow(context)
      await clickFor(window, 600)
    }
    // Timers are exact to a few milliseconds.
    expect(answeredAfter.filter((ms) => ms < 690)).toEqual([])
    expect(metAsleep.length).toBeGreaterThan(0)
    const button = signButton(window)
    await window.keyboard.press('Enter')
    await window.keyboard.press('Space')
    await window.keyboard.press('Escape')
    expect(await openCount(wallet)).toBe(1)
    await expect(button).toBeEnabled()
    // Escape closes other dialogs, but not this one.
    await window.keyboard.press('Escape')
    expect(await openCount(wallet)).toBe(1)

    // By keyboard: Tab from the heading past the details to the button.
    for (let presses = 0; presses < 15 && !(await isFocused(window, 'Sign')); presses++) {
      await window.keyboard.press('Tab')
      // At the end of the tab order the focus leaves the window and returns, which disables the button again.
      await expect(button).toBeEnabled()
    }
    expect(await isFocused(window, 'Sign')).toBe(true)
    const gone = window.waitForEvent('close')
    await window.keyboard.press('Enter')
    await gone
    expect((await stormed).result).toMatch(/^0x[0-9a-f]{130}$/)

    // Closing the window rejects all its requests.
    const asked = [sign(page, wallet, 'one'), sign(page, wallet, 'two')]
    const second = await requestWindow(context)
    await expect(second.getByText('1 of 2')).toBeVisible()
    await second.close()
    for (const one of asked) {
      expect((await one).error).toMatchObject({ code: 4001, data: { reason: 'closed' } })
    }
    await expect.poll(() => openCount(wallet)).toBe(0)

    // Navigation cancels the page's requests and closes their window.
    const left = sign(page, wallet, 'left').catch(() => undefined)
    const third = await requestWindow(context)
    const withdrawn = third.waitForEvent('close')
    await page.goto(site.other)
    await withdrawn
    await left
    expect(await openCount(wallet)).toBe(0)
  })
})

test('shows a site the selected accounts and notifies it of each change', async ({
  chrome,
  wallet,
  localnet,
  site,
}) => {
  const { context } = chrome
  const page = await openSite(context, site.url, localnet.rpcUrl)
  const asked = request(page, 'eth_requestAccounts')
  const window = await requestWindow(context)
  await window.getByRole('button', { name: 'Add account' }).click()
  await expect(window.getByRole('checkbox', { checked: true })).toHaveCount(2)
  await approve(window, 'Connect')
  const { result } = (await asked) as { result: [string, string] }
  expect(result).toHaveLength(2)
  const [first, second] = result
  expect(first).toBe(wallet.address)

  const popup = wallet.page
  await popup.bringToFront()
  await openSettings(popup, 'Connected sites', 'Manage connected sites')
  await popup.getByText(site.url.replace('http://', '')).click()
  await popup.getByRole('checkbox').first().click()
  await expect.poll(() => accountEvents(page)).toEqual([result, [second]])
  // At least one account stays selected: none would mean disconnected.
  await expect(popup.getByRole('checkbox', { checked: true })).toBeDisabled()
  await popup.getByRole('checkbox', { checked: false }).click()
  await expect.poll(() => accountEvents(page)).toEqual([result, [second], [second, first]])

  await leavePages(popup)
  await lock(popup)
  await expect.poll(async () => (await accountEvents(page)).at(-1)).toEqual([])
  expect((await request(page, 'eth_accounts')).result).toEqual([])
  await unlock(popup)
  await expect.poll(async () => (await accountEvents(page)).at(-1)).toEqual([second, first])
  expect((await request(page, 'eth_accounts')).result).toEqual([second, first])

  // A connected site only waits for the unlock, without another approval.
  await lock(popup)
  const again = request(page, 'eth_requestAccounts')
  const locked = await requestWindow(context)
  const gone = locked.waitForEvent('close')
  await locked.getByLabel('Password', { exact: true }).fill(password)
  await locked.getByRole('button', { name: 'Unlock' }).click()
  await gone
  expect((await again).result).toEqual([second, first])

  await popup.bringToFront()
  await openSettings(popup, 'Connected sites', 'Manage connected sites')
  await popup.getByText(site.url.replace('http://', '')).click()
  await popup.getByRole('button', { name: 'Disconnect' }).click()
  await expect.poll(async () => (await accountEvents(page)).at(-1)).toEqual([])
  await expect(popup.getByText('No connected sites.')).toBeVisible()
  expect((await request(page, 'wallet_swap')).error?.code).toBe(4100)
})

test('provides window.ethereum only when enabled, and never replaces another provider', async ({
  chrome,
  wallet,
  localnet,
  site,
}) => {
  const { context } = chrome
  const html = 'text/html; charset=utf-8'
  site.put('/bare', html, '<!doctype html><h1 id="ethereum">Bare</h1>')
  const taken = `<!doctype html><script>window.ethereum = { isOther: true }</script><h1>Taken</h1>`
  site.put('/taken', html, taken)
  const page = await openSite(context, site.url, localnet.rpcUrl)
  await page.goto(`${site.url}/bare`)
  expect(await hasRequest(page)).toBe(false)

  await wallet.page.bringToFront()
  await openSettings(wallet.page, 'Connected sites')
  const wish = wallet.page.getByRole('switch', { name: 'Default wallet (window.ethereum)' })
  await wish.click()
  await expect(wish).toBeChecked()
  await expect.poll(() => toldRelays(wallet.page)).toBe(true)
  // Nothing is injected into an open page.
  await page.waitForTimeout(200)
  expect(await hasRequest(page)).toBe(false)
  await page.reload()
  await expect.poll(() => hasRequest(page)).toBe(true)
  const asked = page.evaluate(() =>
    (window as unknown as WithEthereum).ethereum.request({ method: 'eth_requestAccounts' }),
  )
  await approve(await requestWindow(context), 'Connect')
  expect(await asked).toEqual([wallet.address])
  expect(await page.evaluate(() => Object.getOwnPropertyDescriptor(window, 'ethereum'))).toMatchObject({
    configurable: true,
    writable: true,
  })
  expect(await page.evaluate(() => 'isMetaMask' in (window as unknown as WithEthereum).ethereum)).toBe(false)

  await page.goto(`${site.url}/taken`)
  await page.waitForTimeout(200)
  expect(
    await page.evaluate(() => (window as unknown as { ethereum: { isOther: boolean } }).ethereum),
  ).toEqual({
    isOther: true,
  })

  await wallet.page.bringToFront()
  await wish.click()
  await expect(wish).not.toBeChecked()
  await expect.poll(() => toldRelays(wallet.page)).toBe(false)
  await page.goto(`${site.url}/bare`)
  await page.waitForTimeout(200)
  expect(await hasRequest(page)).toBe(false)
})

type WithEthereum = { ethereum: { request(ask: { method: string }): Promise<unknown> } }

/** Returns the stored setting that new pages read; the switch changes before it is stored. */
function toldRelays(popup: Page): Promise<unknown> {
  return popup.evaluate(async () => {
    type Area = { get(key: string): Promise<Record<string, unknown>> }
    const { sync } = (globalThis as unknown as { chrome: { storage: { sync: Area } } }).chrome.storage
    return (await sync.get('defaultWallet')).defaultWallet
  })
}

function hasRequest(page: Page): Promise<boolean> {
  return page.evaluate(
    () => typeof (window as unknown as Partial<WithEthereum>).ethereum?.request === 'function',
  )
}

function sign(page: Page, { address }: Wallet, words: string): Promise<Answer> {
  const message = `0x${Buffer.from(words).toString('hex')}`
  return request(page, 'personal_sign', [message, address])
}

function signButton(window: Page) {
  return window.getByRole('button', { name: 'Sign', exact: true })
}

/**
 * Returns whether the approve button was disabled when `words` appeared. Observed in the window itself: the
 * button is enabled within a second, too soon for an outside check.
 */
async function watchYes(window: Page, words: string): Promise<() => Promise<boolean>> {
  const watch = await window.evaluateHandle((words) => {
    const asleep = new Promise<boolean>((resolve) => {
      const observer = new MutationObserver(() => {
        if (!document.body.textContent.includes(words)) return
        observer.disconnect()
        resolve(document.querySelector('.request .main[aria-disabled="true"]') !== null)
      })
      observer.observe(document.body, { childList: true, subtree: true, characterData: true })
    })
    return { asleep }
  }, words)
  return () => watch.evaluate(({ asleep }) => asleep)
}

/** Clicks the approve button's place as fast as possible, until `ms` after the button appeared. */
async function clickFor(window: Page, ms: number): Promise<void> {
  const { width, height } = window.viewportSize() ?? { width: 360, height: 600 }
  const isThere = () => window.locator('.request .main').count()
  let until = Number.POSITIVE_INFINITY
  while (!window.isClosed() && Date.now() < until) {
    // It closes when the request is answered.
    await window.mouse.click(width * 0.7, height - 40).catch(() => expect(window.isClosed()).toBe(true))
    if (until === Number.POSITIVE_INFINITY && (await isThere().catch(() => 0)) > 0) until = Date.now() + ms
  }
  // The click logs arrive before this answer.
  await window.evaluate(() => undefined).catch(() => expect(window.isClosed()).toBe(true))
}

/**
 * Collects clicks on the approve button as milliseconds since it appeared, by the window's clock: accepted
 * ones and those that met it disabled.
 */
async function watchClicks(
  context: BrowserContext,
): Promise<{ answeredAfter: number[]; metAsleep: number[] }> {
  const answeredAfter: number[] = []
  const metAsleep: number[] = []
  context.on('console', (message) => {
    const [, what, ms] = /^(answered|asleep) after (\d+)$/.exec(message.text()) ?? []
    if (ms !== undefined) (what === 'asleep' ? metAsleep : answeredAfter).push(Number(ms))
  })
  await context.addInitScript(() => {
    let shownAt = Number.POSITIVE_INFINITY
    const observer = new MutationObserver(() => {
      if (document.querySelector('.request .main') === null) return
      shownAt = performance.now()
      observer.disconnect()
    })
    observer.observe(document, { childList: true, subtree: true })
    addEventListener(
      'click',
      ({ target }) => {
        const isYes =
          target instanceof HTMLButtonElement && target.matches('.request .main[aria-disabled="false"]')
        if (isYes) console.debug(`answered after ${Math.floor(performance.now() - shownAt)}`)
      },
      true,
    )
    // A disabled button receives no click.
    addEventListener(
      'pointerdown',
      ({ clientX, clientY }) => {
        const met =
          document.elementFromPoint(clientX, clientY)?.closest('.request .main[aria-disabled="true"]') ?? null
        if (met !== null) console.debug(`asleep after ${Math.floor(performance.now() - shownAt)}`)
      },
      true,
    )
  })
  return { answeredAfter, metAsleep }
}

function isFocused(window: Page, label: string): Promise<boolean> {
  return window.evaluate((label) => document.activeElement?.textContent === label, label)
}

async function openCount({ page }: Wallet): Promise<number> {
  return (await callWallet(page, 'approvals')).length
}

function accountEvents(page: Page): Promise<unknown[]> {
  return page.evaluate(async () =>
    (await window.site).events.filter(({ event }) => event === 'accountsChanged').map(({ data }) => data),
  )
}

function windows(context: BrowserContext): Page[] {
  return context.pages().filter((page) => page.url().endsWith('/popup.html#requests'))
}
