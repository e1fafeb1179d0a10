import { expect } from '@playwright/test'
import { chooseToken, confirm, sellAmount, waitUntilDone } from '../../../dev/browser/popupPage.ts'
import { createLook } from '../../helpers/e2e/looks.ts'
import { balanceOf, test } from '../../helpers/e2e/wallet.ts'
import { giveToken, issueDualToken } from '../../helpers/node/dualTokens.ts'

test('names NFTs that leave with a sold token, and requires consent', async ({
  wallet: { page, address },
  localnet,
}) => {
  const token = await issueDualToken(localnet, 'BothTransfersToken')
  await giveToken(localnet, token, address, 8)
  await page.getByRole('button', { name: /^Token to sell/ }).click()
  await page.getByRole('dialog', { name: 'Token to sell' }).getByRole('combobox').fill(token)
  await page.getByRole('button', { name: 'Use this token' }).click()
  await chooseToken(page, 'buy', 'DAI')
  await sellAmount(page).fill('6.5')
  await page.getByRole('button', { name: 'Review' }).click()

  const tick = page.getByLabel(
    /^These NFTs will leave my account with the tokens I sell: BOTH #8, .* and 2 more\.$/,
  )
  await expect(tick).toBeVisible()
  await expect(page.getByRole('button', { name: /^(Approve and s|S)wap$/ })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Tick the box to continue' })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Balance changes' }).getByRole('listitem')).toHaveCount(7)
  await createLook(page)('second-face')
  await tick.check()
  // Six units are worth little more than the fee.
  await page.getByLabel(/^The network fee/).check()
  await confirm(page)
  await waitUntilDone(page)
  expect(await balanceOf(localnet, token, address)).toBe(15n * 10n ** 17n)
})
