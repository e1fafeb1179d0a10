import { expect } from '@playwright/test'
import { parseUnits } from 'viem'
import {
  callWallet,
  chooseToken,
  confirm,
  leavePages,
  openSettings,
  review,
  sellAmount,
  setLocalNetwork,
  waitUntilDone,
} from '../../../dev/browser/popupPage.ts'
import { nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { allowanceOf, balanceOf, test } from '../../helpers/e2e/wallet.ts'

// A service with interface version 3.0: no token list, permits or numeric minReturn. The UI is unchanged.

test.beforeEach(async ({ wallet: { page }, service }) => {
  // Another host name, so that the token list cached for the newer version is not used.
  const serviceUrl = service.url.replace('127.0.0.1', 'localhost')
  await setLocalNetwork(page, { serviceVersion: '3.0', serviceUrl })
  await page.reload()
  await sellAmount(page).waitFor()
  service.asked.length = 0
})

test('buys a token, approves it and sells it through interface version 3.0', async ({
  wallet: { page, address },
  localnet,
  service,
}) => {
  const { USDC } = localnet.tokens
  await sellAmount(page).fill('1')
  await expect(page.getByRole('button', { name: 'Token to buy: USDC' })).toBeVisible()
  await expect(page.getByText(/^1 ETH = /)).toBeVisible()
  await review(page)
  await expect(page.getByText(/Simulation passed/)).toBeVisible()
  const before = await balanceOf(localnet, USDC, address)
  await confirm(page)
  await waitUntilDone(page)
  const [bought] = await callWallet(page, 'swaps')
  const got = (await balanceOf(localnet, USDC, address)) - before
  expect(got).toBeGreaterThanOrEqual(bought?.intent.floor ?? 0n)
  expect(bought?.outcome).toMatchObject({ status: 'done', received: got })
  await page.getByRole('button', { name: 'Done' }).click()

  await page.getByRole('button', { name: 'Switch tokens' }).click()
  await sellAmount(page).fill('1000')
  await review(page)
  await expect(page.getByTitle('Edit approval')).toContainText('One-time approval')
  const coins = await balanceOf(localnet, nativeTokenAddress, address)
  await confirm(page)
  await waitUntilDone(page)
  const [sold] = await callWallet(page, 'swaps')
  expect(sold?.steps.map(({ kind }) => kind)).toEqual(['approve', 'swap'])
  expect(await balanceOf(localnet, nativeTokenAddress, address)).toBeGreaterThan(coins)
  expect(await allowanceOf(localnet, USDC, address)).toBe(0n)
  expect(before + got - (await balanceOf(localnet, USDC, address))).toBe(parseUnits('1000', 6))

  // All answers came from version 3.0.
  expect(service.asked.length).toBeGreaterThan(0)
  expect(service.asked.filter((path) => !path.startsWith('/v3.0/'))).toEqual([])
})

test('swaps to a token found by address for an exact amount to receive, and shows the route', async ({
  wallet: { page, address },
  localnet,
}) => {
  const { WBTC } = localnet.tokens
  await page.getByRole('button', { name: /^Token to buy/ }).click()
  const picker = page.getByRole('dialog', { name: 'Token to buy' })
  await picker.getByRole('combobox').fill(WBTC)
  await picker.getByRole('button', { name: 'Use this token' }).click()
  await expect(page.getByRole('button', { name: 'Token to buy: WBTC' })).toBeVisible()
  await page.getByLabel('You receive').fill('0.02')
  // Needs up to ten quotes, limited to one per second for a slow service.
  await expect(page.getByLabel('Maximum sold')).toHaveValue(/\d/, { timeout: 120_000 })
  await page.locator('.route').click()
  await expect(page.getByRole('dialog', { name: 'Route' }).getByRole('listitem').first()).toBeVisible()
  await page.keyboard.press('Escape')
  await review(page)
  const before = await balanceOf(localnet, WBTC, address)
  await confirm(page)
  await waitUntilDone(page)
  expect((await balanceOf(localnet, WBTC, address)) - before).toBeGreaterThanOrEqual(parseUnits('0.02', 8))
})

test('switches the interface version in the settings', async ({ wallet: { page } }) => {
  await chooseToken(page, 'buy', 'USDC')
  await openSettings(page, 'Networks', 'Local')
  const form = page.getByRole('form', { name: 'Local' })
  await expect(form.getByRole('radio', { name: /3\.0/ })).toBeChecked()
  await form.getByRole('radio', { name: /6\.1/ }).check()
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form.getByRole('button', { name: 'Saved' })).toBeVisible()
  await leavePages(page)
  await sellAmount(page).fill('1')
  await page.getByRole('button', { name: 'Review swap' }).waitFor()
})
