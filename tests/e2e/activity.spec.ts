import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { formatGwei, getAddress } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { launchBrowser } from '../../dev/browser/browser.ts'
import {
  callWallet,
  chooseToken,
  click,
  confirm,
  createWallet,
  openSwap,
  pressFor,
  readShownState,
  review,
  sellAmount,
  waitUntilDone,
} from '../../dev/browser/popupPage.ts'
import type { Localnet } from '../../dev/localnet.ts'
import { acceptReplacement, minReplacementFees } from '../../src/domain/activity/replacement.ts'
import { type Address, type Hex, nativeTokenAddress } from '../../src/domain/token/token.ts'
import { createLook } from '../helpers/e2e/looks.ts'
import { balanceOf, extension, test, useLocalnet, type Wallet } from '../helpers/e2e/wallet.ts'

const friend: Address = `0x${'f1'.repeat(20)}`
const id = '0a'.repeat(16)

test('speeds up a stuck swap, which is mined exactly once', async ({ wallet, localnet }) => {
  const { page, address } = wallet
  const sent = await localnet.client.getTransactionCount({ address })
  await fill(page, 'ETH', 'USDC', '0.5')
  await review(page)
  await withoutMining(localnet, async () => {
    await confirm(page)
    const [first] = await waitingOf(localnet, address, 1)
    // Offered after a while by the progress view.
    await page.getByRole('button', { name: 'Speed up' }).click()
    const sheet = page.getByRole('dialog', { name: 'Speed up' })
    await expect(sheet).toContainText('Current max fee:')
    await click(sheet.getByRole('button', { name: /^Speed up \(.+\)$/ }))
    await sheet.waitFor({ state: 'detached' })
    await expect.poll(async () => (await waitingOf(localnet, address, 1))[0]?.hash).not.toBe(first?.hash)
    const [second] = await waitingOf(localnet, address, 1)
    expect(second?.nonce).toBe(first?.nonce)
    expect(second?.maxFeePerGas).toBeGreaterThanOrEqual(minReplacementFees([first as Fees]).maxFeePerGas)
    await localnet.client.mine({ blocks: 1 })
    await waitUntilDone(page)
    await expect(localnet.client.getTransactionReceipt({ hash: first?.hash as Hex })).rejects.toThrow()
    expect((await localnet.client.getTransactionReceipt({ hash: second?.hash as Hex })).status).toBe(
      'success',
    )
  })
  expect(await localnet.client.getTransactionCount({ address })).toBe(sent + 1)
  await page.getByRole('button', { name: 'Done' }).click()

  // Both transactions are listed, with the one that was mined.
  await openActivity(page)
  await page.getByRole('button', { name: /ETH → USDC/ }).click()
  await expect(page.getByText('Replaced')).toBeVisible()
})

