import { expect, type Page } from '@playwright/test'
import { encodeFunctionData, parseAbi, parseUnits } from 'viem'
import {
  callWallet,
  chooseToken,
  confirm,
  readShownState,
  review,
  sellAmount,
  waitUntilDone,
} from '../../../dev/browser/popupPage.ts'
import { parseAmount } from '../../../src/domain/token/amount.ts'
import { nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { moveMarket } from '../../helpers/e2e/market.ts'
import { allowanceOf, balanceOf, test } from '../../helpers/e2e/wallet.ts'

test('refreshes the price, and swaps with a custom slippage and an approval', async ({
  wallet: { page, address },
  localnet,
  service,
}) => {
  const { USDC, WBTC } = localnet.tokens
  await chooseToken(page, 'sell', 'USDC')
  await chooseToken(page, 'buy', 'WBTC')
  await sellAmount(page).fill('1000')
  const first = await price(page)

  await moveMarket(localnet, service.url, WBTC, parseUnits('300', 18))
  await expect.poll(() => price(page)).not.toBe(first)

  await page.getByRole('button', { name: /^Max slippage/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: '1%', exact: true }).click()
  await expect(page.getByRole('button', { name: /^Max slippage 1%/ })).toBeVisible()

  const { expected, floor } = await reviewed(page, 8)
  await page.getByTitle('Edit approval').click()
  await page
    .getByRole('dialog')
    .getByRole('radio', { name: /^One-time approval/ })
    .check()
  await page.getByRole('dialog').getByRole('button', { name: 'Update approval' }).click()
  await expect(page.getByRole('button', { name: 'Approve and swap' })).toBeVisible()
  const before = {
    USDC: await balanceOf(localnet, USDC, address),
    WBTC: await balanceOf(localnet, WBTC, address),
  }
  await confirm(page)
  await waitUntilDone(page)

  const sold = before.USDC - (await balanceOf(localnet, USDC, address))
  const received = (await balanceOf(localnet, WBTC, address)) - before.WBTC
  expect(sold).toBe(parseUnits('1000', 6))
  expect(received).toBeGreaterThanOrEqual(floor)
  expect(received).toBe(expected)
  expect(await allowanceOf(localnet, USDC, address)).toBe(0n)
  expect(await shownAsReceived(page)).toBe(received)
})

test('sells the native token', async ({ wallet: { page, address }, localnet }) => {
  await chooseToken(page, 'sell', 'ETH')
  await chooseToken(page, 'buy', 'DAI')
  await sellAmount(page).fill('1.5')
  const { expected, floor } = await reviewed(page, 18)
  const coins = await balanceOf(localnet, nativeTokenAddress, address)
  const before = await balanceOf(localnet, localnet.tokens.DAI, address)
  await confirm(page)
  await waitUntilDone(page)

  const received = (await balanceOf(localnet, localnet.tokens.DAI, address)) - before
  expect(received).toBeGreaterThanOrEqual(floor)
  expect(received).toBe(expected)
  const paid = coins - (await balanceOf(localnet, nativeTokenAddress, address))
  expect(paid - (await feesOf(localnet, address))).toBe(parseUnits('1.5', 18))
})

test('buys the native token', async ({ wallet: { page, address }, localnet }) => {
  await chooseToken(page, 'sell', 'LINK')
  await chooseToken(page, 'buy', 'ETH')
  await sellAmount(page).fill('100')
  const { expected, floor } = await reviewed(page, 18)
  const coins = await balanceOf(localnet, nativeTokenAddress, address)
  await confirm(page)
  await waitUntilDone(page)

  const received =
    (await balanceOf(localnet, nativeTokenAddress, address)) - coins + (await feesOf(localnet, address))
  expect(received).toBeGreaterThanOrEqual(floor)
  expect(received).toBe(expected)
  expect(await shownAsReceived(page)).toBe(received)
})

test('resets an old allowance before the approval of a USDT-like token', async ({
  wallet: { page, address },
  localnet,
}) => {
  const { USDT } = localnet.tokens
  await localnet.client.impersonateAccount({ address })
  const data = encodeFunctionData({
    abi: parseAbi(['function approve(address spender, uint256 amount)']),
    args: [localnet.contracts.router, 5n],
  })
  await localnet.client.execute({ account: address, to: USDT, data })

  await chooseToken(page, 'sell', 'USDT')
  await chooseToken(page, 'buy', 'LINK')
  await sellAmount(page).fill('2500.5')
  await review(page)
  await page.getByText('Details', { exact: true }).click()
  await expect(page.getByRole('list', { name: 'Steps' }).getByRole('listitem')).toHaveCount(3)
  const before = await balanceOf(localnet, USDT, address)
  await confirm(page)
  await waitUntilDone(page)
  expect(before - (await balanceOf(localnet, USDT, address))).toBe(parseUnits('2500.5', 6))
  expect(await allowanceOf(localnet, USDT, address)).toBe(0n)
})

test('shows a pending swap again in a reopened popup', async ({ wallet, chrome, localnet }) => {
  await localnet.client.setAutomine(false)
  try {
    await chooseToken(wallet.page, 'sell', 'DAI')
    await chooseToken(wallet.page, 'buy', 'USDC')
    await sellAmount(wallet.page).fill('50')
    await review(wallet.page)
    await confirm(wallet.page)
    await readShownState(wallet.page, 'Pending').waitFor()
    await wallet.page.close()

    const page = await chrome.openPopup()
    await readShownState(page, 'Pending').waitFor()
    await localnet.client.setIntervalMining({ interval: 1 })
    await waitUntilDone(page)
  } finally {
    await localnet.client.setIntervalMining({ interval: 0 })
    await localnet.client.setAutomine(true)
  }
})

test('delivers at least the exact amount to receive, and sells the shown maximum', async ({
  wallet: { page, address },
  localnet,
}) => {
  const { DAI, USDC } = localnet.tokens
  await chooseToken(page, 'sell', 'DAI')
  await chooseToken(page, 'buy', 'USDC')
  await page.getByLabel('You receive').fill('1.234,5')
  await expect(page.getByText('Use 1234.5 or 1234,5, without thousands separators.')).toBeVisible()
  await page.getByLabel('You receive').fill('1234,5')
  await page.getByRole('button', { name: 'Review swap' }).waitFor()
  const most = parseAmount((await page.getByLabel('Maximum sold').getAttribute('title')) ?? '', 18)
  const { floor } = await reviewed(page, 6)
  expect(floor).toBeGreaterThanOrEqual(parseUnits('1234.5', 6))
  const before = {
    DAI: await balanceOf(localnet, DAI, address),
    USDC: await balanceOf(localnet, USDC, address),
  }
  await confirm(page)
  await waitUntilDone(page)
  expect(before.DAI - (await balanceOf(localnet, DAI, address))).toBe(most)
  expect((await balanceOf(localnet, USDC, address)) - before.USDC).toBeGreaterThanOrEqual(
    parseUnits('1234.5', 6),
  )
})

test('excludes a source from the route of a swap, and removes the exclusion', async ({
  wallet: { page },
}) => {
  await chooseToken(page, 'sell', 'DAI')
  await chooseToken(page, 'buy', 'WBTC')
  await sellAmount(page).fill('20000')
  await price(page)
  await page.locator('.route').click()
  const sheet = page.getByRole('dialog', { name: 'Route' })
  const leaveOut = sheet.getByRole('button', { name: /^Exclude/ }).first()
  const name = ((await leaveOut.getAttribute('aria-label')) ?? '').replace('Exclude ', '')
  await leaveOut.click()
  await expect(sheet.getByText(/WBTC (less|more) \(.*% ?\)|Price unchanged/)).toBeVisible()
  await expect(sheet.getByRole('list', { name: 'Route sources' })).not.toContainText(name)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Swap settings, 1 changed' })).toBeVisible()
  await page.getByRole('button', { name: `Remove setting: Excluding ${name}` }).click()
  await expect(page.getByRole('button', { name: 'Swap settings', exact: true })).toBeVisible()
})

test('truncates no value of the review in a narrow view', async ({ wallet: { page } }) => {
  await page.setViewportSize({ width: 320, height: 600 })
  await chooseToken(page, 'sell', 'DAI')
  await chooseToken(page, 'buy', 'WBTC')
  await sellAmount(page).fill('12345.678901')
  await review(page)
  await page.locator('.fold summary').click()
  for (const language of ['es', 'en'] as const) {
    await callWallet(page, 'saveSettings', { language })
    await expect(page.locator(`html[lang="${language}"]`)).toBeAttached()
    const values = page.locator('.fold dd')
    await expect(values.first()).toBeVisible()
    const cut = await values.evaluateAll((all) =>
      all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent),
    )
    expect(cut).toEqual([])
  }
})

