import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { launchBrowser } from '../../../dev/browser/browser.ts'
import {
  callWallet,
  chooseToken,
  confirm,
  createWallet,
  leavePages,
  openSettings,
  password,
  readShownState,
  review,
  sellAmount,
  unlock,
  waitForRefresh,
  waitUntilDone,
} from '../../../dev/browser/popupPage.ts'
import { createLook } from '../../helpers/e2e/looks.ts'
import { extension, test, useLocalnet } from '../../helpers/e2e/wallet.ts'

test('leads from the welcome screen to a confirmed swap', async ({ chrome, localnet, service }) => {
  const page = await chrome.openPopup()
  const look = createLook(page)
  const errors = errorsOf(page)
  await useLocalnet(page, localnet, service.url)
  await page.getByRole('button', { name: 'Create a wallet' }).waitFor()
  await look('welcome')

  await page.getByRole('button', { name: 'Create a wallet' }).click()
  await page.getByLabel('Password', { exact: true }).fill('too short')
  await look('create')
  await page.getByRole('button', { name: 'Back', exact: true }).click()

  await page.getByRole('button', { name: 'I already have a wallet' }).click()
  await page.getByRole('heading', { name: 'Import a wallet' }).waitFor()
  await look('bring')
  await page.getByRole('button', { name: 'Back', exact: true }).click()

  await createWallet(page)
  await page.getByRole('button', { name: 'Get test funds' }).waitFor()
  await look('swap-empty')
  await page.getByRole('button', { name: 'Get test funds' }).click()
  await page.getByRole('button', { name: 'Enter an amount' }).waitFor()

  await page.getByRole('button', { name: /^Token to sell/ }).click()
  await page.getByRole('option').first().waitFor()
  await look('picker')
  await page.keyboard.press('Escape')
  await chooseToken(page, 'sell', 'DAI')
  await chooseToken(page, 'buy', 'WBTC')
  await sellAmount(page).fill('20000')
  await page.getByRole('button', { name: 'Review swap' }).waitFor()
  await look('swap-price')
  await sellAmount(page).fill('123456789012.123456789')
  await page.getByRole('button', { name: 'Not enough DAI' }).waitFor()
  await look('swap-long')
  await sellAmount(page).fill('20000')

  await page.getByRole('button', { name: /^Max slippage/ }).click()
  await page.getByLabel('Custom (%)').fill('25')
  await look('slippage')
  await page.keyboard.press('Escape')

  await review(page)
  await look('review')
  await confirm(page)
  await readShownState(page, /^(Pending|Confirmed)$/).waitFor()
  await look('progress')
  await waitUntilDone(page)
  await look('done')
  await page.getByRole('button', { name: 'Done' }).click()

  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor()
  await look('settings')
  await waitForRefresh(page, () => page.getByRole('button', { name: 'Lock now' }).click())
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor()
  await look('unlock')
  expect(errors).toEqual([])
})

test('shows an error for a wrong password and unlocks with the right one', async ({ wallet: { page } }) => {
  await waitForRefresh(page, () => page.getByRole('button', { name: 'Lock', exact: true }).click())
  await page.getByLabel('Password', { exact: true }).fill(`${password} no`)
  await page.getByRole('button', { name: 'Unlock' }).click()
  await expect(page.getByText('Incorrect password.')).toBeVisible()
  await page.screenshot({ path: 'test-results/screenshots/unlock-wrong.png' })
  await unlock(page)
})

