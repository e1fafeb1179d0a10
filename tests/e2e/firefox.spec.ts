import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect } from '@playwright/test'
import type { Page } from 'puppeteer-core'
import { type Hex, parseUnits } from 'viem'
import {
  type Firefox,
  fill,
  find,
  launchFirefox,
  press,
  read,
  toPageRunner,
} from '../../dev/browser/firefox.ts'
import { callWallet, lock, password, setLocalNetwork } from '../../dev/browser/popupPage.ts'
import type { Localnet } from '../../dev/localnet.ts'
import { type Answer, request, test } from '../helpers/e2e/pages.ts'
import { firstOf, phrases } from '../helpers/e2e/phrases.ts'
import { allowanceOf, balanceOf, useLocalnet } from '../helpers/e2e/wallet.ts'

// The main flows in Firefox. docs/firefox.md lists its differences.

const extension = resolve(import.meta.dirname, '../../.output/firefox-mv3')
/** Short idle timeout, so that the event page stops many times during a test. */
const idleMs = 3_000

const [phrase = '', ...otherPhrases] = phrases

test('Firefox: creates a wallet, swaps and answers dapp requests while the worker stops repeatedly', async ({
  localnet,
  service,
  site,
}) => {
  const firefox = await launchFirefox({ extension, idleMs })
  try {
    const popup = await firefox.openPopup()
    await useLocalnet(toPageRunner(popup), localnet, service.url)
    const own = firstOf(await createWallet(popup))
    // No leftover of the start page pushes the first screen down.
    expect(await popup.evaluate(() => document.documentElement.scrollHeight <= innerHeight)).toBe(true)
    await press(popup, /^Swap$/, 'nav a')
    const { USDC, WBTC, DAI } = localnet.tokens
    await press(popup, /^Get test funds$/)
    await choose(popup, 'sell', 'DAI')
    await choose(popup, 'buy', 'WBTC')
    await fill(popup, /^You sell/, '1000')
    const before = await balanceOf(localnet, DAI, own)
    await agree(popup)
    expect(before - (await balanceOf(localnet, DAI, own))).toBe(parseUnits('1000', 18))
    expect(await allowanceOf(localnet, DAI, own)).toBe(0n)
    await settle(localnet)
    const bought = await balanceOf(localnet, WBTC, own)
    expect(bought).toBeGreaterThan(0n)

    await callWallet(toPageRunner(popup), 'saveSettings', { defaultWallet: true })
    const page = await openSite(firefox, `${site.url}/?rpc=${encodeURIComponent(localnet.rpcUrl)}`)
    // A saved setting reaches pages loaded afterwards.
    await expect(async () => {
      await reload(page)
      expect(await page.evaluate(() => 'ethereum' in globalThis)).toBe(true)
    }).toPass()
    const connecting = request(toPageRunner(page), 'eth_requestAccounts')
    await leave(await firefox.requestWindow(), /^Connect$/)
    expect((await connecting).result).toEqual([own])

    // The open request and its page survive the stopped worker.
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
    await read(window, /Swap on /)
    await agree(window)
    const { result } = (await asked) as Answer & { result: { receipt: { status: Hex }; transactions: Hex[] } }
    expect(result.receipt.status).toBe('0x1')
    for (const hash of result.transactions) {
      expect((await localnet.client.getTransactionReceipt({ hash })).status).toBe('success')
    }
    expect(await balanceOf(localnet, WBTC, own)).toBeGreaterThan(bought)
    await settle(localnet)
    // One used an approval, the other a permit.
    const swaps = await callWallet(toPageRunner(popup), 'swaps')
    expect(swaps.map(({ steps }) => steps.map(({ kind }) => kind))).toEqual([['swap'], ['approve', 'swap']])
    // Only the deadline locks the wallet.
    await stopped(popup)
    expect((await callWallet(toPageRunner(popup), 'status')).vault).toBe('unlocked')
    await lock(toPageRunner(popup))
    await stopped(popup)
    expect((await request(toPageRunner(page), 'eth_accounts')).result).toEqual([])
  } finally {
    await firefox.close()
  }
})

