import { expect, type Page } from '@playwright/test'
import { encodeFunctionData, parseAbi } from 'viem'
import type { Browser } from '../../dev/browser.ts'
import type { Localnet } from '../../dev/localnet.ts'
import { callWallet, chooseToken, confirm, readShownState, sellAmount } from '../../dev/popupPage.ts'
import type { Swap } from '../../src/domain/swap/swap.ts'
import { balanceOf, pending, test, type Wallet } from './wallet.ts'

// The popup is closed and the worker is stopped at every step of every way to swap. What the user accepted happens once, at no
// less than the floor, and whoever opens the popup again sees how it stands.

type Way = { name: string; sell: string; buy: string; amount: string; steps: string[]; prepare?: Prepare }
type Prepare = (world: Localnet, wallet: Wallet) => Promise<void>

const ways: Way[] = [
  { name: 'a permit', sell: 'USDC', buy: 'DAI', amount: '100', steps: ['swap'] },
  { name: 'an approval', sell: 'DAI', buy: 'USDC', amount: '100', steps: ['approve', 'swap'] },
  {
    name: 'a reset and an approval',
    sell: 'USDT',
    buy: 'DAI',
    amount: '100',
    steps: ['reset', 'approve', 'swap'],
    async prepare(world, { address }) {
      await world.client.impersonateAccount({ address })
      const abi = parseAbi(['function approve(address spender, uint256 amount)'])
      const data = encodeFunctionData({ abi, args: [world.contracts.router, 7n] })
      await world.client.execute({ account: address, to: world.tokens.USDT, data })
    },
  },
  { name: 'the coin', sell: 'ETH', buy: 'USDC', amount: '0.1', steps: ['swap'] },
  { name: 'wrapping', sell: 'ETH', buy: 'WETH', amount: '0.1', steps: ['wrap'] },
]

for (const way of ways) {
  test(`${way.name}: closed and stopped at every step`, async ({ wallet, chrome, world }) => {
    await way.prepare?.(world, wallet)
    const sent = await world.client.getTransactionCount({ address: wallet.address })
    const buy = way.buy === 'ETH' ? undefined : world.tokens[way.buy as keyof Localnet['tokens']]
    const before = buy && (await balanceOf(world, buy, wallet.address))
    let { page } = wallet
    try {
      await fill(page, way)
      // Before anything is accepted: the form is as it was.
      page = await comeBack(chrome, page)
      await expect(sellAmount(page)).toHaveValue(way.amount)
      await page.getByRole('button', { name: /^Review/ }).click()
      await page.getByRole('heading', { name: /^(Review swap|Wrap|Unwrap)$/ }).waitFor()
      page = await comeBack(chrome, page)
      await expect(sellAmount(page)).toHaveValue(way.amount)

      await page.getByRole('button', { name: /^Review/ }).click()
      await world.client.setAutomine(false)
      await confirm(page)
      for (const [index] of way.steps.entries()) {
        // Waiting for its block: whoever looks in sees it under way, however often all is closed and stopped.
        await stepSigned(page, index)
        page = await comeBack(chrome, page)
        await readShownState(page, 'Pending').waitFor()
        await expect.poll(() => pending(world)).toBe(1)
        await chrome.killWorker()
        await world.client.mine({ blocks: 1 })
        await chrome.killWorker()
        page = await comeBack(chrome, page)
      }
      await world.client.setAutomine(true)
      await over(page)
    } finally {
      await world.client.setAutomine(true)
    }

    const swaps = await callWallet(page, 'swaps')
    expect(swaps).toHaveLength(1)
    const [swap] = swaps as [Swap]
    expect(swap.steps.map(({ kind }) => kind)).toEqual(way.steps)
    expect(swap.outcome.status).toBe('done')
    expect(await world.client.getTransactionCount({ address: wallet.address })).toBe(sent + way.steps.length)
    if (buy && before !== undefined)
      expect((await balanceOf(world, buy, wallet.address)) - before).toBeGreaterThanOrEqual(swap.intent.floor)
  })
}

async function fill(page: Page, { sell, buy, amount }: Way): Promise<void> {
  await chooseToken(page, 'sell', sell)
  await chooseToken(page, 'buy', buy)
  await sellAmount(page).fill(amount)
  await page.getByRole('button', { name: /^Review/ }).waitFor()
}

/** The popup closes, the worker is stopped, and the popup is opened again. */
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

/** Done, seen in the popup or by asking: an opened popup shows what is under way, not what is over. */
async function over(page: Page): Promise<void> {
  await expect
    .poll(async () => (await callWallet(page, 'swaps').catch(() => []))[0]?.outcome.status)
    .toBe('done')
}