test('clears all wallet data on reset and keeps the theme', async ({ wallet: { page } }) => {
  const friend = `0x${'f1'.repeat(20)}` as const
  await callWallet(page, 'saveSettings', { theme: 'dark', contacts: [{ address: friend, name: 'Ann' }] })
  await page.goto(`${page.url().split('#')[0]}#/reset`)
  await page.getByLabel('Type “reset” to confirm').fill('reset')
  await waitForRefresh(page, () => page.getByRole('button', { name: 'Reset wallet' }).click())
  await page.getByRole('button', { name: 'Create a wallet' }).waitFor()
  expect(await callWallet(page, 'status')).toEqual({ vault: 'none' })
  expect(await callWallet(page, 'settings')).toMatchObject({ theme: 'dark', contacts: [] })
  const left = await page.evaluate(async () => {
    const { chrome } = globalThis as unknown as {
      chrome: { storage: Record<'local' | 'session', { get(keys: null): Promise<object> }> }
    }
    const connection = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open('vault')
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
    const copies = await new Promise<number>((resolve, reject) => {
      const request = connection.transaction('copies').objectStore('copies').count()
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
    connection.close()
    const [local, session] = [await chrome.storage.local.get(null), await chrome.storage.session.get(null)]
    return {
      copies,
      local: Object.keys(local),
      session: Object.keys(session),
      page: Object.keys(localStorage),
    }
  })
  const inPage = ['theme', 'language', 'tab']
  expect({ ...left, page: left.page.filter((key) => !inPage.includes(key)) }).toEqual({
    copies: 0,
    local: ['settings'],
    session: [],
    page: [],
  })
})

test('restores the same account from the displayed phrase', async ({
  wallet: { address, phrase },
  chrome,
}) => {
  const page = await chrome.openPopup()
  await page.evaluate(async () => {
    const { chrome } = globalThis as unknown as {
      chrome: { storage: Record<'local' | 'session', { clear(): Promise<void> }> }
    }
    await chrome.storage.local.clear()
    await chrome.storage.session.clear()
    for (const { name } of await indexedDB.databases()) if (name) indexedDB.deleteDatabase(name)
  })
  await chrome.killWorker()
  await page.reload()
  await page.getByRole('button', { name: 'I already have a wallet' }).click()
  await page.getByRole('button', { name: 'Recovery phrase' }).click()
  for (const [index, word] of phrase.split(' ').entries()) {
    await page.getByLabel(`Word ${index + 1}`, { exact: true }).fill(word)
  }
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password').fill(password)
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByRole('button', { name: 'Set up later' }).click()
  await expect(page.getByRole('button', { name: 'Copy address' })).toHaveAttribute('title', address)
})

test('lets the user change the swap service and rejects an invalid URL', async ({
  wallet: { page },
  service,
}) => {
  await openSettings(page, 'Networks', 'Local')
  const form = page.getByRole('form', { name: 'Local' })
  await form.getByLabel('Swap service (optional)').fill('ftp://nowhere')
  await expect(form.getByText(/http/i).first()).toBeVisible()
  await expect(form.getByRole('button', { name: 'Save' })).toBeDisabled()
  await form.getByLabel('Swap service (optional)').fill(service.url.replace('127.0.0.1', 'localhost'))
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form.getByRole('button', { name: 'Saved' })).toBeVisible()
  await leavePages(page)
  await sellAmount(page).fill('1')
  await page.getByRole('button', { name: 'Review swap' }).waitFor()
})

/** Collects the errors of a page: CSP, Trusted Types, uncaught errors. */
function errorsOf(page: Page): string[] {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  return errors
}

test('shows an error when a view’s script does not load', async () => {
  const scratch = mkdtempSync(join(tmpdir(), 'sluice-broken-'))
  const broken = join(scratch, 'extension')
  cpSync(extension, broken, { recursive: true })
  const [script = ''] = readdirSync(join(broken, 'chunks')).filter((name) => name.startsWith('popup-'))
  writeFileSync(join(broken, 'chunks', script), 'cut off in the mid')
  const chrome = await launchBrowser({
    extension: broken,
    profile: join(scratch, 'profile'),
    headless: true,
    isStill: true,
  })
  const page = await chrome.openPopup()
  const words = page.getByText('Sluice does not start. Close it, and open it again.')
  // Delayed, as every view starts with it.
  await expect(words).toHaveCSS('animation-delay', '5s')
  await expect(words).toBeVisible()
  await chrome.close()
  rmSync(scratch, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
})
