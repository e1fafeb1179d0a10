import { readFileSync } from 'node:fs'
import { expect, type Locator, type Page } from '@playwright/test'
import {
  callWallet,
  leavePages,
  openSettings,
  password,
  setLocalNetwork,
} from '../../dev/browser/popupPage.ts'
import type { Network } from '../../src/domain/network/network.ts'
import { createLook } from '../helpers/e2e/looks.ts'
import { test } from '../helpers/e2e/wallet.ts'

test('exports settings to a file, previews the changes and imports them', async ({
  wallet: { page, address, phrase },
}) => {
  const key = 'serviceKey4711'
  await setLocalNetwork(page, { serviceKey: key, spareRpcUrl: 'http://127.0.0.1:9/v3/0123456789abcdef0123' })
  await callWallet(page, 'saveSettings', { slippageBps: 75, autoLockMinutes: 7, theme: 'dark' })
  await callWallet(page, 'updateTokenPreferences', 31337, { marked: [favourite] })
  await openSettings(page, 'Advanced', 'Settings backup')
  const text = await saved(page)
  await expect(page.getByText('Saved. 2 API keys were left out.')).toBeVisible()
  for (const secret of [key, '0123456789abcdef', address, pairOf(phrase)]) {
    expect(text.toLowerCase()).not.toContain(secret)
  }
  await page.getByRole('switch', { name: /^Include API keys/ }).click()
  const whole = await saved(page)
  expect(whole).toContain(key)
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()

  // Changes all settings, as another wallet or a reset would.
  await callWallet(page, 'saveSettings', { slippageBps: null, autoLockMinutes: 15, theme: 'light' })
  await callWallet(page, 'updateTokenPreferences', 31337, { unmarked: [favourite] })
  const { networks } = await callWallet(page, 'settings')
  const local = networks.find(({ chainId }) => chainId === 31337) as Network
  const { serviceKey: _key, spareRpcUrl: _spare, ...bare } = local
  await callWallet(page, 'saveSettings', { networks: [bare] })
  await choose(page, whole)
  const preview = page.getByRole('region', { name: 'Changes to apply' })
  await expect(preview).toContainText(/Default slippage\s*Auto.*0\.75%/)
  await expect(preview).toContainText(/Auto-lock \(minutes\)\s*15.*7/)
  await expect(preview).toContainText(/Theme\s*Light.*Dark/)
  await expect(preview).toContainText(/API key\s*None.*Configured/)
  await expect(preview).toContainText('1 favorite on Local')
  await expect(preview).toContainText('Adds new servers.')
  await expect(preview).not.toContainText(key)
  // The preview changes nothing.
  expect((await callWallet(page, 'settings')).autoLockMinutes).toBe(15)
  await preview.getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByText('Settings imported')).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  const back = await callWallet(page, 'settings')
  expect(back).toMatchObject({ slippageBps: 75, autoLockMinutes: 7, theme: 'dark' })
  expect(back.networks.find(({ chainId }) => chainId === 31337)).toEqual(local)
  expect((await callWallet(page, 'tokenPreferences', 31337)).favourites).toEqual([favourite])

  await choose(page, whole)
  await expect(page.getByText('This file doesn’t change any settings.')).toBeVisible()
})

test('requires the password to turn off strict checks, in the settings and by import', async ({
  wallet: { page },
}) => {
  await openSettings(page, 'Security')
  const strict = page.getByRole('switch', { name: /^Strict transaction checks/ })
  const isStrict = async () => (await callWallet(page, 'settings')).strictCalldata
  await strict.click()
  const sheet = page.getByRole('dialog', { name: 'Allow swaps without strict checks?' })
  const allow = sheet.getByRole('button', { name: 'Allow' })
  await expect(allow).toBeDisabled()
  await sheet.getByLabel('Password', { exact: true }).fill('not the password at all')
  await allow.click()
  await expect(sheet.getByText('Incorrect password.')).toBeVisible()
  await createLook(page)('settings-strict')
  await sheet.getByRole('button', { name: 'Close' }).click()
  await expect(strict).toBeChecked()
  expect(await isStrict()).toBe(true)

  // Leaving during the password check changes nothing.
  await strict.click()
  await sheet.getByLabel('Password', { exact: true }).fill(password)
  await leaveWhileChecked(page, allow, sheet.getByRole('button', { name: 'Close' }))
  await expect(sheet).toBeHidden()
  expect(await isStrict()).toBe(true)

  await strict.click()
  await sheet.getByLabel('Password', { exact: true }).fill(password)
  await allow.click()
  await expect(sheet).toBeHidden()
  await expect(strict).not.toBeChecked()
  expect(await isStrict()).toBe(false)
  await expect(page.getByText('Short router calls don’t state every detail of a swap.')).toBeVisible()
  // The stricter setting needs no password.
  await strict.click()
  await expect(strict).toBeChecked()
  await expect.poll(isStrict).toBe(true)

  // An import cannot bypass it.
  await leavePages(page)
  await openSettings(page, 'Advanced', 'Settings backup')
  const file = JSON.parse(await saved(page))
  await choose(page, JSON.stringify({ ...file, settings: { ...file.settings, strictCalldata: false } }))
  const preview = page.getByRole('region', { name: 'Changes to apply' })
  await expect(preview).toContainText('Turns off strict transaction checks')
  const apply = preview.getByRole('button', { name: 'Apply' })
  await expect(apply).toBeDisabled()
  await preview.getByLabel('Password', { exact: true }).fill('not the password at all')
  await apply.click()
  await expect(preview.getByText('Incorrect password.')).toBeVisible()
  expect(await isStrict()).toBe(true)
  await createLook(page)('settings-less-safe')
  await preview.getByLabel('Password', { exact: true }).fill(password)
  await leaveWhileChecked(page, apply, preview.getByRole('button', { name: 'Cancel' }))
  await expect(preview).toBeHidden()
  expect(await isStrict()).toBe(true)

  await choose(page, JSON.stringify({ ...file, settings: { ...file.settings, strictCalldata: false } }))
  await preview.getByLabel('Password', { exact: true }).fill(password)
  await apply.click()
  await expect(page.getByText('Settings imported')).toBeVisible()
  expect(await isStrict()).toBe(false)
})