test('cancels a pending transaction without any transfer', async ({ wallet, localnet }) => {
  const { page, address } = wallet
  const before = await balanceOf(localnet, nativeTokenAddress, friend)
  const sent = await localnet.client.getTransactionCount({ address })
  await withoutMining(localnet, async () => {
    await send(wallet, 5n)
    await openEntry(page, /Send ETH/)
    await expect(page.getByText('Waiting for network confirmation')).toBeVisible()
    await page.getByRole('button', { name: 'Cancel transaction' }).click()
    // The fee must be high enough to replace the pending transaction.
    await page.getByLabel('Max fee (gwei)').fill('0.001')
    await page.getByLabel('Priority fee (gwei)').fill('0.001')
    await expect(page.getByText(/^Enter at least [\d.]+ gwei$/)).toHaveCount(2)
    await expect(page.getByRole('button', { name: 'Invalid fees' })).toBeDisabled()
    await page.getByLabel('Max fee (gwei)').fill('5')
    await page.getByLabel('Priority fee (gwei)').fill('3')
    await click(page.getByRole('button', { name: /^Cancel \(.+\)$/ }))
    await expect(page.getByText('Cancelling…')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Keep transaction' })).toBeVisible()
    await expect
      .poll(async () => (await waitingOf(localnet, address, 1))[0]?.maxFeePerGas)
      .toBe(5n * 10n ** 9n)
    await localnet.client.mine({ blocks: 1 })
    await expect(page.getByText('You cancelled this before it went through.')).toBeVisible()
  })
  expect(await balanceOf(localnet, nativeTokenAddress, friend)).toBe(before)
  expect(await localnet.client.getTransactionCount({ address })).toBe(sent + 1)
  await expect(page.getByRole('button', { name: 'Speed up' })).toHaveCount(0)
})

test('reports a replacement that comes too late or pays too little', async ({ wallet, localnet, chrome }) => {
  const { page, address } = wallet
  await withoutMining(localnet, async () => {
    await send(wallet, 5n)
    await openEntry(page, /Send ETH/)
    await page.getByRole('button', { name: 'Speed up' }).click()
    const faster = page.getByRole('button', { name: /^Speed up \(.+\)$/ })
    await expect(faster).toBeEnabled()

    // Another view raises the fee meanwhile.
    const other = await chrome.openPopup()
    const offer = await callWallet(other, 'replacement', id, 'faster')
    const fees = {
      maxFeePerGas: offer.least.maxFeePerGas * 3n,
      maxPriorityFeePerGas: offer.least.maxPriorityFeePerGas * 3n,
    }
    await callWallet(other, 'replace', { id, wish: 'faster', ...acceptReplacement(offer, fees) })
    await other.close()
    const [most, tip] = [page.getByLabel('Max fee (gwei)'), page.getByLabel('Priority fee (gwei)')]
    const typed = [
      formatGwei(offer.least.maxFeePerGas * 2n),
      formatGwei(offer.least.maxPriorityFeePerGas * 2n),
    ]
    await most.fill(typed[0] ?? '')
    await tip.fill(typed[1] ?? '')
    await pressFor(faster, page.getByText('The replacement fee is too low.'))
    // The new offer is based on the now pending transaction and keeps the selected choice.
    await expect(most).toHaveValue(typed[0] ?? '')
    await expect(tip).toHaveValue(typed[1] ?? '')
    await expect(page.getByText(/^Enter at least [\d.]+ gwei$/)).toHaveCount(2)
    await page
      .getByRole('button', { name: /^(Minimum|Fast)/ })
      .last()
      .click()
    await expect(faster).toBeEnabled()
    expect((await waitingOf(localnet, address, 1))[0]?.maxFeePerGas).toBe(fees.maxFeePerGas)

    await localnet.client.mine({ blocks: 1 })
    // The block may arrive at the moment of the press.
    await pressFor(faster, page.getByText('This transaction is already confirmed.'))
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    await expect(readShownState(page, /^Confirmed$/)).toBeVisible()
  })
})

test('reports a transaction that another wallet has replaced', async ({ wallet, localnet }) => {
  const { page, phrase } = wallet
  const elsewhere = mnemonicToAccount(phrase)
  expect(elsewhere.address.toLowerCase()).toBe(wallet.address)
  await withoutMining(localnet, async () => {
    await send(wallet, 5n)
    await openEntry(page, /Send ETH/)
    const [waiting] = await waitingOf(localnet, wallet.address, 1)
    const raw = await elsewhere.signTransaction({
      chainId: 31337,
      type: 'eip1559',
      nonce: waiting?.nonce ?? 0,
      to: friend,
      value: 7n,
      gas: 21_000n,
      maxFeePerGas: (waiting?.maxFeePerGas ?? 0n) * 2n,
      maxPriorityFeePerGas: (waiting?.maxPriorityFeePerGas ?? 0n) * 2n,
    })
    await localnet.client.sendRawTransaction({ serializedTransaction: raw })
    await localnet.client.mine({ blocks: 1 })
    await expect(page.getByText('Replaced by another transaction from this account.')).toBeVisible()
    await expect(page.getByText('Replaced', { exact: true })).toBeVisible()
    // The block may be reorganized.
    await expect(page.getByText('It may still go through. Check again in 10 minutes.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Close' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Repeat' })).toHaveCount(0)
  })
})

test('reports a transaction as pending again after its block was reorganised', async ({
  wallet,
  localnet,
}) => {
  const { page, address } = wallet
  const before = await balanceOf(localnet, nativeTokenAddress, friend)
  await withoutMining(localnet, async () => {
    await send(wallet, 5n)
    await openEntry(page, /Send ETH/)
    await localnet.client.mine({ blocks: 1 })
    await expect(readShownState(page, /^Confirmed$/)).toBeVisible()
    await localnet.client.request({ method: 'anvil_rollback' as never, params: [1] as never })
    await expect(
      page.getByText('The network dropped the block it was in. Waiting for it to be included again.'),
    ).toBeVisible()
    await waitingOf(localnet, address, 1)
    await localnet.client.mine({ blocks: 2 })
    await expect(page.locator('.steps').getByText('Finalized')).toBeVisible()
  })
  expect((await balanceOf(localnet, nativeTokenAddress, friend)) - before).toBe(5n)
})

test('lists, searches, filters and exports sent transactions', async ({ wallet, localnet }) => {
  const { page, address } = wallet
  await page.goto(placeOf(page, 'activity'))
  await expect(page.getByText('No activity yet')).toBeVisible()
  await page.getByRole('button', { name: 'Swap tokens' }).click()
  await fill(page, 'ETH', 'WETH', '0.25')
  await page.getByRole('button', { name: /^Review/ }).click()
  await confirm(page)
  await waitUntilDone(page)
  await page.getByRole('button', { name: 'Done' }).click()
  await fill(page, 'ETH', 'USDC', '0.5')
  await review(page)
  await confirm(page)
  await waitUntilDone(page)
  await page.getByRole('button', { name: 'Done' }).click()
  await send(wallet, 10n ** 16n)

  await openActivity(page)
  const rows = page.getByRole('main').locator('.entry-row')
  await expect(page.getByRole('heading', { name: 'Today' })).toBeVisible()
  await expect(rows).toContainText(['Sent ETH', 'ETH → USDC', 'ETH → WETH'])
  await expect(rows.nth(2)).toContainText('−0.25 ETH')
  await expect(rows.nth(2)).toContainText('+0.25 WETH')
  // Only what is not confirmed is told.
  await expect(rows.nth(0)).not.toContainText('Confirmed', { useInnerText: true })
  // A table where there is room: each part begins in its column.
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect(rows.nth(0)).toContainText('Confirmed', { useInnerText: true })
  for (const part of ['date', 'what', 'who']) {
    const cells = page.getByRole('main').locator(`.act-${part}`)
    await expect(cells).toHaveCount(3)
    const starts = await cells.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left))
    expect(new Set(starts).size, part).toBe(1)
  }
  await page.setViewportSize({ width: 360, height: 600 })
  await expect(page.locator('.history')).toContainText('1 of 1')

  const search = page.getByLabel('Search by token, amount, address, hash or site')
  await search.fill('usdc')
  await expect(rows).toContainText(['ETH → USDC'])
  await expect(page.getByRole('status').filter({ hasText: '1 entry' })).toBeVisible()
  await search.fill(friend)
  await expect(rows).toContainText(['Sent ETH'])
  const [swap] = (await callWallet(page, 'swaps')) ?? []
  await search.fill(swap?.steps.at(-1)?.hash ?? 'none')
  await expect(rows).toContainText(['ETH → USDC'])
  await search.fill('')
  await filterBy(page, 'Type', 'Wrap or unwrap')
  await expect(rows).toContainText(['ETH → WETH'])

  await rows.first().click()
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Filters, 1 active' })).toBeVisible()
  await filterBy(page, 'Status', 'Failed')
  await expect(page.getByRole('button', { name: 'Filters, 2 active' })).toBeVisible()
  await expect(page.getByText('No results')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(rows).toHaveCount(3)

  await filterBy(page, 'Type', 'Swap')
  const csv = await download(page, /^CSV/)
  expect(csv.name).toMatch(/^sluice-activity-\d{4}-\d\d-\d\d\.csv$/)
  const [head = '', line = '', ...rest] = csv.text.split('\r\n')
  const cells = Object.fromEntries(head.split(',').map((name, at) => [name, line.split(',')[at]]))
  expect(rest).toEqual([''])
  expect(cells).toMatchObject({
    kind: 'swap',
    state: 'done',
    account: address,
    sent: '0.5',
    sentToken: 'ETH',
    receivedToken: 'USDC',
    receivedTokenAddress: localnet.tokens.USDC,
    transactions: swap?.steps.at(-1)?.hash,
  })
  const json = await download(page, /^JSON/)
  expect(JSON.parse(json.text)).toEqual([expect.objectContaining(cells)])

  await page.getByRole('navigation').getByRole('link', { name: 'Wallet' }).click()
  await expect(page.getByRole('main').locator('.entry-row')).toContainText(['Sent ETH', 'ETH → USDC'])
  await page.getByRole('button', { name: 'All activity' }).click()
  await expect(page.getByRole('button', { name: 'Filters, 1 active' })).toBeVisible()
})

test('shows all details of an entry and repeats its swap', async ({ wallet, localnet, chrome }) => {
  const { page, address } = wallet
  await fill(page, 'DAI', 'USDC', '100')
  await review(page)
  await confirm(page)
  await waitUntilDone(page)
  const [swap] = await callWallet(page, 'swaps')
  const step = swap?.steps.at(-1)
  const receipt = await localnet.client.getTransactionReceipt({ hash: step?.hash as Hex })
  await page.close()

  const view = await chrome.openPopup()
  await view.goto(placeOf(view, `entry/${swap?.intent.id}`))
  await expect(view.getByText('DAI → USDC')).toBeVisible()
  const row = (name: string | RegExp) => view.locator('.rows > div').filter({ hasText: name })
  await expect(row('Quoted amount').locator('[title]')).toHaveAttribute('title', /USDC$/)
  await expect(row(/^Received/).locator('[title]')).toHaveAttribute('title', /USDC$/)
  await expect(row('Minimum received').locator('[title]')).toHaveAttribute('title', /USDC$/)
  await expect(row('Max slippage')).toContainText('%')
  await expect(row('Slippage used')).toContainText('%')
  await expect(row('Sources')).toContainText(/\w/)
  await expect(row('From')).toContainText(getAddress(address))
  await expect(row('Router')).toContainText(getAddress(localnet.contracts.router))
  await expect(row('Estimated fee')).toContainText('ETH')
  await expect(row('Fee paid').first()).toContainText('ETH')
  await expect(row('Block').last()).toContainText(receipt.blockNumber.toLocaleString('en'))
  await expect(row('Nonce').last()).toContainText(String(step?.nonce))
  await expect(row('Hash').last().getByRole('button')).toHaveAttribute('title', receipt.transactionHash)

  await view.getByRole('button', { name: 'Swap again' }).click()
  await expect(sellAmount(view)).toHaveValue('100')
  await expect(view.getByRole('button', { name: 'Token to sell: DAI' })).toBeVisible()
  await expect(view.getByRole('button', { name: 'Token to buy: USDC' })).toBeVisible()
  await view.getByRole('button', { name: 'Review swap' }).waitFor()
})

test('meets the accessibility checks on every activity screen', async ({ wallet, localnet }) => {
  const { page } = wallet
  const look = createLook(page)
  await page.goto(placeOf(page, 'activity'))
  await expect(page.getByText('No activity yet')).toBeVisible()
  await look('activity-empty')
  await fill(page, 'DAI', 'USDC', '100')
  await review(page)
  await confirm(page)
  await waitUntilDone(page)
  await page.getByRole('button', { name: 'Done' }).click()
  await withoutMining(localnet, async () => {
    await send(wallet, 10n ** 16n)
    await openActivity(page)
    await expect(page.getByRole('button', { name: /Send ETH/ })).toContainText('Pending')
    await look('activity')
    await page.getByRole('button', { name: 'Filters' }).click()
    await look('activity-filters')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Export' }).click()
    await look('activity-export')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /Send ETH/ }).click()
    await page.getByRole('button', { name: 'Speed up' }).waitFor()
    await look('entry-waiting')
    await page.getByRole('button', { name: 'Speed up' }).click()
    await expect(page.getByRole('button', { name: /^Speed up \(.+\)$/ })).toBeEnabled()
    await look('entry-faster')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Cancel transaction' }).click()
    await click(page.getByRole('button', { name: /^Cancel \(.+\)$/ }))
    await expect(page.getByText('Cancelling…')).toBeVisible()
    await look('entry-cancelling')
    await localnet.client.mine({ blocks: 1 })
    await expect(page.getByText('You cancelled this before it went through.')).toBeVisible()
    await look('entry-cancelled')
  })
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await page.getByRole('button', { name: /DAI → USDC/ }).click()
  await page.getByRole('button', { name: 'Swap again' }).waitFor()
  await look('entry-swap')
  await page.getByText('Nonce').last().scrollIntoViewIfNeeded()
  await look('entry-swap-end')
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await page.getByLabel('Search by token').fill('nothing such')
  await look('activity-none')
  await page.getByRole('navigation').getByRole('link', { name: 'Wallet' }).click()
  await page.getByRole('button', { name: 'All activity' }).scrollIntoViewIfNeeded()
  await look('overview-activity')
})