test('Firefox: imports phrases without leaving secrets to content scripts or the clipboard', async ({
  site,
}) => {
  const nosy = withNosyScript()
  // User activation expires at once, so later clipboard writes depend on the permission.
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
    // The session area holds the key of an unlocked wallet. Content scripts cannot read it.
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
    // Ends the minute at once.
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
    // The words are cleared when hidden. The clipboard is also cleared behind another tab.
    await expect.poll(() => pasted(page)).toBe('')
  } finally {
    await firefox.close()
    rmSync(nosy, { recursive: true, force: true })
  }
})

test('Firefox: reports an extension update to open pages and reconnects them after a reload', async ({
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

    // As in a store update: extension pages close, the worker ends, content scripts are orphaned.
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

test('Firefox: requests the revoked host permission of the RPC again', async ({ site }) => {
  // Accepts the browser's permission prompt.
  const firefox = await launchFirefox({
    extension,
    prefs: { 'extensions.webextOptionalPermissionPrompts': false },
  })
  try {
    const before = await firefox.openPopup()
    await bringPhrase(before)
    await setLocalNetwork(toPageRunner(before), { rpcUrl: 'http://127.0.0.1:9' })
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
    // The host permission of the network also covers sites on that host.
    await page.bringToFront()
    await expect(async () => {
      await page.reload()
      expect(await announced()).toBe(1)
    }).toPass()
  } finally {
    await firefox.close()
  }
})

/** Copies the built extension, with a relay that exposes all storage it can read to its page. */
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

/**
 * Mines the block that makes the last swap final. Until then the worker polls every second and never stops.
 */
async function settle({ client }: Localnet): Promise<void> {
  await client.mine({ blocks: 1 })
}

/** Waits until the worker (an event page) is stopped. A locking view reloads, so its pending calls fail. */
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

/** Returns the clipboard's text as another page pastes it. */
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
  await press(page, /^Set up later$/)
}

/** Creates a wallet through the screens and returns its phrase. */
async function createWallet(page: Page): Promise<string> {
  await press(page, /^Create a wallet$/)
  await typePassword(page)
  await press(page, /^Create$/)
  // The list is empty while the phrase is being created.
  await find(page, 'button', /^I’ve written it down$/)
  const words = await page.$$eval('ol[aria-label="Recovery phrase"] li', (items) =>
    items.map(({ textContent }) => textContent.replace(/[\d\s]/g, '')),
  )
  await press(page, /^I’ve written it down$/)
  await read(page, /^Verify your recovery phrase$/, 'h1')
  const asked = await page.$$eval('legend', (legends) => legends.map(({ textContent }) => textContent))
  for (const [index, legend] of asked.entries()) {
    const word = words[Number(legend.replace('Word ', '')) - 1]
    // Another question may offer the same word.
    await press(page, new RegExp(`^${word}$`), `fieldset:nth-child(${index + 1}) label`)
  }
  await press(page, /^Verify$/)
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

/** Presses the last button of a window and waits until it has closed, so that it is not found again. */
async function leave(window: Page, name: RegExp): Promise<void> {
  await press(window, name)
  // Puppeteer does not report closed extension windows.
  await expect.poll(() => window.evaluate(() => true).catch(() => false)).toBe(false)
}

/** Confirms a swap, from the quote to the end. */
async function agree(page: Page): Promise<void> {
  await press(page, /^Review swap$/)
  // The RPC or service may be slow on an overloaded machine, as in `review` (dev/browser/popupPage.ts).
  for (let tries = 0; tries < 30; tries++) {
    const act = await find(page, 'button', /^(Approve and swap|Swap|Try again)$/)
    if ((await act.evaluate(({ textContent }) => textContent)) !== 'Try again') break
    await press(page, /^Try again$/, 'button')
  }
  await press(page, /^(Approve and swap|Swap)$/, 'button')
  expect(await read(page, /^(Confirmed|Failed)$/, '.outcome .entry-state')).toBe('Confirmed')
}
