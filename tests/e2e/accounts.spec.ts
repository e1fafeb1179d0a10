import { expect, type Page } from '@playwright/test'
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import {
  callWallet,
  fillSeedWords,
  lock,
  openSettings,
  openSwap,
  password,
  readWords,
  sellAmount,
  waitForRefresh,
} from '../../dev/browser/popupPage.ts'
import { createLook } from '../helpers/e2e/looks.ts'
import { test } from '../helpers/e2e/wallet.ts'

const privateKey = '0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318'
const watched = '0x24791697260e4c9a71f18484c9f997b308e59325'

test('adds, names, reorders, hides and removes accounts', async ({ wallet: { page, phrase } }) => {
  const look = createLook(page)
  await openAccounts(page)
  await page.getByRole('button', { name: 'Add account' }).click()
  await expect(page.getByRole('button', { name: /^Account 2/ })).toBeVisible()

  await page.getByRole('button', { name: 'Add or import account' }).click()
  await look('add')
  await page.getByRole('button', { name: /^Private key/ }).click()
  await page.getByLabel('Private key', { exact: true }).fill(privateKey)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('heading', { name: 'Account 3' }).waitFor()
  await expect(page.getByText(privateKeyToAccount(privateKey).address.toLowerCase())).toBeVisible()
  await page.getByLabel('Name', { exact: true }).fill('Savings')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Savings' }).waitFor()
  await look('account')
  await page.getByRole('button', { name: 'Back', exact: true }).click()

  await page.getByRole('button', { name: 'Add or import account' }).click()
  await page.getByRole('button', { name: /^Private key/ }).click()
  await page.getByLabel('Private key', { exact: true }).fill(privateKey)
  await expect(page.getByText('Already in your wallet as Savings')).toBeVisible()
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Already in your wallet.' })).toBeVisible()
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await page.getByRole('button', { name: 'Watch an address' }).click()
  await page.getByLabel('Address', { exact: true }).fill(watched)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('heading', { name: 'Account 4' }).waitFor()

  // Hidden accounts are offered nowhere else, but remain listed here.
  await page.getByRole('switch', { name: 'Visible' }).click()
  await expect(page.getByRole('switch', { name: 'Visible' })).not.toBeChecked()
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await expect(page.getByRole('button', { name: /^Account 4.*Hidden/ })).toBeVisible()

  await page.getByRole('button', { name: 'Reorder' }).click()
  const own = page.getByRole('region', { name: 'Recovery phrase 1' }).getByRole('listitem')
  await page.getByRole('button', { name: 'Move Account 2 up' }).click()
  await expect(own.first()).toContainText('Account 2')
  await look('accounts-arrange')
  await own.last().dragTo(own.first())
  await expect(own.first()).toContainText('Account 1')
  await page.getByRole('button', { name: 'Done' }).click()
  await look('accounts')

  await page.getByRole('button', { name: /^Savings/ }).click()
  await page.getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('The private key will be deleted from this browser.')).toBeVisible()
  await look('remove')
  await hold(page, 'Hold to remove')
  // The page of removal names no account either.
  await expect(page.getByRole('button', { name: /^Account 4/ })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Savings/ })).toHaveCount(0)

  // Only accounts of the first phrase remain, so it cannot be removed.
  await page
    .getByRole('region', { name: 'Recovery phrase 1' })
    .getByRole('button', { name: 'Remove' })
    .click()
  await expect(page.getByText('At least one account must stay visible.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Hold to remove' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Back', exact: true }).click()

  await page.getByRole('button', { name: 'Add or import account' }).click()
  await page.getByRole('button', { name: 'New recovery phrase' }).click()
  await page.getByRole('button', { name: 'Create' }).click()
  const other = await readWords(page)
  expect(other).not.toBe(phrase)
  await page.getByRole('button', { name: 'I’ve written it down' }).click()
  await fillSeedWords(page, other)
  await expect(page.getByText(mnemonicToAccount(other).address.toLowerCase())).toBeVisible()

  await page.goto(page.url().replace(/#.*/, '#/settings/security'))
  await page.getByRole('button', { name: /^Recovery phrase 2\s*Backed up$/ }).click()
  await expect(page.getByRole('radio', { name: 'Phrase 2' })).toBeChecked()
  await page.goBack()
  await expect(page.getByRole('button', { name: /^Recovery phrase 1/ })).toBeVisible()
  await page.goBack()
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await page
    .getByRole('region', { name: 'Recovery phrase 1' })
    .getByRole('button', { name: 'Remove' })
    .click()
  await expect(page.getByText('This also removes its 2 accounts.')).toBeVisible()
  await hold(page, 'Hold to remove')
  await expect(page.getByRole('button', { name: /^Account 4/ })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Account 2/ })).toHaveCount(0)
  const status = await callWallet(page, 'status')
  expect(status).toMatchObject({ vault: 'unlocked', backedUp: true })
  expect(status.vault === 'unlocked' && status.accounts.map(({ address }) => address)).toEqual([
    watched,
    mnemonicToAccount(other).address.toLowerCase(),
  ])
})

