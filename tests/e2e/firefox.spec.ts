import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect } from '@playwright/test'
import type { Page } from 'puppeteer-core'
import { type Hex, parseUnits } from 'viem'
import { type Firefox, fill, find, launchFirefox, press, read, toPageRunner } from '../../dev/firefox.ts'
import type { Localnet } from '../../dev/localnet.ts'
import { callWallet, lock, password } from '../../dev/popupPage.ts'
import { type Answer, request, test } from './pages.ts'
import { firstOf, phrases } from './phrases.ts'
import { allowanceOf, balanceOf, useWorld } from './wallet.ts'

// The main job in the other browser. What only Firefox does differently is in docs/firefox.md.

const extension = resolve(import.meta.dirname, '../../.output/firefox-mv3')
/** The worker is stopped when it has been idle for so long: many times on the way. */
const idleMs = 3_000

const [phrase = '', ...otherPhrases] = phrases

test('Firefox: a wallet is made, swaps, and answers a page that asks for a swap, while its worker stops again and again', async ({
  world,
  service,
  site,
}) => {
  const firefox = await launchFirefox({ extension, idleMs })
  try {
    const popup = await firefox.openPopup()
    await useWorld(toPageRunner(popup), world, service.url)
    const own = firstOf(await createWallet(popup))
    // Nothing of what stood there before the first screen pushes it down.
    expect(await popup.evaluate(() => document.documentElement.scrollHeight <= innerHeight)).toBe(true)
    await press(popup, /^Swap$/, 'nav a')
    const { USDC, WBTC, DAI } = world.tokens
    await press(popup, /^Get test funds$/)
    await choose(popup, 'sell', 'DAI')
    await choose(popup, 'buy', 'WBTC')
    await fill(popup, /^You sell/, '1000')
    const before = await balanceOf(world, DAI, own)
    await agree(popup)
    expect(before - (await balanceOf(world, DAI, own))).toBe(parseUnits('1000', 18))
    expect(await allowanceOf(world, DAI, own)).toBe(0n)
    await settle(world)
    const bought = await balanceOf(world, WBTC, own)
    expect(bought).toBeGreaterThan(0n)

    await callWallet(toPageRunner(popup), 'saveSettings', { defaultWallet: true })
    const page = await openSite(firefox, `${site.url}/?rpc=${encodeURIComponent(world.rpcUrl)}`)
    // What was saved is known to a page that is loaded after it.
    await expect(async () => {
      await reload(page)
      expect(await page.evaluate(() => 'ethereum' in globalThis)).toBe(true)
    }).toPass()
    const connecting = request(toPageRunner(page), 'eth_requestAccounts')
    await leave(await firefox.requestWindow(), /^Connect$/)
    expect((await connecting).result).toEqual([own])

    // Whoever reads for a while reads on after the worker is gone, and so does the page wait.
    const signing = request(toPageRunner(page), 'personal_sign', ['0x68656c6c6f', own])
    const question = await firefox.requestWindow()
    await find(question, 'button', /^Sign$/)
    await stopped(popup)
    await leave(question, /^Sign$/)
    expect((await signing).result).toMatch(/^0x[0-9a-f]{130}$/)

    await stopped(popup)
    const asked = request(toPageRunner(page), 'wallet_swap', [
      { token: USDC, pairToken: WBTC, amount: '100.5' },
    ])
    const window = await firefox.requestWindow()
    await read(window, /Swap request/)
    await agree(window)
    const { result } = (await asked) as Answer & { result: { receipt: { status: Hex }; transactions: Hex[] } }
    expect(result.receipt.status).toBe('0x1')
    for (const hash of result.transactions) {
      expect((await world.client.getTransactionReceipt({ hash })).status).toBe('success')
    }
    expect(await balanceOf(world, WBTC, own)).toBeGreaterThan(bought)
    await settle(world)
    // One by an approval, the other by a permit.
    const swaps = await callWallet(toPageRunner(popup), 'swaps')
    expect(swaps.map(({ steps }) => steps.map(({ kind }) => kind))).toEqual([['swap'], ['approve', 'swap']])
    // The wallet is locked by its deadline alone.
    await stopped(popup)
    expect((await callWallet(toPageRunner(popup), 'status')).vault).toBe('unlocked')
    await lock(toPageRunner(popup))
    await stopped(popup)
    expect((await request(toPageRunner(page), 'eth_accounts')).result).toEqual([])
  } finally {
    await firefox.close()
  }
})

