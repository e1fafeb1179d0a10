import { expect, type Page } from '@playwright/test'
import { encodeFunctionData, parseAbi } from 'viem'
import type { Browser } from '../../../dev/browser/browser.ts'
import {
  callWallet,
  chooseToken,
  confirm,
  readShownState,
  sellAmount,
} from '../../../dev/browser/popupPage.ts'
import type { Localnet } from '../../../dev/localnet.ts'
import type { Swap } from '../../../src/domain/swap/swap.ts'
import { balanceOf, pending, test, type Wallet } from '../../helpers/e2e/wallet.ts'

// Closes the popup and stops the worker at every step of every kind of swap. An accepted swap happens once,
// for at least minReturn, and a reopened popup shows its state.

type Way = { name: string; sell: string; buy: string; amount: string; steps: string[]; prepare?: Prepare }
type Prepare = (localnet: Localnet, wallet: Wallet) => Promise<void>

const ways: Way[] = [
  { name: 'a permit', sell: 'USDC', buy: 'DAI', amount: '100', steps: ['swap'] },
  { name: 'an approval', sell: 'DAI', buy: 'USDC', amount: '100', steps: ['approve', 'swap'] },
  {
    name: 'a reset and an approval',
    sell: 'USDT',
    buy: 'DAI',
    amount: '100',
    steps: ['reset', 'approve', 'swap'],
    async prepare(localnet, { address }) {
      await localnet.client.impersonateAccount({ address })
      const abi = parseAbi(['function approve(address spender, uint256 amount)'])
      const data = encodeFunctionData({ abi, args: [localnet.contracts.router, 7n] })
      await localnet.client.execute({ account: address, to: localnet.tokens.USDT, data })
    },
  },
  { name: 'the coin', sell: 'ETH', buy: 'USDC', amount: '0.1', steps: ['swap'] },
  { name: 'wrapping', sell: 'ETH', buy: 'WETH', amount: '0.1', steps: ['wrap'] },
]

for (const way of ways) {
  test(`executes a swap once although popup and worker stop at every step: ${way.name}`, async ({
    wallet,
    chrome,
    localnet,
  }) => {
    await way.prepare?.(localnet, wallet)
    const sent = await localnet.client.getTransactionCount({ address: wallet.address })
    const buy = way.buy === 'ETH' ? undefined : localnet.tokens[way.buy as keyof Localnet['tokens']]
    const before = buy && (await balanceOf(localnet, buy, wallet.address))
    let { page } = wallet
    try {
      await fill(page, way)
      // Before confirmation the form is restored.
      page = await comeBack(chrome, page)
      await expect(sellAmount(page)).toHaveValue(way.amount)
      await page.getByRole('button', { name: /^Review/ }).click()
      await page.getByRole('heading', { name: /^(Review swap|Wrap|Unwrap)$/ }).waitFor()
      page = await comeBack(chrome, page)
      await expect(sellAmount(page)).toHaveValue(way.amount)

      await page.getByRole('button', { name: /^Review/ }).click()
      await localnet.client.setAutomine(false)
      await confirm(page)
      for (const [index] of way.steps.entries()) {
        // While pending it is shown as such, however often the popup and the worker stop.
        await stepSigned(page, index)
        page = await comeBack(chrome, page)
        await readShownState(page, 'Pending').waitFor()
        await expect.poll(() => pending(localnet)).toBe(1)
        await chrome.killWorker()
        await localnet.client.mine({ blocks: 1 })
        await chrome.killWorker()
        page = await comeBack(chrome, page)
      }
      await localnet.client.setAutomine(true)
      await over(page)
    } finally {
      await localnet.client.setAutomine(true)
    }

    const swaps = await callWallet(page, 'swaps')
    expect(swaps).toHaveLength(1)
    const [swap] = swaps as [Swap]
    expect(swap.steps.map(({ kind }) => kind)).toEqual(way.steps)
    expect(swap.outcome.status).toBe('done')
    expect(await localnet.client.getTransactionCount({ address: wallet.address })).toBe(
      sent + way.steps.length,
    )
    if (buy && before !== undefined)
      expect((await balanceOf(localnet, buy, wallet.address)) - before).toBeGreaterThanOrEqual(
        swap.intent.floor,
      )
  })
}

async function fill(page: Page, { sell, buy, amount }: Way): Promise<void> {
  await chooseToken(page, 'sell', sell)
  await chooseToken(page, 'buy', buy)
  await sellAmount(page).fill(amount)
  await page.getByRole('button', { name: /^Review/ }).waitFor()
}

/** Closes the popup, stops the worker, and reopens the popup. */
async function comeBack(chrome: Browser, page: Page): Promise<Page> {
  await page.close()
  await chrome.killWorker()
  return chrome.openPopup()
}

async function stepSigned(page: Page, index: number): Promise<void> {
  await expect
    .poll(async () => {
      const [swap] = await callWallet(page, 'swaps').catch(() => [])
      return swap?.steps[index]?.state ?? 'none'
    })
    .toMatch(/signed|sent|mined|final/)
}

/** Waits until the swap is done. Polls, as a reopened popup shows only unfinished swaps. */
async function over(page: Page): Promise<void> {
  await expect
    .poll(async () => (await callWallet(page, 'swaps').catch(() => []))[0]?.outcome.status)
    .toBe('done')
}