test.describe('account secrets with a controlled clock', () => {
  // Moves the clock of the whole browser.
  test.use({ isAlone: true })

  test('shows the phrase and the private key after password and hold, and hides them again', async ({
    wallet: { page, phrase, address },
    chrome,
  }) => {
    const look = createLook(page)
    await openAccounts(page)
    await page.getByRole('button', { name: 'Show phrase' }).click()
    await page.getByLabel('Password', { exact: true }).fill('not the password')
    await hold(page, 'Hold to show phrase')
    await expect(page.getByText('Incorrect password.')).toBeVisible()
    await page.getByLabel('Password', { exact: true }).fill(password)
    await look('reveal')

    // A short press does not count as a hold.
    const act = page.getByRole('button', { name: 'Hold to show phrase' })
    await act.focus()
    await expect(act).toBeEnabled()
    await page.keyboard.down('Space')
    await page.keyboard.up('Space')
    await expect(page.getByRole('list', { name: 'Recovery phrase' })).toHaveCount(0)
    await page.keyboard.down('Enter')
    expect(await readWords(page)).toBe(phrase)
    await page.keyboard.up('Enter')
    await look('revealed')

    await page.evaluate(() => window.dispatchEvent(new Event('blur')))
    await expect(page.locator('.phrase')).not.toContainText(phrase.split(' ')[0] ?? '')
    await page.getByRole('button', { name: 'Show phrase' }).click()
    expect(await readWords(page)).toBe(phrase)
    await hide(page)
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue('')
    await page.getByRole('button', { name: 'Back', exact: true }).click()

    await page.getByRole('button', { name: /^Account 1/ }).click()
    await page.getByRole('button', { name: 'Show private key' }).click()
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Can’t press and hold?' }).click()
    await page.getByLabel('No one else can see my screen').check()
    await page.getByRole('button', { name: 'Show key' }).click()
    const shown = page.getByRole('region', { name: 'Private key', exact: true })
    const key = (await shown.textContent()) as `0x${string}`
    expect(privateKeyToAccount(key).address.toLowerCase()).toBe(address)
    await look('key')

    await chrome.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const held = () => page.evaluate(() => navigator.clipboard.readText())
    await page.evaluate(() => navigator.clipboard.writeText('before'))
    await page.clock.install()
    await page.getByRole('button', { name: 'Copy to clipboard' }).click()
    expect(await held()).toBe('before')
    await page.getByRole('button', { name: 'Copy anyway' }).click()
    await expect.poll(held).toBe(key)
    await page.clock.fastForward(59_000)
    expect(await held()).toBe(key)
    await page.clock.fastForward(1_000)
    await expect.poll(held).toBe('')
    await expect(page.getByText('Clipboard cleared')).toBeVisible()
    await hide(page)
    await expect(shown).toHaveCount(0)
  })
})

test('unlocks only with the new password after a password change', async ({ wallet: { page } }) => {
  const next = 'another heron battery canal'
  await openSettings(page, 'Security', 'Change password')
  await page.getByLabel('Current password').fill('not the password')
  await page.getByLabel('New password').fill(next)
  await page.getByLabel('Confirm password').fill(next)
  await page.getByRole('button', { name: 'Change', exact: true }).click()
  await expect(page.getByText('Incorrect password.')).toBeVisible()
  await createLook(page)('password')
  await page.getByLabel('Current password').fill(password)
  await page.getByRole('button', { name: 'Change', exact: true }).click()
  await expect(page.getByText('Password changed.')).toBeVisible()
  await page.getByRole('button', { name: 'Done' }).click()

  await lock(page)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Unlock' }).click()
  await expect(page.getByText('Incorrect password.')).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill(next)
  await page.getByRole('button', { name: 'Unlock' }).click()
  await page.getByRole('heading', { name: 'Security' }).waitFor()
})

test('reloads every open view when the wallet is locked', async ({ wallet: { page }, chrome }) => {
  const other = await chrome.openPopup()
  for (const view of [page, other]) {
    await view.getByRole('navigation').waitFor()
    await mark(view)
  }
  await lock(page)
  for (const view of [page, other]) {
    await expect(view.getByRole('button', { name: 'Unlock' })).toBeVisible()
    await expect.poll(() => isMarked(view)).toBe(false)
    await mark(view)
  }
  // Locking a locked wallet does not reload its views.
  await callWallet(page, 'lock')
  await expect(page.getByRole('button', { name: 'Unlock' })).toBeVisible()
  expect(await isMarked(page)).toBe(true)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Unlock' }).click()
  await page.getByRole('navigation').waitFor()
  expect(await isMarked(page)).toBe(true)
})