test('Firefox: published phrases are brought, of which no content script and no clipboard keeps anything', async ({
  site,
}) => {
  const nosy = withNosyScript()
  // What a click allows is over at once: what is written later is written by the permission.
  const firefox = await launchFirefox({
    extension: nosy,
    prefs: { 'dom.user_activation.transient.timeout': 100 },
  })
  try {
    const popup = await firefox.openPopup()
    await bringPhrase(popup)
    await callWallet(toPageRunner(popup), 'saveSettings', { defaultWallet: true })
    await press(popup, /./, '.account-choose')
    await press(popup, /^Manage accounts$/)
    for (const [index, other] of otherPhrases.entries()) {
      await press(popup, /^Add or import account$/)
      await press(popup, /^Recovery phrase/)
      await press(popup, new RegExp(`^${other.split(' ').length}$`), 'label')
      await fill(popup, /^Word 1$/, other)
      await press(popup, /^Add$/)
      await read(popup, new RegExp(`^Account ${index + 2}$`), 'h1')
      await press(popup, /^Back$/)
    }
    const status = await callWallet(toPageRunner(popup), 'status')
    expect(status.vault === 'unlocked' && status.accounts.map(({ address }) => address)).toEqual(
      phrases.map(firstOf),
    )

    const page = await openSite(firefox, site.url)
    const seen = await page.waitForFunction('document.documentElement.dataset.seen')
    const { local, session, sync } = JSON.parse(String(await seen.jsonValue()))
    // The session area holds the key of an unlocked wallet. Pages' scripts do not have it.
    expect(session).toBe('none')
    expect(JSON.parse(sync)).toEqual({ defaultWallet: true })
    const dataKey = await popup.evaluate(async () => {
      const { browser } = globalThis as unknown as { browser: typeof import('wxt/browser').browser }
      return JSON.stringify(await browser.storage.session.get(null)).match(/"dataKey\W+([^"\\]+)/)?.[1]
    })
    expect(dataKey).toMatch(/^[\w+/=-]{40,}$/)
    expect(local).toContain('vault')
    const words = phrases.flatMap((one) => one.split(' ')).filter((word) => word.length > 6)
    for (const secret of [dataKey, ...words, password, ...phrases.map((one) => firstOf(one).slice(2))]) {
      for (const area of [local, sync]) expect(area.toLowerCase()).not.toContain(secret?.toLowerCase())
    }

    await popup.bringToFront()
    await press(popup, /^Back$/)
    await press(popup, /^Settings$/)
    await press(popup, /^Security/)
    await press(popup, /^Recovery phrase 1/)
    await fill(popup, /^Password$/, password)
    await press(popup, /^Can’t press and hold\?$/)
    await press(popup, /^No one else can see my screen$/)
    await press(popup, /^Show phrase$/)
    await press(popup, /^Copy to clipboard$/)
    // The minute is over when the test says so.
    await popup.evaluate(() => {
      const { setTimeout } = window
      const overs: (() => void)[] = []
      Object.assign(window, {
        overs,
        setTimeout: (work: () => void, ms: number) =>
          ms === 60_000 ? overs.push(work) : setTimeout(work, ms),
      })
    })
    await press(popup, /^Copy anyway$/)
    await read(popup, /^Copied/, '[role=status]')
    expect(await pasted(page)).toBe(phrase)
    await popup.evaluate(() => {
      for (const over of (window as unknown as { overs: (() => void)[] }).overs) over()
    })
    // The words are forgotten with the last look at them. The clipboard is emptied behind another tab too.
    await expect.poll(() => pasted(page)).toBe('')
  } finally {
    await firefox.close()
    rmSync(nosy, { recursive: true, force: true })
  }
})