test('handles the keyboard shortcuts of the swap form, and lists them', async ({ wallet: { page } }) => {
  await chooseToken(page, 'sell', 'DAI')
  await chooseToken(page, 'buy', 'USDC')
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await page.keyboard.press('Alt+f')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Token to sell: DAI' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Use max', exact: true })).toBeEnabled()
  // Choosing a token focuses its amount.
  await expect(sellAmount(page)).toBeFocused()
  await page.keyboard.type('2.5f')
  await expect(sellAmount(page)).toHaveValue('2.5f')
  await expect(page.getByRole('button', { name: 'Token to sell: DAI' })).toBeVisible()
  await sellAmount(page).fill('')
  await page.keyboard.type('1m')
  await expect(page.getByText('Enter the full number: 1500, not 1.5k.')).toBeVisible()
  await page.keyboard.press('Alt+m')
  await expect(sellAmount(page)).toHaveValue('25\u202f000')
  await page.keyboard.press('Alt+f')
  await expect(page.getByRole('button', { name: 'Token to sell: USDC' })).toBeVisible()
  await sellAmount(page).fill('1')
  await page.keyboard.type('/2')
  await expect(sellAmount(page)).toHaveValue('1/2')
  await page.getByRole('button', { name: 'Token to sell: USDC' }).focus()
  await page.keyboard.press('/')
  const search = page.getByRole('dialog', { name: 'Token to buy' }).getByRole('combobox')
  await search.pressSequentially('frm')
  await expect(search).toHaveValue('frm')
})