test('rejects an unusable settings file with a reason and changes nothing', async ({ wallet: { page } }) => {
  await openSettings(page, 'Advanced', 'Settings backup')
  const before = await callWallet(page, 'settings')
  const file = JSON.parse(await saved(page))
  await choose(page, '{"name":"something else"}')
  await expect(page.getByText('This isn’t a Sluice settings file.')).toBeVisible()
  await choose(page, JSON.stringify({ ...file, version: 9 }))
  await expect(page.getByText('This file was saved by a newer version of Sluice.')).toBeVisible()
  await choose(page, JSON.stringify({ ...file, settings: { autoLockMinutes: 100_000 } }))
  await expect(page.getByText('This file has an invalid entry: settings.autoLockMinutes.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Changes to apply' })).toHaveCount(0)
  expect(await callWallet(page, 'settings')).toEqual(before)
})

test('exports diagnostics without keys, URLs, addresses, names or phrase words', async ({
  wallet: { page, address, phrase },
}) => {
  const canary = 'canary7f3a9e51'
  await setLocalNetwork(page, {
    name: `My ${canary}`,
    serviceKey: canary,
    spareRpcUrl: `http://127.0.0.1:9/${canary}`,
    explorerUrl: `https://${canary}.example/${canary}`,
    router: `0x${'c0ffee'.repeat(6)}beef`,
  })
  await callWallet(page, 'changeAccount', address, { name: canary })
  await callWallet(page, 'updateTokenPreferences', 31337, { marked: [favourite] })
  await page.evaluate(async (name) => {
    const { chrome } = globalThis as unknown as {
      chrome: { storage: { local: { set(items: object): Promise<void> } } }
    }
    await chrome.storage.local.set({ [name]: name, [`calls.${name}`]: name })
    localStorage.setItem(
      'faults',
      JSON.stringify([
        { code: 'node-timeout', at: 0 },
        { code: `${name} 1`, at: 0 },
      ]),
    )
  }, canary)
  await openSettings(page, 'Advanced', 'Diagnostics')
  const report = page.getByRole('region', { name: 'Diagnostics' })
  await expect(report).toContainText('"version"')
  const text = (await report.textContent()) ?? ''
  const told = JSON.parse(text)
  expect(told).toMatchObject({
    version: '0.1.0',
    vault: { state: 'unlocked', phrases: 1, accounts: { seed: 1 } },
    errorsShown: ['1970-01-01T00:00:00.000Z node-timeout'],
  })
  expect(told.browser).toMatch(/^(Headless)?Chrome \d+ Linux$/)
  expect(told.storageBytes.other).toBeGreaterThan(0)
  const secrets = [
    canary,
    address.slice(2),
    favourite.slice(2),
    'c0ffee',
    'example',
    '127.0.0.1',
    pairOf(phrase),
  ]
  for (const secret of secrets) expect(text.toLowerCase()).not.toContain(secret)

  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  const download = await downloading
  expect(readFileSync(await download.path(), 'utf8')).toBe(text)
})