test('Firefox: pages are told that the wallet was updated, and have it again once they are loaded anew', async ({
  site,
}) => {
  const next = mkdtempSync(join(tmpdir(), 'sluice-next-'))
  cpSync(extension, next, { recursive: true })
  const manifest = join(next, 'manifest.json')
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(/"version":"[^"]+"/, '"version":"99.0.0"'))
  const firefox = await launchFirefox({ extension })
  try {
    await bringPhrase(await firefox.openPopup())
    const quiet = await openSite(firefox, site.url)
    const page = await openSite(firefox, site.url)
    const waiting = request(toPageRunner(page), 'eth_requestAccounts')
    await firefox.requestWindow()

    // What a store's update does: the wallet's pages close, its worker ends, and the pages' scripts are left to themselves.
    await firefox.browser.installExtension(next)
    const updated = { error: { code: 4900, message: expect.stringContaining('Reload the page') } }
    expect(await waiting).toMatchObject(updated)
    for (const one of [page, quiet]) {
      expect(await request(toPageRunner(one), 'eth_chainId')).toMatchObject(updated)
      await reload(one)
      expect(await request(toPageRunner(one), 'eth_accounts')).toEqual({ result: [] })
    }
    const popup = await firefox.openPopup()
    const version = await popup.evaluate(() => {
      const { browser } = globalThis as unknown as { browser: typeof import('wxt/browser').browser }
      return browser.runtime.getManifest().version
    })
    expect(version).toBe('99.0.0')
  } finally {
    await firefox.close()
    rmSync(next, { recursive: true, force: true })
  }
})

test('Firefox: who took the leave to reach the node away is asked for it again', async ({ site }) => {
  // The browser's own question is answered with yes.
  const firefox = await launchFirefox({
    extension,
    prefs: { 'extensions.webextOptionalPermissionPrompts': false },
  })
  try {
    const before = await firefox.openPopup()
    await bringPhrase(before)
    await before.evaluate(async () => {
      const { browser } = globalThis as unknown as { browser: typeof import('wxt/browser').browser }
      await browser.permissions.remove({ origins: (await browser.permissions.getAll()).origins ?? [] })
    })
    const popup = await firefox.openPopup()
    await read(popup, /RPC/, '.banner-bad')
    const page = await firefox.browser.newPage()
    await page.goto(site.url)
    const announced = () =>
      page.evaluate(() => {
        let count = 0
        const heard = () => count++
        addEventListener('eip6963:announceProvider', heard)
        dispatchEvent(new Event('eip6963:requestProvider'))
        removeEventListener('eip6963:announceProvider', heard)
        return count
      })
    expect(await announced()).toBe(0)
    await popup.bringToFront()
    await press(popup, /^Try again$/)
    await popup.waitForFunction(async () => {
      const { browser } = globalThis as unknown as { browser: typeof import('wxt/browser').browser }
      return (await browser.permissions.getAll()).origins?.includes('http://127.0.0.1/*')
    })
    // With the network's host come the sites on it.
    await page.bringToFront()
    await expect(async () => {
      await page.reload()
      expect(await announced()).toBe(1)
    }).toPass()
  } finally {
    await firefox.close()
  }
})

/** The extension as it was built, but for a relay that tells its page all it can read of the wallet. */
function withNosyScript(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-nosy-'))
  cpSync(extension, folder, { recursive: true })
  appendFileSync(
    join(folder, 'content-scripts/relay.js'),
    `;(async () => {
      const read = async (area) => {
        try { return JSON.stringify(await browser.storage[area].get(null)) } catch { return 'none' }
      }
      const seen = { local: await read('local'), session: await read('session'), sync: await read('sync') }
      addEventListener('DOMContentLoaded', () => { document.documentElement.dataset.seen = JSON.stringify(seen) })
      if (document.readyState !== 'loading') document.documentElement.dataset.seen = JSON.stringify(seen)
    })()`,
  )
  return folder
}

async function openSite({ browser }: Firefox, url: string): Promise<Page> {
  const page = await browser.newPage()
  await page.goto(url)
  await page.evaluate(async () => void (await window.site))
  return page
}

