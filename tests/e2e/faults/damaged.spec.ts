import { expect } from '@playwright/test'
import {
  callWallet,
  confirm,
  lock,
  review,
  sellAmount,
  unlock,
  waitUntilDone,
} from '../../../dev/browser/popupPage.ts'
import { insist } from '../../helpers/e2e/intents.ts'
import { test } from '../../helpers/e2e/wallet.ts'

test('reports a damaged record and damaged settings', async ({ wallet: { page }, chrome }) => {
  await sellAmount(page).fill('1')
  await review(page)
  await confirm(page)
  await waitUntilDone(page)
  await page.getByRole('button', { name: 'Done' }).click()
  await page.evaluate(async () => {
    const { local } = (globalThis as unknown as { chrome: typeof import('wxt/browser').browser }).chrome
      .storage
    for (const [key, stored] of Object.entries(await local.get(null))) {
      const body = String((stored as { body?: string }).body)
      if (key.startsWith('swap.'))
        await local.set({ [key]: { ...(stored as object), body: body.slice(0, 100) } })
    }
    await local.set({ settings: 'not settings at all' })
  })
  await chrome.killWorker()
  await page.reload()
  await insist(page, () => callWallet(page, 'status'))

  await expect(page.getByText('Your settings were corrupted and reset')).toBeVisible()
  await page.screenshot({ path: 'test-results/screenshots/damaged-swap.png' })
  await page
    .getByRole('navigation')
    .getByRole('link', { name: 'Activity' })
    .or(page.getByRole('button', { name: 'Activity' }))
    .click()
  const entry = page.getByRole('main').getByRole('listitem')
  await expect(entry).toHaveText(/Corrupted entry.*Status unknown/)
  await page.screenshot({ path: 'test-results/screenshots/damaged-activity.png' })
  await entry.getByRole('button').click()
  await expect(
    page.getByText('The transaction may have gone through. Check your account before trying again.'),
  ).toBeVisible()
  await page.screenshot({ path: 'test-results/screenshots/damaged-entry.png' })
})

test('reports a vault restored from its copy until the user dismisses the notice', async ({
  wallet: { page },
}) => {
  await page.evaluate(async () => {
    const { local } = (globalThis as unknown as { chrome: typeof import('wxt/browser').browser }).chrome
      .storage
    await local.set({ vault: 'not a vault at all' })
  })
  await lock(page)
  await unlock(page)
  const banner = page.getByText('Your wallet data was corrupted and restored from a copy.')
  await expect(banner).toBeVisible()
  await page.screenshot({ path: 'test-results/screenshots/damaged-vault.png' })
  await page.getByRole('button', { name: 'Got it' }).click()
  await expect(banner).toBeHidden()
})
