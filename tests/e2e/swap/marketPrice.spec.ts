import { expect } from '@playwright/test'
import {
  chooseToken,
  confirm,
  sellAmount,
  setLocalNetwork,
  waitUntilDone,
} from '../../../dev/browser/popupPage.ts'
import { test } from '../../helpers/e2e/wallet.ts'
import { readWord, startLiar, writeWord } from '../../helpers/service/lyingService.ts'

// A service with consistently wrong prices: the reverse quote shows no loss, and its routes are real.

const less = (amount: string | bigint) => (BigInt(amount) * 6n) / 10n

test('requires consent to a quote 40 % below the market price, naming the loss', async ({
  wallet: { page, address },
  localnet,
  service,
}) => {
  const liar = await startLiar(service.url)
  liar.tell(
    {
      of: 'quote',
      tell: (honest, _ask, asked) => {
        const isBack = asked.get('src')?.toLowerCase() === localnet.tokens.USDC
        const dstAmount = isBack ? (BigInt(honest.dstAmount) * 10n) / 6n : less(honest.dstAmount)
        return { ...honest, dstAmount: String(dstAmount) }
      },
    },
    {
      of: 'swap',
      tell(honest, _ask, asked) {
        if (asked.has('minReturn')) return honest
        const data = writeWord(honest.tx.data, 'floor', less(readWord(honest.tx.data, 'floor')) + 1n)
        return { ...honest, dstAmount: String(less(honest.dstAmount)), tx: { ...honest.tx, data } }
      },
    },
  )
  try {
    await setLocalNetwork(page, { serviceUrl: liar.url })
    await chooseToken(page, 'sell', 'ETH')
    await chooseToken(page, 'buy', 'USDC')
    await sellAmount(page).fill('5')
    await expect(page.getByText(/^40(\.\d+)?% below market$/)).toBeVisible()
    await page.getByRole('button', { name: 'Review' }).click()
    await expect(
      page.getByText(/^This quote pays \$[56],\d{3}\.\d{2} \(40(\.\d+)?%\) less than the market price\.$/),
    ).toBeVisible()
    await expect(page.getByText('Simulated', { exact: true })).toBeVisible()
    await expect(page.getByText(/Simulation passed/)).toHaveCount(0)
    const swap = page.getByRole('button', { name: 'Swap', exact: true })
    await expect(swap).toHaveCount(0)
    const tick = page.getByLabel(
      /^You would receive about [56],\d{3}(\.\d+)? USDC less than at the market price\.$/,
    )
    await expect(tick).toBeVisible()
    expect(await localnet.client.getTransactionCount({ address })).toBe(0)
    // The button says what is missing, and leads there instead of confirming.
    await page.getByRole('button', { name: 'Tick the box to continue' }).click()
    await expect(tick).toBeFocused()
    await expect(tick).not.toBeChecked()
    expect(await localnet.client.getTransactionCount({ address })).toBe(0)
    await tick.check()
    await expect(swap).toBeVisible()
    await confirm(page)
    await waitUntilDone(page)
    expect(await localnet.client.getTransactionCount({ address })).toBe(1)
  } finally {
    await liar.stop()
  }
})

test('warns that a price without market data comes only from the swap service', async ({
  wallet: { page },
  localnet,
}) => {
  // Its pools have no connector.
  await localnet.setFeed('BROOK', { answer: 0n })
  try {
    await chooseToken(page, 'sell', 'ETH')
    await chooseToken(page, 'buy', 'BROOK')
    await sellAmount(page).fill('0.1')
    await page.getByRole('button', { name: 'Review' }).click()
    await expect(page.getByText('No second source could verify this price.')).toBeVisible()
    await expect(page.getByText(/Simulation passed/)).toHaveCount(0)
  } finally {
    await localnet.setFeed('BROOK', { answer: 25_000_000n })
  }
})