test('shows a browser notification of the outcome only if enabled and while no view is open', async ({
  localnet,
  service,
}) => {
  // The browser's permission prompt cannot be automated, so this build has the permission from the start.
  const folder = mkdtempSync(join(tmpdir(), 'sluice-notices-'))
  cpSync(extension, join(folder, 'extension'), { recursive: true })
  const file = join(folder, 'extension/manifest.json')
  const manifest = JSON.parse(readFileSync(file, 'utf8'))
  expect(manifest.permissions).not.toContain('notifications')
  manifest.permissions.push('notifications')
  writeFileSync(file, JSON.stringify(manifest))
  const chrome = await launchBrowser({
    extension: join(folder, 'extension'),
    profile: join(folder, 'profile'),
    headless: true,
  })
  try {
    const page = await chrome.openPopup()
    await useLocalnet(page, localnet, service.url)
    const phrase = await createWallet(page)
    const address = mnemonicToAccount(phrase).address.toLowerCase() as Address
    await localnet.fund(address)
    const shown = () => noticesOf(page)

    await send({ page, address, phrase }, 5n)
    await over(page, id)
    expect(await shown()).toEqual({})

    await page.goto(placeOf(page, 'settings/preferences'))
    await page.getByRole('switch', { name: /^Transaction notifications/ }).click()
    await expect
      .poll(async () => (await callWallet(page, 'settings')).notices?.done)
      .toBe('Transaction confirmed')
    // An open view shows the outcome itself, without a notification.
    const second = '0b'.repeat(16)
    await send({ page, address, phrase }, 5n, second)
    await over(page, second)
    expect(await shown()).toEqual({})

    const third = '0c'.repeat(16)
    await withoutMining(localnet, async () => {
      await send({ page, address, phrase }, 5n, third)
      await waitingOf(localnet, address, 1)
      await page.goto('about:blank')
      await localnet.client.mine({ blocks: 1 })
      const [worker] = chrome.context.serviceWorkers()
      await expect
        .poll(() => worker?.evaluate(() => (globalThis as unknown as Chrome).chrome.notifications.getAll()))
        .toEqual({ [third]: true })
    })

    // The notification uses the selected language.
    const view = await chrome.openPopup()
    await callWallet(view, 'saveSettings', { language: 'de' })
    await expect
      .poll(async () => (await callWallet(view, 'settings')).notices?.done)
      .toBe('Transaktion bestätigt')
    await callWallet(view, 'saveSettings', { language: 'en' })
    await view.goto(placeOf(view, 'settings/preferences'))
    await view.getByRole('switch', { name: /^Transaction notifications/ }).click()
    await expect.poll(async () => (await callWallet(view, 'settings')).notices).toBeUndefined()
  } finally {
    await chrome.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  }
})