test('applies settings and the lock of one view in another open view', async ({
  chrome,
  wallet: { page },
}) => {
  const other = await chrome.openPopup({ width: 420, height: 800 })
  await other.getByRole('button', { name: 'Network: Local' }).waitFor()
  await openSettings(page, 'Preferences')
  await page.getByLabel('Theme').selectOption('Dark')
  await expect(other.locator('html')).toHaveAttribute('data-theme', 'dark')
  await page.getByLabel('Language').selectOption('Deutsch')
  await expect(other.getByRole('button', { name: 'Netzwerk: Local' })).toBeVisible()
  await page.getByLabel('Sprache').selectOption('English')

  await setLocalNetwork(page, { name: 'Brook' })
  await expect(other.getByRole('button', { name: 'Network: Brook' })).toBeVisible()
  await other.getByRole('button', { name: 'Lock', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
})

test('opens the wallet in the side panel', async ({ wallet: { page } }) => {
  await openSettings(page)
  await expect(page.getByRole('button', { name: 'Open in side panel' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Open in a tab' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Open in side panel' }).click()
  await expect.poll(() => panels(page)).toBe(1)
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('passes accessibility and overflow checks on every settings page, and keeps controls reachable when zoomed', async ({
  wallet: { page },
}) => {
  const look = createLook(page)
  await page.setViewportSize({ width: 320, height: 600 })
  await openSettings(page)
  await look('settings')
  expect(await cutOff(page)).toEqual([])
  const pages = [
    ['Security'],
    ['Accounts'],
    ['Connected sites'],
    ['Preferences'],
    ['Advanced'],
    ['Advanced', 'Settings backup'],
    ['Advanced', 'Diagnostics'],
    ['About'],
  ]
  for (const lines of pages) {
    for (const line of lines) {
      await page.getByRole('button', { name: new RegExp(`^${line}`) }).click()
      await page.getByRole('heading', { name: line, level: 1 }).waitFor()
    }
    const last = lines.at(-1) ?? ''
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
    await look(`settings-${last.toLowerCase().replaceAll(' ', '-')}`)
    expect(await cutOff(page), last).toEqual([])
    for (const line of lines.toReversed()) {
      await page.getByRole('heading', { name: line, level: 1 }).waitFor()
      await page.getByRole('button', { name: 'Back', exact: true }).click()
    }
    await page.getByRole('heading', { name: 'Settings', exact: true, level: 1 }).waitFor()
  }
  // A popup at 200 % zoom has half the height.
  await page.setViewportSize({ width: 360, height: 300 })
  const last = page.getByRole('button', { name: 'Lock now' })
  await last.scrollIntoViewIfNeeded()
  await expect(last).toBeInViewport({ ratio: 1 })
  await leavePages(page)
  // A tab centres the content.
  await page.setViewportSize({ width: 800, height: 900 })
  const box = await page.locator('#app').boundingBox()
  expect(Math.abs((box?.x ?? 0) * 2 + (box?.width ?? 0) - 800)).toBeLessThan(2)
  await look('tab')
})

test('locks the wallet at its deadline while no view is open', async ({ wallet: { page }, chrome }) => {
  // An empty page that sends the worker nothing.
  const watcher = await chrome.openFile('icon/16.png')
  await page.close()
  const held = (deadline?: number) =>
    watcher.evaluate(async (deadline) => {
      const { session } = (globalThis as unknown as { chrome: typeof import('wxt/browser').browser }).chrome
        .storage
      const { unlocked } = (await session.get('unlocked')) as { unlocked?: object }
      if (deadline !== undefined) await session.set({ unlocked: { ...unlocked, deadline } })
      return unlocked !== undefined
    }, deadline)
  // Almost at the deadline.
  expect(await held(Date.now() + 2_000)).toBe(true)
  await expect.poll(held, { intervals: [1_000] }).toBe(false)
})

const favourite = `0x${'fa'.repeat(20)}` as const

/** Two words of a phrase, as a single one may occur in the UI. */
function pairOf(phrase: string): string {
  return phrase.split(' ').slice(0, 2).join(' ')
}

async function saved(page: Page): Promise<string> {
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toMatch(/^sluice-settings-\d{4}-\d\d-\d\d\.json$/)
  return readFileSync(await download.path(), 'utf8')
}

async function choose(page: Page, text: string): Promise<void> {
  const file = { name: 'settings.json', mimeType: 'application/json', buffer: Buffer.from(text) }
  await page.locator('input[type=file]').setInputFiles(file)
}

/** Presses `act`, then `leave` during the password check. Resolves after the check. */
async function leaveWhileChecked(page: Page, act: Locator, leave: Locator): Promise<void> {
  const pressed = [await act.elementHandle(), await leave.elementHandle()]
  await page.evaluate(async (buttons) => {
    const { chrome } = globalThis as unknown as { chrome: typeof import('wxt/browser').browser }
    const checked = new Promise<void>((done) => {
      chrome.runtime.onMessage.addListener((message) => {
        if (JSON.stringify(message).includes('unlocked')) done()
      })
    })
    for (const one of buttons) (one as HTMLElement).click()
    await checked
  }, pressed)
}

/** Returns the elements that overflow the view horizontally. */
function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('#app *')]
      .filter((one) => one.closest('.unseen') === null && one.getBoundingClientRect().right > innerWidth + 1)
      .map((one) => one.outerHTML.slice(0, 80)),
  )
}

function panels(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const { chrome } = globalThis as unknown as {
      chrome: { runtime: { getContexts(filter: { contextTypes: string[] }): Promise<unknown[]> } }
    }
    return (await chrome.runtime.getContexts({ contextTypes: ['SIDE_PANEL'] })).length
  })
}
