import { expect, type Page } from '@playwright/test'
import { encodeFunctionData, erc20Abi, getAddress, parseEther } from 'viem'
import {
  callWallet,
  chooseToken,
  confirm,
  leavePages,
  openSwap,
  review,
  sellAmount,
  waitUntilDone,
} from '../../dev/browser/popupPage.ts'
import { deployer } from '../../dev/chain/client.ts'
import type { Localnet } from '../../dev/localnet.ts'
import type { Address } from '../../src/domain/token/token.ts'
import { etherBalance } from '../helpers/e2e/home.ts'
import { createLook } from '../helpers/e2e/looks.ts'
import { test } from '../helpers/e2e/wallet.ts'

const stranger: Address = `0x${'5e'.repeat(20)}`

test('shows funds and their activity entry within two blocks while the popup is open', async ({
  wallet: { page },
  localnet,
}) => {
  const look = createLook(page)
  const account = await openEmptyAccount(page)
  await page.getByRole('navigation').getByRole('link', { name: 'Wallet' }).click()
  const funds = page.getByRole('region', { name: 'Add funds' })
  await expect(funds).toContainText('You can receive on Local with this address.')
  await expect(funds.getByRole('img', { name: /QR code/ })).toBeVisible()
  await expect(funds.locator('.groups')).toHaveText(getAddress(account))
  await look('add-funds')

  await page.getByRole('navigation').getByRole('link', { name: 'Swap' }).click()
  await page.getByRole('button', { name: 'Add funds' }).click()
  await expect(page.getByText('Funds on Local show up here seconds after they arrive.')).toBeVisible()
  await look('receive')

  const stopBlocks = mineEvery(localnet, 6_000)
  try {
    const { blockNumber } = await localnet.client.execute({ to: account, value: parseEther('10') })
    const row = page.getByRole('button', { name: /^Received ETH/ })
    await expect(row).toContainText(/from 0x5[eE]ed.*\+10 ETH/)
    expect(await localnet.client.getBlockNumber()).toBeLessThanOrEqual(blockNumber + 2n)
    await look('receive-arrived')
    await row.click()
    await expect(
      page.getByRole('definition').filter({ hasText: getAddress(deployer).slice(-4) }),
    ).toBeVisible()
    await expect(page.getByText(blockNumber.toLocaleString('en')).last()).toBeVisible()
    // An address that may imitate another is neither copied nor kept.
    await expect(page.getByRole('button', { name: /Add to contacts|Copy address/ })).toHaveCount(0)
    await look('incoming')
    await page.getByRole('button', { name: 'Close' }).click()

    // Home has the balance and the entry; a token follows the same way.
    await expect(etherBalance(page)).toHaveText('10')
    await expect(page.getByRole('button', { name: /^Received ETH/ })).toBeVisible()
    const given = await give(localnet, account, 25_000_000n)
    await expect(
      page.getByRole('button', { name: /^Received USDC.*from 0x5[eE]5[eE].*\+25 USDC/ }),
    ).toBeVisible()
    expect(await localnet.client.getBlockNumber()).toBeLessThanOrEqual(given + 2n)
    await expect(page.getByRole('link', { name: /^USDC/ })).toContainText('25')
  } finally {
    stopBlocks()
  }

  // After a restart of the worker they are still there, once each.
  await page.reload()
  await page.getByRole('navigation').getByRole('link', { name: 'Activity' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'entries' })).toHaveText('2 entries')
})

test('counts what a swap brings only as the swap', async ({ wallet: { page }, localnet }) => {
  await openSwap(page)
  await sellAmount(page).fill('1')
  await chooseToken(page, 'buy', 'USDC')
  await review(page)
  await confirm(page)
  await waitUntilDone(page)
  await page.getByRole('button', { name: 'Done' }).click()
  // Several looks later, each with a new block.
  const stopBlocks = mineEvery(localnet, 1_000)
  await page.waitForTimeout(8_000)
  stopBlocks()
  expect(await callWallet(page, 'incomingTransfers')).toEqual([])
  await page.getByRole('navigation').getByRole('link', { name: 'Activity' }).click()
  await expect(page.getByRole('status').filter({ hasText: /entr/ })).toHaveText('1 entry')
})

test('reads balances again by the refresh button', async ({ wallet: { page, address }, localnet }) => {
  await page.getByRole('navigation').getByRole('link', { name: 'Wallet' }).click()
  await expect(etherBalance(page)).toHaveText('10')
  // No new block: only the button shows it.
  await localnet.client.setBalance({ address, value: parseEther('12') })
  const refresh = page.getByRole('button', { name: 'Refresh balances' })
  await refresh.press('Enter')
  await expect(refresh).toBeDisabled()
  await expect(etherBalance(page)).toHaveText('12', { timeout: 5_000 })
  await expect(refresh).toBeEnabled()
})

/** On a network without test funds, as public ones are. */
async function openEmptyAccount(page: Page): Promise<Address> {
  const settings = await callWallet(page, 'settings')
  const networks = settings.networks.map(({ faucetUrl: _, ...network }) => network)
  const { address } = await callWallet(page, 'addAccount')
  await callWallet(page, 'saveSettings', { networks, account: address })
  await leavePages(page)
  return address
}

/** Sends USDC from an account without a key. Returns the block. */
async function give(localnet: Localnet, to: Address, amount: bigint): Promise<bigint> {
  const { client, tokens } = localnet
  await localnet.fund(stranger)
  await client.impersonateAccount({ address: stranger })
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
  return (await client.execute({ account: stranger, to: tokens.USDC, data })).blockNumber
}

function mineEvery({ client }: Localnet, ms: number): () => void {
  const timer = setInterval(() => client.mine({ blocks: 1 }).catch(() => undefined), ms)
  return () => clearInterval(timer)
}