type Fees = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }
type Chrome = { chrome: { notifications: { getAll(): Promise<Record<string, boolean>> } } }

function noticesOf(page: Page): Promise<Record<string, boolean>> {
  return page.evaluate(() => (globalThis as unknown as Chrome).chrome.notifications.getAll())
}

function placeOf(page: Page, place: string): string {
  return `${page.url().split('#')[0]}#/${place}`
}

/** Runs `act` without mining anything except on demand. */
async function withoutMining({ client }: Localnet, act: () => Promise<void>): Promise<void> {
  await client.setAutomine(false)
  try {
    await act()
  } finally {
    await client.setAutomine(true)
    await client.mine({ blocks: 1 })
  }
}

async function fill(page: Page, sell: string, buy: string, amount: string): Promise<void> {
  await openSwap(page)
  await chooseToken(page, 'sell', sell)
  await chooseToken(page, 'buy', buy)
  await sellAmount(page).fill(amount)
  await page.getByRole('button', { name: /^Review/ }).waitFor()
}

/** Sends native tokens to the friend through the wallet. */
async function send({ page, address }: Wallet, amount: bigint, sendId = id): Promise<void> {
  const ask = { chainId: 31337, account: address, token: nativeTokenAddress, to: friend, amount }
  const { feeCap } = await callWallet(page, 'previewTransfer', ask)
  await callWallet(page, 'send', { ...ask, id: sendId, feeCap })
}

