import { expect } from '@playwright/test'
import { parseUnits } from 'viem'
import {
  callWallet,
  chooseToken,
  click,
  confirm,
  readShownState,
  review,
  sellAmount,
  waitUntilDone,
} from '../../../dev/browser/popupPage.ts'
import { createLook } from '../../helpers/e2e/looks.ts'
import { followMarket, moveMarket, outbid } from '../../helpers/e2e/market.ts'
import { lookAway } from '../../helpers/e2e/pages.ts'
import { balanceOf, test } from '../../helpers/e2e/wallet.ts'

// The price moves against the user during the review: nothing is signed that pays less than shown.

test.describe('with a manual clock', () => {
  // Moves the clock of the whole browser.
  test.use({ isAlone: true })

  test('blocks the swap when the price falls during the review, until the new price is accepted', async ({
    wallet: { page, address },
    localnet,
    service,
  }) => {
    const { WBTC } = localnet.tokens
    await chooseToken(page, 'sell', 'ETH')
    await chooseToken(page, 'buy', 'WBTC')
    await sellAmount(page).fill('1')
    await page.clock.install()
    const { floor } = await review(page)
    // The popup's clock is manual from here, so that the review does not expire early.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 10_000)
    await expect(page.getByText(/Simulation passed/)).toBeVisible()
    await moveMarket(localnet, service.url, WBTC, parseUnits('400', 18))
    // The review is checked again with each block.
    await page.clock.runFor(2_000)
    await expect(page.getByText(/^Blocked/)).toBeVisible()
    const accept = page.getByRole('button', { name: /^Accept new price \(min [\d.]+ WBTC\)$/ })
    await expect(accept).toBeVisible()
    await expect(page.getByRole('button', { name: 'Swap', exact: true })).toHaveCount(0)
    expect(await localnet.client.getTransactionCount({ address })).toBe(0)
    // The review expires, and no replacement lowers its minimum by itself.
    await page.clock.runFor(15_000)
    await page.clock.resume()
    await expect(page.getByRole('alert')).toContainText('return less than the minimum')
    await expect(page.getByRole('alert')).toContainText(
      /The new price returns [\d.]+ WBTC, less than the minimum of [\d.]+ WBTC\./,
    )
    await expect(page.locator('.side-floor [title]')).toHaveCount(0)
    await createLook(page)('price-moved-aged')
    const least = Number.parseFloat((await accept.textContent())?.match(/[\d.]+/)?.[0] ?? '')
    await click(accept)
    const lower = Number.parseFloat((await page.locator('.side-floor [title]').getAttribute('title')) ?? '')
    expect(least).toBeGreaterThan(0)
    expect(lower).toBeGreaterThanOrEqual(least)
    expect(lower).toBeLessThan(Number.parseFloat(floor))
    await confirm(page)
    await waitUntilDone(page)
  })
})

test('never pays less than minReturn when the price falls as the user confirms', async ({
  wallet: { page, address },
  localnet,
  service,
}) => {
  const { LINK } = localnet.tokens
  await chooseToken(page, 'sell', 'ETH')
  await chooseToken(page, 'buy', 'LINK')
  await sellAmount(page).fill('1')
  await review(page)
  const go = page.getByRole('button', { name: 'Swap', exact: true })
  await expect(go).toBeEnabled()
  // No new block when the button is pressed; the next one holds a competing swap.
  const before = await balanceOf(localnet, LINK, address)
  // A visible review would be simulated again and might be blocked before the press.
  await lookAway(page)
  const moving = moveMarket(localnet, service.url, LINK, parseUnits('400', 18))
  await go.click()
  await moving

  await readShownState(page, /^(Confirmed|Failed)$/).waitFor()
  const [swap] = await callWallet(page, 'swaps')
  // It either succeeded first or failed; it never pays less than minReturn.
  if (swap?.outcome.status === 'done') {
    expect(swap.outcome.received).toBeGreaterThanOrEqual(swap.intent.floor)
  } else {
    expect(swap?.steps.every(({ state }) => state === 'waiting' || state === 'reverted') ?? true).toBe(true)
    expect(await balanceOf(localnet, LINK, address)).toBe(before)
  }
})

test('raises the minimum received of a waiting review when the price rises, then swaps', async ({
  wallet: { page },
  localnet,
  service,
}) => {
  await chooseToken(page, 'sell', 'DAI')
  // Selling ETH for DAI always improves this trade, whichever pools earlier tests emptied.
  await chooseToken(page, 'buy', 'ETH')
  await sellAmount(page).fill('500')
  const { floor } = await review(page)
  await moveMarket(localnet, service.url, localnet.tokens.DAI, parseUnits('400', 18))
  const shown = page.locator('.side-floor [title]')
  await expect.poll(() => shown.getAttribute('title').catch(() => floor)).not.toBe(floor)
  expect(Number.parseFloat((await shown.getAttribute('title')) ?? '')).toBeGreaterThan(
    Number.parseFloat(floor),
  )
  await confirm(page)
  await readShownState(page, /^(Confirmed|Failed)$/).waitFor()
  const [swap] = await callWallet(page, 'swaps')
  expect(swap?.outcome.status).toBe('done')
  if (swap?.outcome.status === 'done') expect(swap.outcome.received).toBeGreaterThanOrEqual(swap.intent.floor)
})

test('explains a swap reverted by the price, with the kept amount and the charged fee', async ({
  wallet: { page },
  localnet,
  service,
}) => {
  const { LINK } = localnet.tokens
  await chooseToken(page, 'sell', 'ETH')
  await chooseToken(page, 'buy', 'LINK')
  await sellAmount(page).fill('1')
  await review(page)
  await localnet.client.setAutomine(false)
  try {
    await confirm(page)
    await expect(page.getByText('Waiting for network confirmation')).toBeVisible()
    // A swap with a higher priority fee in the same block.
    await outbid(localnet, service.url, LINK, parseUnits('400', 18))
  } finally {
    await localnet.client.mine({ blocks: 1 })
    await localnet.client.setAutomine(true)
  }
  await expect(readShownState(page, 'Failed')).toBeVisible()
  const note = page.getByRole('alert')
  await expect(note).toContainText('The price moved before your swap was confirmed.')
  await expect(note).toContainText(
    /The swap would have returned [\d.]+ LINK, less than your minimum of [\d.]+ LINK\./,
  )
  await expect(note).toContainText('You still have your 1 ETH.')
  await expect(note).toContainText(/The network fee of [<\d.]+ ETH was still charged\./)
  await createLook(page)('failed-swap')

  await followMarket(localnet, LINK)
  await click(page.getByRole('button', { name: 'Review at new price', exact: true }))
  await confirm(page)
  await waitUntilDone(page)
})
