import { expect, type Page } from '@playwright/test'
import { parseUnits } from 'viem'
import {
  callWallet,
  chooseToken,
  confirm,
  review,
  sellAmount,
  setLocalNetwork,
  waitUntilDone,
} from '../../../dev/browser/popupPage.ts'
import { nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { allowanceOf, balanceOf, test } from '../../helpers/e2e/wallet.ts'

// Every kind of swap, through the popup on a real chain.

test('swaps with a permit in one transaction, and leaves no allowance', async ({
  wallet: { page, address },
  localnet,
}) => {
  const { USDC, DAI } = localnet.tokens
  await fill(page, 'USDC', 'DAI', '250')
  await review(page)
  await expect(page.getByTitle('Edit approval')).toContainText('Signature, no fee')
  await expect(page.getByText(/Simulation passed/)).toBeVisible()
  const before = {
    sold: await balanceOf(localnet, USDC, address),
    got: await balanceOf(localnet, DAI, address),
  }
  await confirm(page)
  await waitUntilDone(page)

  const { intent, steps } = await newestSwap(page)
  expect(steps.map(({ kind }) => kind)).toEqual(['swap'])
  expect(await localnet.client.getTransactionCount({ address })).toBe(1)
  expect(before.sold - (await balanceOf(localnet, USDC, address))).toBe(parseUnits('250', 6))
  expect((await balanceOf(localnet, DAI, address)) - before.got).toBeGreaterThanOrEqual(intent.floor)
  expect(await allowanceOf(localnet, USDC, address)).toBe(0n)
  await expect(page.getByText(/Remaining router allowance: 0 USDC/)).toBeVisible()
})

test('approves more than the swap amount, and revokes the rest in one click', async ({
  wallet: { page, address },
  localnet,
}) => {
  await fill(page, 'DAI', 'WETH', '100')
  await review(page)
  await page.getByTitle('Edit approval').click()
  const sheet = page.getByRole('dialog')
  const approval = sheet.getByRole('radio', { name: /^One-time approval .*network fee (≈ |<)\$\d/ })
  await expect(approval).toBeChecked()
  await sheet.getByRole('radio', { name: 'Custom', exact: true }).check()
  const limit = sheet.getByRole('textbox', { name: 'Limit in DAI' })
  const update = sheet.getByRole('button', { name: 'Update approval' })
  await limit.fill('99.9')
  await expect(sheet.getByText('Enter at least 100 DAI')).toBeVisible()
  await expect(update).toBeDisabled()
  await limit.fill('300')
  await update.click()
  await expect(page.getByTitle('Edit approval')).toContainText('300')
  await confirm(page)
  await waitUntilDone(page)
  expect(await allowanceOf(localnet, localnet.tokens.DAI, address)).toBe(parseUnits('200', 18))

  await page.getByRole('button', { name: /^Revoke/ }).click()
  await expect.poll(() => allowanceOf(localnet, localnet.tokens.DAI, address)).toBe(0n)
  await expect(page.getByText(/Remaining router allowance: 0 DAI/)).toBeVisible()
})

test('requires consent to an unlimited approval, and revokes it in one click', async ({
  wallet: { page, address },
  localnet,
}) => {
  const { DAI } = localnet.tokens
  await fill(page, 'DAI', 'WETH', '100')
  await review(page)
  await page.getByTitle('Edit approval').click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('radio', { name: 'Unlimited', exact: true }).check()
  const use = sheet.getByRole('button', { name: 'Update approval' })
  await expect(use).toBeDisabled()
  await sheet.getByRole('checkbox', { name: /^The router can spend all DAI in this account/ }).check()
  await use.click()
  await confirm(page)
  await waitUntilDone(page)
  expect(await allowanceOf(localnet, DAI, address)).toBeGreaterThan(2n ** 255n)
  await expect(page.getByText(/Remaining router allowance: Unlimited DAI/)).toBeVisible()

  await page.getByRole('button', { name: /^Revoke/ }).click()
  await expect.poll(() => allowanceOf(localnet, DAI, address)).toBe(0n)
})

test('swaps through Permit2 when selected', async ({ wallet: { page, address }, localnet }) => {
  await fill(page, 'LINK', 'USDC', '10')
  await review(page)
  await page.getByTitle('Edit approval').click()
  await page
    .getByRole('dialog')
    .getByRole('radio', { name: /^Approval and signature/ })
    .check()
  await page.getByRole('dialog').getByRole('button', { name: 'Update approval' }).click()
  const before = await balanceOf(localnet, localnet.tokens.USDC, address)
  await confirm(page)
  await waitUntilDone(page)
  const { intent, steps } = await newestSwap(page)
  expect(steps.map(({ kind }) => kind)).toEqual(['approve', 'swap'])
  expect((await balanceOf(localnet, localnet.tokens.USDC, address)) - before).toBeGreaterThanOrEqual(
    intent.floor,
  )
  expect(await allowanceOf(localnet, localnet.tokens.LINK, address)).toBe(0n)
})

test('swaps to a fee-on-transfer token, and reports the received amount', async ({
  wallet: { page, address },
  localnet,
}) => {
  const { DTT } = localnet.tokens
  await fill(page, 'WETH', 'DTT', '0.1')
  await expect(page.getByText(/DTT charges a transfer fee/)).toBeVisible()
  await review(page)
  const before = await balanceOf(localnet, DTT, address)
  await confirm(page)
  await waitUntilDone(page)
  const { intent, outcome } = await newestSwap(page)
  const got = (await balanceOf(localnet, DTT, address)) - before
  expect(got).toBeGreaterThanOrEqual(intent.floor)
  expect(outcome).toMatchObject({ status: 'done', received: got })
})

test('wraps and unwraps the native token without the swap service', async ({
  wallet: { page, address },
  localnet,
  service,
}) => {
  const { WETH } = localnet.tokens
  const had = await balanceOf(localnet, WETH, address)
  await chooseToken(page, 'sell', 'ETH')
  await chooseToken(page, 'buy', 'WETH')
  service.set('silence')
  await sellAmount(page).fill('0.5')
  await expect(page.getByText(/1:1/)).toBeVisible()
  await page.getByRole('button', { name: /^Review/ }).click()
  await confirm(page)
  await waitUntilDone(page)
  expect((await balanceOf(localnet, WETH, address)) - had).toBe(parseUnits('0.5', 18))
  await page.getByRole('button', { name: 'Done' }).click()

  await page.getByRole('button', { name: 'Switch tokens' }).click()
  await sellAmount(page).fill('0.5')
  await page.getByRole('button', { name: /^Review/ }).click()
  await confirm(page)
  await waitUntilDone(page)
  expect(await balanceOf(localnet, WETH, address)).toBe(had)
})

test('wraps the native token on a network without a swap service', async ({
  wallet: { page, address },
  localnet,
}) => {
  const { WETH } = localnet.tokens
  const had = await balanceOf(localnet, WETH, address)
  await setLocalNetwork(page, { serviceUrl: '' })
  await page.reload()
  await expect(page.getByRole('button', { name: 'Token to buy: WETH' })).toBeVisible()
  await sellAmount(page).fill('0.25')
  await page.getByRole('button', { name: /^Review/ }).click()
  await confirm(page)
  await waitUntilDone(page)
  expect((await balanceOf(localnet, WETH, address)) - had).toBe(parseUnits('0.25', 18))
})

test('shows the partner fee with its recipient, and pays it', async ({ wallet: { page }, localnet }) => {
  const referrer = '0x00000000000000000000000000000000000fee5d'
  await setLocalNetwork(page, { options: { feeBps: 30, referrer } })
  await page.reload()
  await sellAmount(page).waitFor()
  await fill(page, 'DAI', 'USDC', '100')
  await review(page)
  await expect(page.getByText('0.3 DAI (0.3%)')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Copy address of the partner' })).toHaveAttribute(
    'title',
    referrer,
  )
  await confirm(page)
  await waitUntilDone(page)
  expect(await balanceOf(localnet, localnet.tokens.DAI, referrer)).toBe(parseUnits('0.3', 18))
})

test('requires consent to a different recipient, and pays that recipient', async ({
  wallet: { page },
  localnet,
}) => {
  const friend = '0x00000000000000000000000000000000000f1e9d'
  // Large enough that no gas price makes the fee a tenth of it, which would need a tick of its own.
  await fill(page, 'DAI', 'USDC', '1000')
  await page.getByRole('button', { name: /^Swap settings/ }).click()
  await page.getByRole('dialog').getByText('Send to a different address').click()
  await page.getByLabel('Recipient address').fill(friend)
  await page.keyboard.press('Escape')
  await review(page)
  await expect(page.getByRole('region', { name: 'Recipient' })).toContainText(friend, { ignoreCase: true })
  await expect(page.getByRole('checkbox')).toHaveCount(1)
  await page.getByRole('checkbox').check()
  await confirm(page)
  await waitUntilDone(page)
  await expect(page.getByRole('region', { name: 'Recipient' })).toContainText(friend, { ignoreCase: true })
  const { intent } = await newestSwap(page)
  expect(await balanceOf(localnet, localnet.tokens.USDC, friend)).toBeGreaterThanOrEqual(intent.floor)
})

test('sells the maximum of the native token, and keeps the network fee', async ({
  wallet: { page, address },
  localnet,
}) => {
  await chooseToken(page, 'sell', 'ETH')
  await chooseToken(page, 'buy', 'DAI')
  await page.getByRole('button', { name: 'Use max', exact: true }).click()
  await expect(sellAmount(page)).toHaveValue(/\d/)
  await review(page)
  await confirm(page)
  await waitUntilDone(page)
  const left = await balanceOf(localnet, nativeTokenAddress, address)
  expect(left).toBeGreaterThanOrEqual(0n)
  expect(left).toBeLessThan(parseUnits('0.01', 18))
})

async function fill(page: Page, sell: string, buy: string, amount: string): Promise<void> {
  await chooseToken(page, 'sell', sell)
  await chooseToken(page, 'buy', buy)
  await sellAmount(page).fill(amount)
}

async function newestSwap(page: Page) {
  const [swap] = await callWallet(page, 'swaps')
  if (swap === undefined) throw new Error('There is no swap.')
  return swap
}
