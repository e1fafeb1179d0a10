import { expect, type Page } from '@playwright/test'
import {
  callWallet,
  chooseToken,
  click,
  confirm,
  requestWindow,
  review,
  sellAmount,
  setLocalNetwork,
  waitUntilDone,
} from '../../../dev/browser/popupPage.ts'
import { type Anvil, startAnvil } from '../../../dev/chain/anvil.ts'
import { createLocalnetClient, type LocalnetClient } from '../../../dev/chain/client.ts'
import type { Address } from '../../../src/domain/token/token.ts'
import { approve, connect, lookAway, openSite, request, test } from '../../helpers/e2e/pages.ts'

// The network changes between reading and confirming: only the chain shown is ever signed for.

const otherId = 777
let other: Anvil
let client: LocalnetClient

test.beforeAll(async () => {
  other = await startAnvil({ chainId: otherId, port: 0 })
  client = createLocalnetClient(other.rpcUrl, otherId)
})
test.afterAll(() => other.stop())

/** Adds a second network where the account has funds. */
async function addOther(page: Page, address: Address): Promise<void> {
  const [local] = (await callWallet(page, 'settings')).networks
  if (local === undefined) throw new Error('There is no network.')
  await callWallet(page, 'saveSettings', {
    added: [{ ...local, chainId: otherId, name: 'Other', rpcUrl: other.rpcUrl }],
  })
  await client.setBalance({ address, value: 10n ** 19n })
}

test('keeps the chain of an open review when another view switches the network', async ({
  chrome,
  wallet: { page, address },
  localnet,
}) => {
  await addOther(page, address)
  await chooseToken(page, 'sell', 'ETH')
  await chooseToken(page, 'buy', 'USDC')
  await sellAmount(page).fill('1')
  await review(page)
  await page.getByRole('group').getByText('Details', { exact: true }).click()
  const named = page.getByRole('term').filter({ hasText: /^Network$/ })
  await expect(named.locator('xpath=following-sibling::dd')).toHaveText('Local')

  const view = await chrome.openPopup()
  await view.getByRole('button', { name: /^Network: Local/ }).click()
  await view
    .getByRole('dialog')
    .getByRole('button', { name: /^Other/ })
    .click()
  await expect(view.getByRole('button', { name: /^Network: Other/ })).toBeVisible()
  await view.close()
  await page.bringToFront()
  expect((await callWallet(page, 'settings')).chainId).toBe(otherId)
  await expect(named.locator('xpath=following-sibling::dd')).toHaveText('Local')
  await confirm(page)
  await waitUntilDone(page)

  expect(await client.getTransactionCount({ address })).toBe(0)
  expect(await localnet.client.getTransactionCount({ address })).toBe(1)
  const [swap] = await callWallet(page, 'swaps')
  expect(swap?.intent.trade.chainId).toBe(31337)
})

test('signs nothing and reports the mismatch when the RPC of a review serves another chain', async ({
  wallet: { page, address },
  localnet,
}) => {
  await client.setBalance({ address, value: 10n ** 19n })
  await chooseToken(page, 'sell', 'ETH')
  await chooseToken(page, 'buy', 'USDC')
  await sellAmount(page).fill('1')
  await review(page)
  const go = page.getByRole('button', { name: 'Swap', exact: true })
  await expect(go).toBeEnabled()
  // A visible review would be simulated again and report it before the press.
  await lookAway(page)
  await setLocalNetwork(page, { rpcUrl: other.rpcUrl })
  await go.click()
  await expect(page.getByText('The RPC is on a different network.')).toBeVisible()
  await expect(page.getByText('Nothing was signed.', { exact: false })).toBeVisible()
  expect(await client.getTransactionCount({ address })).toBe(0)
  expect(await localnet.client.getTransactionCount({ address })).toBe(0)
  const steps = (await callWallet(page, 'swaps')).flatMap((swap) => swap.steps)
  expect(steps.filter(({ state }) => state !== 'waiting')).toEqual([])
})

test('sends a dapp transaction on its original chain after the site switched to another one', async ({
  chrome: { context },
  wallet: { page: popup, address },
  localnet,
  site,
}) => {
  await addOther(popup, address)
  const page = await openSite(context, site.url, localnet.rpcUrl)
  await connect(context, page)
  // The network request comes before the other one in the same window.
  const moving = request(page, 'wallet_switchEthereumChain', [{ chainId: '0x309' }])
  const window = await requestWindow(context)
  const sending = request(page, 'eth_sendTransaction', [{ from: address, to: address, value: '0x1' }])
  await expect(window.getByText('1 of 2')).toBeVisible()
  await click(window.getByRole('button', { name: 'Switch' }))
  expect(await moving).toEqual({ result: null })
  expect(await request(page, 'eth_chainId')).toEqual({ result: '0x309' })
  await expect(window.locator('.request-network')).toHaveText('Local')
  await approve(window, /^Send$/)
  const { result } = await sending
  const sent = await localnet.client.getTransaction({ hash: result as `0x${string}` })
  expect([sent.from, sent.chainId]).toEqual([address, 31337])
  expect(await client.getTransactionCount({ address })).toBe(0)
  // Later requests are for the new chain only.
  const wrong = await request(page, 'eth_sendTransaction', [
    { from: address, to: address, value: '0x1', chainId: '0x7a69' },
  ])
  expect(wrong.error?.code).toBe(-32602)
})
