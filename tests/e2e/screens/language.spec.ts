import { expect } from '@playwright/test'
import { leavePages, openSettings, sellAmount } from '../../../dev/browser/popupPage.ts'
import { test } from '../../helpers/e2e/wallet.ts'

test('uses the selected language and its number format', async ({ wallet: { page } }) => {
  await sellAmount(page).fill('1234.5')
  await openSettings(page, 'Preferences')
  await page.getByLabel('Language').selectOption('Deutsch')
  // Keeps the place after a language change.
  await expect(page.getByRole('heading', { name: 'Allgemein' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await page.getByRole('button', { name: 'Zurück' }).click()
  await expect(page.getByRole('heading', { name: 'Einstellungen', exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Zurück' }).click()
  await expect(page.getByLabel('Verkaufen', { exact: true })).toHaveValue('1\u202f234,5')

  await page.reload()
  await expect(page.getByLabel('Verkaufen', { exact: true })).toHaveValue('1\u202f234,5')
  await expect(page.getByText(/^Guthaben 25\.000/)).toBeVisible()
  await page.getByRole('button', { name: 'Einstellungen', exact: true }).click()
  await page.getByRole('button', { name: 'Allgemein' }).click()
  await page.getByLabel('Sprache').selectOption('English')
  await expect(page.getByRole('heading', { name: 'Preferences' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await leavePages(page)
  await expect(sellAmount(page)).toHaveValue('1\u202f234.5')
})

test('falls back to English when the texts of the language cannot be loaded', async ({
  wallet: { page },
}) => {
  await openSettings(page, 'Preferences')
  await page.getByLabel('Language').selectOption('Deutsch')
  await expect(page.getByRole('heading', { name: 'Allgemein' })).toBeVisible()
  await page.route('**/de.gz', (route) => route.abort())
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Preferences' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
})

test('applies the selected theme before the first paint', async ({ wallet: { page } }) => {
  const root = page.locator('html')
  await expect(root).toHaveAttribute('data-theme', 'light')
  await openSettings(page, 'Preferences')
  await page.getByLabel('Theme').selectOption('Dark')
  await expect(root).toHaveAttribute('data-theme', 'dark')

  // Nothing is painted before the theme is known: no light flash in dark mode.
  let go = () => {}
  const gone = new Promise<void>((done) => {
    go = done
  })
  await page.route('**/popup-*.js', async (route) => {
    await gone
    await route.continue()
  })
  await page.reload({ waitUntil: 'commit' })
  await expect(page.locator('.mark')).toBeAttached()
  await expect(page.locator('.mark')).toBeHidden()
  expect(await root.getAttribute('data-theme')).toBeNull()
  go()
  await expect(root).toHaveAttribute('data-theme', 'dark')
  await page.unroute('**/popup-*.js')

  await page.reload()
  await page.getByLabel('Theme').selectOption('System')
  await expect(root).toHaveAttribute('data-theme', 'light')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(root).toHaveAttribute('data-theme', 'dark')
})
