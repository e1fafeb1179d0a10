import { mkdirSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import {
  askWallet,
  chooseToken,
  confirm,
  createWallet,
  password,
  review,
  sellAmount,
  unlock,
  waitUntilDone,
} from '../../dev/popup.ts'
import { test, useWorld } from './wallet.ts'

// Every screen, in both themes and at the popup's size, written to test-results/screenshots to be looked at.

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`the screens, ${colorScheme}`, () => {
    test.use({ colorScheme })

    test('from the first screen to a swap that is done', async ({ chrome, world, service }) => {
      const page = await chrome.openPopup()
      const shoot = shooter(page, colorScheme)
      const errors = errorsOf(page)
      await useWorld(page, world, service.url)
      await page.getByRole('button', { name: 'Create a wallet' }).waitFor()
      await shoot('welcome')

      await page.getByRole('button', { name: 'Create a wallet' }).click()
      await page.getByLabel('Password', { exact: true }).fill('too short')
      await shoot('create')
      await page.getByRole('button', { name: 'Back' }).click()

      await page.getByRole('button', { name: 'I have a recovery phrase' }).click()
      await page.getByLabel('Word 1', { exact: true }).waitFor()
      await shoot('import')
      await page.getByRole('button', { name: 'Back' }).click()

      await createWallet(page)
      await page.getByRole('button', { name: 'Get test funds' }).waitFor()
      await shoot('swap-empty')
      await page.getByRole('button', { name: 'Get test funds' }).click()
      await page.getByRole('button', { name: 'Enter an amount' }).waitFor()

      await page.getByRole('button', { name: /^Token to sell/ }).click()
      await page.getByRole('option').first().waitFor()
      await shoot('picker')
      await page.keyboard.press('Escape')
      await chooseToken(page, 'sell', 'DAI')
      await chooseToken(page, 'buy', 'WBTC')
      await sellAmount(page).fill('20000')
      await page.getByRole('button', { name: 'Review swap' }).waitFor()
      await shoot('swap-price')
      await sellAmount(page).fill('123456789012.123456789')
      await page.getByRole('button', { name: 'Not enough DAI' }).waitFor()
      await shoot('swap-long')
      await sellAmount(page).fill('20000')

      await page.getByRole('button', { name: /^Slippage/ }).click()
      await page.getByLabel('Custom, in percent').fill('25')
      await shoot('slippage')
      await page.keyboard.press('Escape')

      await review(page)
      await shoot('review')
      await confirm(page)
      await page.getByRole('heading', { name: /^(Swapping…|Done)$/ }).waitFor()
      await shoot('progress')
      await waitUntilDone(page)
      await shoot('done')
      await page.getByRole('button', { name: 'Done' }).click()

      await page.getByRole('button', { name: 'Settings' }).click()
      await page.getByRole('heading', { name: 'Settings' }).waitFor()
      await shoot('settings')
      await page.getByText('Local', { exact: true }).click()
      await page.getByLabel('Swap service URL').first().scrollIntoViewIfNeeded()
      await shoot('settings-network')
      await page.getByRole('button', { name: 'Lock now' }).click()
      await page.getByRole('heading', { name: 'Welcome back' }).waitFor()
      await shoot('unlock')
      expect(errors).toEqual([])
    })
  })
}

test('a wrong password says so, the right one opens', async ({ wallet: { page } }) => {
  await page.getByRole('button', { name: 'Lock', exact: true }).click()
  await page.getByLabel('Password', { exact: true }).fill(`${password} no`)
  await page.getByRole('button', { name: 'Unlock' }).click()
  await expect(page.getByText(/not the password|wrong password/i)).toBeVisible()
  await page.screenshot({ path: 'test-results/screenshots/unlock-wrong.png' })
  await unlock(page)
})

test('a reset leaves no vault in any place', async ({ wallet: { page } }) => {
  await askWallet(page, 'reset')
  expect(await askWallet(page, 'status')).toEqual({ vault: 'none' })
  const left = await page.evaluate(async () => {
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
    return copies
  })
  expect(left).toBe(0)
})

test('the phrase that was shown is the wallet: it opens the same account elsewhere', async ({
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
  await page.getByRole('button', { name: 'I have a recovery phrase' }).click()
  for (const [index, word] of phrase.split(' ').entries()) {
    await page.getByLabel(`Word ${index + 1}`, { exact: true }).fill(word)
  }
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Repeat the password').fill(password)
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await sellAmount(page).waitFor()
  await expect(page.getByRole('button', { name: 'Copy address' })).toHaveAttribute('title', address)
})

test('the service and the node of a network are the user’s to set', async ({ wallet: { page }, service }) => {
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByText('Local', { exact: true }).click()
  const form = page.getByRole('form', { name: 'Local' })
  await form.getByLabel('Swap service URL').fill('ftp://nowhere')
  await expect(form.getByText(/http/i).first()).toBeVisible()
  await expect(form.getByRole('button', { name: 'Save' })).toBeDisabled()
  await form.getByLabel('Swap service URL').fill(service.url.replace('127.0.0.1', 'localhost'))
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form.getByRole('button', { name: 'Saved' })).toBeVisible()
  await page.getByRole('button', { name: 'Back' }).click()
  await sellAmount(page).fill('1')
  await page.getByRole('button', { name: 'Review swap' }).waitFor()
})

function shooter(page: Page, theme: string) {
  const folder = `test-results/screenshots/${theme}`
  mkdirSync(folder, { recursive: true })
  return (name: string) => page.screenshot({ path: `${folder}/${name}.png`, animations: 'disabled' })
}

/** What a page complains of: page policy, Trusted Types, uncaught errors. */
function errorsOf(page: Page): string[] {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  return errors
}