test('delays unlocking after wrong passwords, shows the delay and then allows another attempt', async ({
  wallet: { page },
}) => {
  const field = page.getByLabel('Password', { exact: true })
  const unlock = page.getByRole('button', { name: 'Unlock' })
  const wait = page.getByRole('button', { name: /^Try again in 0:\d\d$/ })
  // State after the eighth wrong password: an 8 s delay (steps in tests/vault/unlockThrottle.test.ts).
  await page.evaluate(async () => {
    const { chrome } = globalThis as unknown as {
      chrome: { storage: { local: { set(items: object): Promise<void> } } }
    }
    await chrome.storage.local.set({ wrongPasswords: { count: 8, at: Date.now() } })
  })
  await lock(page)
  await field.fill(password)
  await field.press('Enter')
  await expect(page.getByText('Too many incorrect passwords.')).toBeVisible()
  await expect(wait).toBeDisabled()
  await page.screenshot({ path: 'test-results/screenshots/unlock-wait.png' })
  // Unlocking is possible again without a reload, and the notice is gone.
  await field.fill(password)
  await expect(unlock).toBeEnabled()
  await expect(page.getByText('Too many incorrect passwords.')).toHaveCount(0)
  const swap = page.getByRole('navigation').getByRole('link', { name: 'Swap' })
  await unlock.click()
  await expect(swap).toBeVisible()
})

test('resets the wallet after a forgotten password once the user has typed the confirmation', async ({
  wallet: { page },
}) => {
  await lock(page)
  await page.getByRole('button', { name: 'Forgot password?' }).click()
  await expect(page.getByText('No one can recover your password')).toBeVisible()
  const forget = page.getByRole('button', { name: 'Reset wallet' })
  await expect(forget).toBeDisabled()
  await createLook(page)('reset')
  await page.getByLabel('Type “reset” to confirm').fill('rese')
  await expect(forget).toBeDisabled()
  await page.getByLabel('Type “reset” to confirm').fill(' Reset ')
  await waitForRefresh(page, () => forget.click())
  await page.getByRole('button', { name: 'Create a wallet' }).waitFor()
  expect(await callWallet(page, 'status')).toEqual({ vault: 'none' })
})

test('shows quotes for a watch-only account and why it cannot sign', async ({
  wallet: { page },
  localnet,
}) => {
  await callWallet(page, 'addWatchOnly', watched)
  await localnet.fund(watched)
  await page.locator('.account-choose').click()
  const sheet = page.getByRole('dialog', { name: 'Account' })
  await expect(sheet.getByRole('searchbox')).toHaveCount(0)
  await sheet.getByRole('button', { name: /Watch-only/ }).click()
  await sheet.waitFor({ state: 'detached' })
  await openSwap(page)
  await sellAmount(page).fill('1')
  await expect(page.locator('.rate')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Watch-only: can’t sign' })).toBeDisabled()
})

test('finds an account by name among many accounts', async ({ wallet: { page } }) => {
  for (let count = 0; count < 9; count++) await callWallet(page, 'addAccount')
  await page.locator('.account-choose').click()
  const sheet = page.getByRole('dialog', { name: 'Account' })
  await sheet.getByRole('searchbox').fill('account 10')
  await expect(sheet.getByRole('button', { name: /^Account \d/ })).toHaveCount(1)
  await createLook(page)('accounts-search')
  await sheet.getByRole('searchbox').fill('nobody')
  await expect(sheet.getByText('No accounts found.')).toBeVisible()
  await sheet.getByRole('button', { name: 'Manage accounts' }).click()
  await expect(page.getByText('10 accounts')).toBeVisible()
})

async function openAccounts(page: Page): Promise<void> {
  await page.locator('.account-choose').click()
  await page.getByRole('button', { name: 'Manage accounts' }).click()
  await page.getByRole('heading', { name: 'Accounts' }).waitFor()
}

/** Sets a mark that a reload removes. */
function mark(page: Page): Promise<void> {
  return page.evaluate(() => void Object.assign(globalThis, { isMarked: true }))
}

/** Returns false while the document is being unloaded. */
function isMarked(page: Page): Promise<boolean> {
  return page.evaluate(() => 'isMarked' in globalThis).catch(() => true)
}

/** Holds the button until its action has run. */
async function hold(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name })
  await button.hover()
  await expect(button).toBeEnabled()
  await page.mouse.down()
  await expect(button.or(page.getByRole('button', { name: 'Keep holding…' }))).toBeVisible()
  await page.getByRole('button', { name: 'Keep holding…' }).waitFor({ state: 'detached' })
  await page.mouse.up()
}

/** Simulates another tab covering the page. */
function hide(page: Page): Promise<void> {
  return page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' })
    document.dispatchEvent(new Event('visibilitychange'))
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'visible' })
  })
}
