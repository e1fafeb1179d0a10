import { expect, type Locator, type Page } from '@playwright/test'
import { parseUnits } from 'viem'
import { callWallet, sellAmount, setLocalNetwork } from '../../../dev/browser/popupPage.ts'
import { nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { accept } from '../../helpers/e2e/intents.ts'
import { createLook } from '../../helpers/e2e/looks.ts'
import { deployToken, mintAbi, test } from '../../helpers/e2e/wallet.ts'

const held = parseUnits('1234567.123456789012345678', 18)

test('shows whole amounts beside a long symbol, and keeps full precision behind the rounded Max', async ({
  wallet: { page, address },
  localnet,
}) => {
  const look = createLook(page)
  const token = await deployToken(localnet, 'A token with quite a long name', 'WMWMWMWMWMWM')
  await localnet.client.writeContract({
    address: token,
    abi: mintAbi,
    functionName: 'mint',
    args: [address, held],
  })
  await callWallet(page, 'importToken', 31337, token)
  await page.goto(`${page.url().split('#')[0]}#/swap`)
  await page.reload()
  await page.getByRole('button', { name: /^Token to sell/ }).click()
  await page.getByRole('combobox').fill('WMWM')
  await page.getByRole('option').first().click()
  await expect(sellAmount(page)).toBeFocused()

  for (const typed of ['397.5', '397.123456', '123456.123456', '1234567.12345']) {
    await sellAmount(page).fill(typed)
    expect(await isCut(sellAmount(page)), typed).toBe(false)
  }

  const foot = page.locator('.amount-foot')
  expect((await foot.first().boundingBox())?.height).toBe((await foot.last().boundingBox())?.height)

  await page.getByRole('button', { name: 'Use max' }).click()
  await expect(sellAmount(page)).toHaveAttribute('title', '1234567.123456789012345678')
  expect((await sellAmount(page).inputValue()).replace(/\D/g, '').length).toBeLessThanOrEqual(9)
  expect(await isCut(sellAmount(page))).toBe(false)
  await look('amount-max')
  await sellAmount(page).focus()
  await expect(sellAmount(page)).toHaveValue('1\u202f234\u202f567.123456789012345678')
})

test('groups an amount while it is typed, and edits it inside the groups', async ({ wallet: { page } }) => {
  await sellAmount(page).focus()
  await page.keyboard.type('1234567.5')
  await expect(sellAmount(page)).toHaveValue('1\u202f234\u202f567.5')
  for (let steps = 0; steps < 4; steps++) await page.keyboard.press('ArrowLeft')
  // Behind a separator, the key deletes the digit before it.
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Backspace')
  await expect(sellAmount(page)).toHaveValue('123\u202f567.5')
  await page.keyboard.type('9')
  await expect(sellAmount(page)).toHaveValue('1\u202f239\u202f567.5')
})

test('marks a pasted amount with wrong digit groups as invalid', async ({ wallet: { page } }) => {
  for (const [before, pasted] of [
    ['12345', '1\u202f5'],
    ['1500000', '1\u202f5'],
  ] as const) {
    await sellAmount(page).fill(before)
    await copy(page, pasted)
    await sellAmount(page).press('Control+a')
    await sellAmount(page).press('Control+v')
    await expect(sellAmount(page)).toHaveValue(pasted)
    await expect(sellAmount(page)).toHaveAttribute('aria-invalid', 'true')
    await sellAmount(page).press('0')
    await expect(sellAmount(page)).toHaveValue(`${pasted}0`)
    await expect(sellAmount(page)).toHaveAttribute('aria-invalid', 'true')
  }
  await copy(page, '88')
  await sellAmount(page).fill('12345')
  await sellAmount(page).press('End')
  await sellAmount(page).press('Control+v')
  await expect(sellAmount(page)).toHaveValue('1\u202f234\u202f588')
})

test('shows one notice at a time, and keeps the main button in place', async ({
  wallet: { page, address },
  localnet,
}) => {
  await sellAmount(page).fill('0.1')
  await expect(page.getByRole('button', { name: 'Review swap' })).toBeEnabled()
  const before = await bottomOf(page)
  await localnet.client.setAutomine(false)
  try {
    const ask = { chainId: 31337, account: address, token: localnet.tokens.USDC, to: friend, amount: 1n }
    const { feeCap } = await callWallet(page, 'previewTransfer', ask)
    await callWallet(page, 'send', { ...ask, id: 'a1'.repeat(16), feeCap })
    const { rpcUrl } = localnet
    await expect(page.getByText('Transfer pending')).toBeVisible()
    const trade = {
      chainId: 31337,
      sell: nativeTokenAddress,
      buy: localnet.tokens.DAI,
      amount: 1_000_000_000n,
    }
    void callWallet(page, 'swap', await accept(page, address, trade)).catch(() => undefined)
    await expect(page.getByText('Swap pending')).toBeVisible()
    await expect(page.getByText('Transfer pending')).toBeHidden()
    await page.getByRole('button', { name: 'Notice 1 of 2: show next' }).click()
    await expect(page.getByText('Transfer pending')).toBeVisible()
    await setLocalNetwork(page, { rpcUrl: 'http://127.0.0.1:9' })
    await expect(page.getByText(/Can’t reach the RPC/).first()).toBeVisible()
    await expect(page.locator('.banner')).toHaveCount(1)
    await createLook(page)('notices')
    expect(await bottomOf(page)).toBe(before)
    expect(before).toBeLessThanOrEqual(600)
    await setLocalNetwork(page, { rpcUrl })
  } finally {
    await localnet.client.setAutomine(true)
    await localnet.client.mine({ blocks: 1 })
  }
})

const friend = `0x${'f1'.repeat(20)}` as const

function copy(page: Page, text: string): Promise<void> {
  return page.evaluate((text) => {
    const area = document.body.appendChild(document.createElement('textarea'))
    area.value = text
    area.select()
    document.execCommand('copy')
    area.remove()
  }, text)
}

/** True if a field is too narrow for its value. */
function isCut(field: Locator): Promise<boolean> {
  return field.evaluate((input) => input.scrollWidth > input.clientWidth)
}

/** Returns the bottom of the main button, in pixels from the top. */
async function bottomOf(page: Page): Promise<number> {
  const box = await page.locator('.act .main').boundingBox()
  if (box === null) throw new Error('There is no button.')
  return Math.round(box.y + box.height)
}