async function over(page: Page, sendId: string): Promise<void> {
  await expect.poll(async () => (await callWallet(page, 'callBatch', sendId))?.outcome.status).toBe('done')
}

async function filterBy(page: Page, label: string, value: string): Promise<void> {
  await page.getByRole('button', { name: /^Filters/ }).click()
  const sheet = page.getByRole('dialog', { name: 'Filters' })
  await sheet.getByLabel(label).selectOption(value)
  await sheet.getByRole('button', { name: /^Show \d+ entr/ }).click()
  await sheet.waitFor({ state: 'detached' })
}

async function openActivity(page: Page): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name: 'Activity' }).click()
}

async function openEntry(page: Page, name: RegExp): Promise<void> {
  await openActivity(page)
  await page.getByRole('button', { name }).click()
}

/** Returns the pending transactions of an account once there are `count`. */
async function waitingOf({ client }: Localnet, account: Address, count: number) {
  const read = async () => {
    const { pending } = await client.getTxpoolContent()
    const [, own = {}] = Object.entries(pending).find(([from]) => from.toLowerCase() === account) ?? []
    return Object.values(own).map((one) => ({
      hash: one.hash,
      nonce: Number(one.nonce),
      maxFeePerGas: BigInt(one.maxFeePerGas ?? 0),
      maxPriorityFeePerGas: BigInt(one.maxPriorityFeePerGas ?? 0),
    }))
  }
  await expect.poll(async () => (await read()).length).toBe(count)
  return read()
}

async function download(page: Page, kind: RegExp): Promise<{ name: string; text: string }> {
  await page.getByRole('button', { name: 'Export' }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('dialog').getByRole('button', { name: kind }).click(),
  ])
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') }
}
