import { expect, type Page } from '@playwright/test'
import { chooseToken, sellAmount, waitUntilDone } from '../../../dev/browser/popupPage.ts'
import { createLook } from '../../helpers/e2e/looks.ts'
import { test } from '../../helpers/e2e/wallet.ts'

const maxKeys = 25
const maxShift = 0.001
const watchedMs = 40_000

test('shows the values of both amounts, and sells what is typed in the currency to the cent', async ({
  wallet: { page },
}) => {
  await chooseToken(page, 'sell', 'DAI')
  await chooseToken(page, 'buy', 'USDC')
  await sellAmount(page).fill('1000')
  await page.getByRole('button', { name: 'Review swap' }).waitFor()
  const toggle = page.getByRole('button', { name: /Enter the amount in USD/ })
  await expect(toggle).toContainText(/^\$(999|1,000)\.\d\d/)
  await expect(page.locator('#buy-amount-line')).toHaveText(/^\$9\d\d\.\d\d$/)

  const look = createLook(page)
  await toggle.click()
  await expect(sellAmount(page)).toBeFocused()
  await page.keyboard.type('123.45')
  await expect(page.getByRole('button', { name: /Enter the amount in DAI/ })).toContainText(/^123\.\d+ DAI/)
  await page.getByRole('button', { name: 'Review swap' }).waitFor()
  await look('form-currency')
  await expect(sellAmount(page)).toHaveValue('123.45')
  await page.getByRole('button', { name: /Enter the amount in DAI/ }).click()
  // The token amount of the quote is worth what was typed.
  await expect(page.getByRole('button', { name: /Enter the amount in USD/ })).toContainText('$123.45')
  expect(await sellAmount(page).getAttribute('title')).toMatch(/^123\.\d/)
})

test('draws the route, names its bands, and says how much it gains over one pool', async ({
  wallet: { page },
}) => {
  await chooseToken(page, 'sell', 'ETH')
  await chooseToken(page, 'buy', 'USDC')
  // More than one pool bears; a quote needs no balance.
  await sellAmount(page).fill('1234')
  const river = page.locator('.quote .route')
  await expect(river).toHaveAccessibleName(/\+\$[\d,.]+ vs\. the best single pool/)
  const summary = (await river.textContent()) ?? ''
  const shares = [...summary.matchAll(/ (<?[\d.]+)% ?(?=[·…]|$)/g)].map(([, share]) => Number(share))
  // Independent of the market: the four largest sources, each with a share.
  expect(shares).toHaveLength(4)
  expect(shares).toEqual([...shares].sort((one, other) => other - one))
  for (const share of shares) expect(share > 0 && share <= 100).toBe(true)
  expect(await page.locator('.quote .band').count()).toBeGreaterThan(1)
  await createLook(page)('form-river')
  await river.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Route' })
  await expect(dialog.getByRole('list').first()).toBeVisible()
  await createLook(page)('form-route')
})

test('leads from the settings of a swap to the sources of its network, by their titles', async ({
  wallet: { page },
}) => {
  await page.getByRole('button', { name: /^Swap settings/ }).click()
  await page.getByRole('button', { name: /^Routing on / }).click()
  const never = page.getByText('Exclude these sources')
  await expect(never).toBeInViewport()
  await never.click()
  const sources = page.locator('.sources').last()
  await expect(sources.getByText('Aerodrome Slipstream')).toBeVisible()
  await expect(sources.getByText('Lido wstETH')).toBeVisible()
  await sources.getByText('Uniswap V4').scrollIntoViewIfNeeded()
  await createLook(page)('routing-sources')
})

test('selects the amount when the keyboard moves to it, so that typing replaces it', async ({
  wallet: { page },
}) => {
  await sellAmount(page).fill('1234.5')
  await page.keyboard.press('Tab')
  // Like any other amount, as soon as it is left.
  await expect(sellAmount(page)).toHaveValue('1,234.5')
  await page.keyboard.press('Shift+Tab')
  await expect(sellAmount(page)).toBeFocused()
  await page.keyboard.type('7')
  await expect(sellAmount(page)).toHaveValue('7')
})

test('swaps by keyboard alone, with few keys from the opened popup on', async ({ wallet: { page } }) => {
  // The popup opens where it was left.
  await page.getByRole('navigation').getByRole('link', { name: 'Wallet' }).click()
  await page.reload()
  await page.getByRole('navigation').waitFor()
  let keys = 0
  const press = async (key: string) => {
    keys += 1
    await page.keyboard.press(key)
  }
  const tabTo = async (name: RegExp) => {
    while (!name.test(await focusedName(page)) && keys <= maxKeys) await press('Tab')
  }
  await tabTo(/^Swap$/)
  await press('Enter')
  await expect(sellAmount(page)).toBeFocused({ timeout: 10_000 })
  await press('1')
  await expect(page.getByRole('button', { name: 'Review swap' })).toBeEnabled()
  await press('Enter')
  const swap = page.getByRole('button', { name: 'Swap', exact: true })
  await expect(swap).toBeEnabled()
  await page.waitForTimeout(2_000)
  await tabTo(/^Swap$/)
  await press('Enter')
  await expect(page.locator('.outcome')).toBeVisible({ timeout: 20_000 })
  await waitUntilDone(page)
  console.log(`keyboard swap: ${keys} keys`)
  expect(keys).toBeLessThanOrEqual(maxKeys)
})

test('moves nothing while quotes are refreshed', async ({ wallet: { page } }) => {
  test.setTimeout(120_000)
  await chooseToken(page, 'sell', 'DAI')
  await chooseToken(page, 'buy', 'WBTC')
  await sellAmount(page).fill('20000')
  await page.getByRole('button', { name: 'Review swap' }).waitFor()
  // Lazily loaded parts of the form are in place.
  await expect(page.locator('.quote .band').first()).toBeVisible()
  await page.evaluate(() => {
    const shifts: number[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
        shifts.push(entry.value)
    }).observe({ type: 'layout-shift' })
  })
  await page.waitForTimeout(watchedMs)
  const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)
  const sum = shifts.reduce((total, shift) => total + shift, 0)
  console.log(`layout shift over ${watchedMs / 1_000} s of refreshes: ${sum}`)
  expect(sum).toBeLessThanOrEqual(maxShift)
})

/** Accessible name of the focused element, by its text or label. */
function focusedName(page: Page): Promise<string> {
  return page.evaluate(() => {
    const focused = document.activeElement
    return (focused?.getAttribute('aria-label') ?? focused?.textContent ?? '').trim()
  })
}