test('completes a swap by keyboard', async ({ wallet: { page, address }, localnet }) => {
  const before = await balanceOf(localnet, localnet.tokens.USDC, address)
  await sellAmount(page).focus()
  await page.keyboard.type('0,25')
  await page.getByRole('button', { name: 'Review swap' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Review swap' }).waitFor()
  const go = page.getByRole('button', { name: 'Swap', exact: true })
  await expect(go).toBeEnabled()
  for (let tabs = 0; tabs < 20 && !(await go.evaluate((node) => node === document.activeElement)); tabs++) {
    await page.keyboard.press('Tab')
  }
  // A refreshed review keeps the focus, but disables the button briefly.
  await expect(async () => {
    await page.keyboard.press('Enter')
    await expect(go).toBeHidden({ timeout: 3_000 })
  }).toPass()
  await waitUntilDone(page)
  expect(await balanceOf(localnet, localnet.tokens.USDC, address)).toBeGreaterThan(before)
})

/** Returns the full amount of the form's quote. */
async function price(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Review swap' }).waitFor()
  const returns = page.getByLabel('You receive')
  await expect(returns).toHaveAttribute('title', /\d/)
  return (await returns.getAttribute('title')) ?? ''
}

/**
 * Returns the review's expected amount and minReturn. Without other trades the expected amount must arrive.
 */
async function reviewed(page: Page, decimals: number): Promise<{ expected: bigint; floor: bigint }> {
  const { expected, floor } = await review(page)
  return { expected: units(expected, decimals), floor: units(floor, decimals) }
}

async function shownAsReceived(page: Page): Promise<bigint> {
  const [swap] = await callWallet(page, 'swaps')
  return swap?.outcome.status === 'done' ? swap.outcome.received : 0n
}

/** Returns all network fees an account has paid, from its receipts. */
async function feesOf(localnet: Parameters<typeof balanceOf>[0], owner: `0x${string}`): Promise<bigint> {
  const latest = await localnet.client.getBlockNumber()
  let fees = 0n
  for (let number = latest; number > latest - 10n && number >= 0n; number--) {
    const { transactions } = await localnet.client.getBlock({
      blockNumber: number,
      includeTransactions: true,
    })
    for (const { from, hash } of transactions) {
      if (from.toLowerCase() !== owner) continue
      const { gasUsed, effectiveGasPrice } = await localnet.client.getTransactionReceipt({ hash })
      fees += gasUsed * effectiveGasPrice
    }
  }
  return fees
}

/** Parses "1,000.5 USDC" into base units. */
function units(text: string, decimals: number): bigint {
  const amount = parseAmount(text.replace(/[^\d.]/g, ''), decimals)
  if (typeof amount !== 'bigint') throw new Error(`${text} is not an amount.`)
  return amount
}