async function reload(page: Page): Promise<void> {
  await page.reload()
  await page.evaluate(async () => void (await window.site))
}

/** One block more makes the last swap final: until then the worker looks for it every second, and nothing stops it. */
async function settle({ client }: Localnet): Promise<void> {
  await client.mine({ blocks: 1 })
}

/** Until the worker, an event page here, is gone. A view that is locked loads itself anew, and what it was asked then gets no answer. */
async function stopped(page: Page): Promise<void> {
  const workers = () =>
    page.evaluate(async () => {
      const { browser } = globalThis as unknown as {
        browser: { runtime: { getContexts(filter: object): Promise<unknown[]> } }
      }
      return (await browser.runtime.getContexts({ contextTypes: ['BACKGROUND'] })).length
    })
  await expect.poll(() => workers().catch(() => undefined)).toBe(0)
}

/** What the clipboard holds, as somebody finds it who pastes it elsewhere. */
async function pasted(page: Page): Promise<string> {
  await page.bringToFront()
  await page.evaluate(() => {
    document.body.innerHTML = '<textarea></textarea>'
    document.querySelector('textarea')?.focus()
  })
  await page.keyboard.down('Control')
  await page.keyboard.press('v')
  await page.keyboard.up('Control')
  return page.$eval('textarea', ({ value }) => value)
}

async function bringPhrase(page: Page): Promise<void> {
  await press(page, /^I already have a wallet$/)
  await press(page, /^Recovery phrase/)
  await fill(page, /^Word 1$/, phrase)
  await press(page, /^Continue$/)
  await typePassword(page)
  await press(page, /^Import$/)
  await press(page, /^Not now$/)
}

/** By the screens, and answers the phrase that was shown. */
async function createWallet(page: Page): Promise<string> {
  await press(page, /^Create a wallet$/)
  await typePassword(page)
  await press(page, /^Create$/)
  // Empty while it is being made.
  await find(page, 'button', /^I’ve written it down$/)
  const words = await page.$$eval('ol[aria-label="Recovery phrase"] li', (items) =>
    items.map(({ textContent }) => textContent.replace(/[\d\s]/g, '')),
  )
  await press(page, /^I’ve written it down$/)
  await read(page, /^Verify your recovery phrase$/, 'h1')
  const asked = await page.$$eval('legend', (legends) => legends.map(({ textContent }) => textContent))
  for (const [index, legend] of asked.entries()) {
    const word = words[Number(legend.replace('Word ', '')) - 1]
    // Another question may offer it too.
    await press(page, new RegExp(`^${word}$`), `fieldset:nth-child(${index + 1}) label`)
  }
  await press(page, /^Verify$/)
  await press(page, /^Not now$/)
  return words.join(' ')
}

async function typePassword(page: Page): Promise<void> {
  await fill(page, /^Password$/, password)
  await fill(page, /^Confirm password$/, password)
}

async function choose(page: Page, side: 'sell' | 'buy', symbol: string): Promise<void> {
  await press(page, new RegExp(`^Token to ${side}`))
  await (await find(page, '[role=combobox]', /./)).type(symbol)
  await press(page, new RegExp(symbol), '[role=option]')
}

/** Presses the last button of a window, and waits until it is gone: who looks for the next one must not find this one closing. */
async function leave(window: Page, name: RegExp): Promise<void> {
  await press(window, name)
  // Puppeteer does not hear that a window of an extension was closed.
  await expect.poll(() => window.evaluate(() => true).catch(() => false)).toBe(false)
}

/** From the price to the end. */
async function agree(page: Page): Promise<void> {
  await press(page, /^Review swap$/)
  // The node or the service of a starved machine may be late, as in `review` (dev/popupPage.ts).
  for (let tries = 0; tries < 30; tries++) {
    const act = await find(page, 'button', /^(Approve and swap|Swap|Try again)$/)
    if ((await act.evaluate(({ textContent }) => textContent)) !== 'Try again') break
    await press(page, /^Try again$/, 'button')
  }
  await press(page, /^(Approve and swap|Swap)$/, 'button')
  expect(await read(page, /^(Done|Failed)$/, '.outcome .entry-state')).toBe('Done')
}
