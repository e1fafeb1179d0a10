import { expect } from '@playwright/test'
import { press } from '../../../dev/browser/firefox.ts'
import { see, test } from '../../helpers/e2e/headed.ts'

// The browser's own toolbar popup: it closes on an unhandled Escape and fits its page.

test('closes a sheet, then a page, then the popup on Escape', async ({ headed }) => {
  const popup = await headed.openPopup()
  await press(popup, /^Swap$/, 'nav a')
  await see(popup, '#sell-amount')
  await press(popup, /^Token to buy/)
  await see(popup, 'dialog h2', 'Token to buy')
  await headed.press('Escape')
  await popup.waitForFunction(() => document.querySelector('dialog') === null)
  expect(headed.isPopupOpen()).toBe(true)

  await press(popup, /^Settings$/)
  await see(popup, 'h1', 'Settings')
  await press(popup, /^Preferences/)
  await see(popup, 'h1', 'Preferences')
  await headed.press('Escape')
  await see(popup, 'h1', 'Settings')
  await headed.press('Escape')
  await see(popup, '#sell-amount')
  expect(headed.isPopupOpen()).toBe(true)
  await headed.press('Escape')
  await expect.poll(() => headed.isPopupOpen()).toBe(false)
})

test('types letters, runs shortcuts with Alt and shows the keyboard help on ?', async ({ headed }) => {
  const popup = await headed.openPopup()
  await headed.press('question')
  await see(popup, 'dialog h2', 'Keyboard shortcuts')
  await headed.press('Escape')
  await press(popup, /^Swap$/, 'nav a')
  await popup.waitForFunction(() => document.activeElement?.id === 'sell-amount')
  const amount = () => popup.$eval('#sell-amount', (field) => (field as HTMLInputElement).value)
  for (const key of ['1', 'm']) await headed.press(key)
  await expect.poll(amount).toBe('1m')
  await see(popup, '#sell-amount-line', 'Enter the full number')
  await see(popup, '.held', /Balance \d/)
  await headed.press('alt+m')
  await expect.poll(amount).toMatch(/^9\.9/)
})

test('keeps the content centred beside a scrollbar', async ({ headed }) => {
  const popup = await headed.openPopup()
  const edges = () =>
    popup.evaluate(() => {
      const box = document.querySelector('main')!
      const inside = [...box.children].filter((one) => one.getBoundingClientRect().width > 200)
      return inside.map((one) => [
        one.getBoundingClientRect().left,
        innerWidth - one.getBoundingClientRect().right,
      ])
    })
  const bar = await popup.evaluate(() => document.documentElement.style.getPropertyValue('--bar'))
  // As wide as a thin scrollbar: neither 15 px nor hidden.
  expect(Number.parseFloat(bar)).toBeGreaterThan(0)
  expect(Number.parseFloat(bar)).toBeLessThan(12)
  for (const tab of [/^Wallet$/, /^Swap$/, /^Activity$/]) {
    await press(popup, tab, 'nav a')
    await popup.waitForFunction(() => (document.querySelector('main')?.children.length ?? 0) > 1)
    for (const [start, end] of await edges())
      expect(Math.abs(start! - end!), String(tab)).toBeLessThanOrEqual(1)
  }
  expect(await popup.evaluate(() => document.documentElement.scrollHeight <= innerHeight)).toBe(true)
})
