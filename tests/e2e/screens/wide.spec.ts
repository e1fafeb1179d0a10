import { expect, type Page } from '@playwright/test'
import { sellAmount } from '../../../dev/browser/popupPage.ts'
import { createLook } from '../../helpers/e2e/looks.ts'
import { test } from '../../helpers/e2e/wallet.ts'

test('shows home and a live quote beside each other', async ({ wallet: { page } }) => {
  await sellAmount(page).fill('1')
  await open(page, 'overview')
  for (const [width, height] of [
    [1280, 800],
    [900, 700],
  ] as const) {
    await page.setViewportSize({ width, height })
    await expect(page.getByRole('complementary', { name: 'Wallet' })).toContainText('Wrapped Bitcoin')
    await expect(page.locator('.wide-main .rate.num')).toContainText('1 ETH =')
    const home = await boxOf(page, '.wide-side')
    const main = await boxOf(page, '.wide-main')
    expect(home.x + home.width).toBeLessThanOrEqual(main.x)
    const review = await boxOf(page, '.wide-main .act .main')
    expect(review.y + review.height).toBeLessThanOrEqual(height)
    await createLook(page)(`wide-${width}`)
  }
})

test('shows the route beside the form, and leaves out a source there', async ({ wallet: { page } }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await open(page, 'swap')
  const route = page.getByRole('region', { name: 'Route', exact: true })
  await expect(route).toContainText('Enter an amount to get a quote')
  const before = await boxOf(page, '.wide-main .form')
  await sellAmount(page).fill('1')
  await expect(route.getByRole('list', { name: 'Route sources' })).toBeVisible()
  expect(await boxOf(page, '.wide-main .form')).toEqual(before)
  await page.locator('.river-row button').first().click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(route.getByRole('heading', { name: 'Route' })).toBeFocused()
  const leaveOut = route.getByRole('button', { name: /^Exclude / }).first()
  const name = (await leaveOut.getAttribute('aria-label'))?.replace('Exclude ', '') ?? ''
  await leaveOut.click()
  await expect(page.locator('.quote .chips')).toContainText(`Excluding ${name}`)
  await expect(route.getByRole('heading', { name: 'Route' })).toBeFocused()
  await expect(route.locator('.route-change')).toHaveText(/less|more|unchanged/)
  // Beside the form where there is room.
  await page.setViewportSize({ width: 1600, height: 900 })
  const form = await boxOf(page, '.wide-main .form')
  expect((await boxOf(page, '.route-pane')).x).toBeGreaterThan(form.x + form.width)
})

test('visits navigation, header, home and form in this order', async ({ wallet: { page } }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await open(page, 'overview')
  await expect(page.getByText('Wrapped Bitcoin')).toBeVisible()
  // The form has taken the focus.
  await page.locator('.wide-rail a').first().focus()
  const parts = ['wide-rail']
  for (let press = 0; press < 60; press += 1) {
    await page.keyboard.press('Tab')
    const part = await page.evaluate(
      () => document.activeElement?.closest('.wide-rail, .top, .wide-side, .wide-main')?.classList[0],
    )
    if (part === undefined) break
    if (part !== parts.at(-1)) parts.push(part)
  }
  expect(parts.slice(0, 4)).toEqual(['wide-rail', 'top', 'wide-side', 'wide-main'])
})

test('opens sheets at the side, settings beside their menu, and the review beside home', async ({
  wallet: { page },
}) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await open(page, 'swap')
  await page.getByRole('button', { name: /Token to buy/ }).click()
  const sheet = await boxOf(page, 'dialog[open]')
  expect(sheet).toMatchObject({ y: 0, height: 800, x: 1280 - sheet.width })
  await page.keyboard.press('Escape')

  await sellAmount(page).fill('1')
  await page.getByRole('button', { name: 'Review swap' }).click()
  await expect(page.getByRole('main').getByRole('heading', { name: 'Review swap' })).toBeVisible()
  await expect(page.getByRole('complementary', { name: 'Wallet' })).toBeVisible()
  await expect(page.getByRole('main').getByText('Simulation passed')).toBeVisible()
  await createLook(page)('wide-review')
  expect(await overflows(page)).toEqual([])
  await page.getByRole('button', { name: 'Back' }).click()

  await page.getByRole('link', { name: 'Settings' }).click()
  const menu = page.getByRole('complementary', { name: 'Settings' })
  await expect(page.getByRole('main').getByRole('heading', { name: 'Preferences' })).toBeVisible()
  await menu.getByRole('button', { name: /^Security/ }).click()
  await expect(page.getByRole('main').getByRole('heading', { name: 'Security' })).toBeVisible()
  await expect(menu.getByRole('button', { name: /^Security/ })).toHaveAttribute('aria-current', 'page')
  for (const row of await menu.locator('.list-row').all()) {
    expect((await row.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  }
  await createLook(page)('wide-settings')
})

test('overflows at no width', async ({ wallet: { page } }) => {
  for (const width of [320, 360, 400, 500, 700, 899, 900, 1100, 1280, 1400]) {
    await page.setViewportSize({ width, height: 700 })
    for (const at of ['overview', 'swap', 'activity', 'settings', 'send']) {
      await open(page, at)
      await expect(page.getByRole('main')).toHaveCount(1)
      expect(await overflows(page), `${at} at ${width}`).toEqual([])
    }
  }
})

test('keeps the draft when resized', async ({ wallet: { page } }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await open(page, 'swap')
  await sellAmount(page).fill('1.25')
  for (const width of [400, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    await expect(page.locator('.wide')).toHaveCount(width === 400 ? 0 : 1)
    await expect(sellAmount(page)).toHaveValue('1.25')
  }
})

test('keeps the welcome hint clear of the swap form', async ({ wallet: { page } }) => {
  for (const [width, height] of [
    [360, 600],
    [400, 900],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height })
    await open(page, 'swap/welcome')
    const hint = await boxOf(page, '.welcome-hint')
    const top = await boxOf(page, '.top')
    const form = await boxOf(page, '.form')
    expect(hint.y, `header at ${width}`).toBeGreaterThanOrEqual(top.y + top.height)
    const isAbove = hint.y + hint.height <= form.y
    expect(isAbove || hint.x + hint.width <= form.x, `form at ${width}`).toBe(true)
  }
})

async function open(page: Page, at: string): Promise<void> {
  await page.goto(`${page.url().split('#')[0]}#/${at}`)
}

async function boxOf(page: Page, selector: string) {
  const box = await page.locator(selector).boundingBox()
  if (box === null) throw new Error(`${selector} is not shown.`)
  return box
}

/** Returns what scrolls sideways. */
function overflows(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('#app, main, .wide-side, .wide-main')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(({ tagName, className }) => `${tagName} ${className}`),
  )
}
