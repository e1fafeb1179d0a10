import { expect } from '@playwright/test'
import {
  askWallet,
  chooseToken,
  confirm,
  review,
  sellAmount,
  stateShown,
  waitUntilDone,
} from '../../dev/popup.ts'
import type { Fault } from './faultProxy.ts'
import { lookAway } from './pages.ts'
import { balanceOf, test } from './wallet.ts'

// A service that fails: a sentence on the screen, nothing signed, the form as it was.

const faults: { fault: Exclude<Fault, 'none'>; says: RegExp }[] = [
  { fault: '400', says: /no pool has enough/i },
  { fault: '500', says: /service/i },
  { fault: '429', says: /service|busy|wait/i },
  { fault: 'garbage', says: /service|answer/i },
  { fault: 'html', says: /service/i },
  { fault: 'cut', says: /service|answer/i },
]

for (const { fault, says } of faults) {
  test(`a price asked of a service that answers ${fault}`, async ({ wallet: { page }, service }) => {
    await chooseToken(page, 'sell', 'DAI')
    service.set(fault)
    await sellAmount(page).fill('12.5')
    const note = page.getByRole('alert').filter({ hasText: says })
    await expect(note.first()).toBeVisible()
    await expect(page.getByRole('button', { name: 'No price right now' })).toBeDisabled()
    await expect(sellAmount(page)).toHaveValue('12.5')
    await expect(page.getByRole('button', { name: 'Token to sell: DAI' })).toBeVisible()
    await page.screenshot({ path: `test-results/screenshots/fault-${fault}.png` })

    service.set('none')
    await page.getByRole('button', { name: /^Refresh the price/ }).click()
    await expect(page.getByRole('button', { name: 'Review swap' })).toBeVisible()
  })
}

test('a price asked of a service that says nothing', async ({ wallet: { page }, service }) => {
  service.set('silence')
  await sellAmount(page).fill('1')
  const asked = Date.now()
  await expect(
    page.getByRole('alert').filter({ hasText: 'The service takes too long to answer' }),
  ).toBeVisible()
  test.info().annotations.push({ type: 'ms until said', description: String(Date.now() - asked) })
  await expect(sellAmount(page)).toHaveValue('1')
})

for (const fault of ['400', '500', 'garbage'] as const) {
  test(`a swap confirmed while the service answers ${fault} signs no swap and keeps the form`, async ({
    wallet: { page, address },
    service,
    world,
  }) => {
    const { DAI } = world.tokens
    await chooseToken(page, 'sell', 'DAI')
    await chooseToken(page, 'buy', 'WBTC')
    await sellAmount(page).fill('100')
    await review(page)
    // A review that somebody looks at is made anew when it is old, and the service would be asked for it.
    await lookAway(page)
    const before = await balanceOf(world, DAI, address)
    service.set(fault)
    await confirm(page)

    await stateShown(page, 'Failed').waitFor()
    await expect(page.getByRole('alert').first()).toBeVisible()
    await page.screenshot({ path: `test-results/screenshots/swap-fault-${fault}.png` })
    const [swap] = await askWallet(page, 'swaps')
    expect(swap?.outcome.status).toBe('failed')
    expect(swap?.steps.find(({ kind }) => kind === 'swap')).toMatchObject({ state: 'waiting' })
    expect(await balanceOf(world, DAI, address)).toBe(before)

    service.set('none')
    await page.getByRole('button', { name: 'Back to the form' }).click()
    await expect(sellAmount(page)).toHaveValue('100')
    await expect(page.getByRole('button', { name: 'Token to buy: WBTC' })).toBeVisible()
    await review(page)
    await confirm(page)
    await waitUntilDone(page)
  })
}
