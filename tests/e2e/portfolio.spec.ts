import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { erc20Abi, parseEther } from 'viem'
import { type Browser, launchBrowser } from '../../dev/browser/browser.ts'
import { callWallet, password } from '../../dev/browser/popupPage.ts'
import { createPublicLocalnet, type PublicLocalnet } from '../../dev/chain/publicChain.ts'
import { findPublicChain } from '../../src/domain/network/chains.ts'
import type { Address } from '../../src/domain/token/token.ts'
import { createKey } from '../../src/vault/password.ts'
import { newSecret } from '../../src/vault/words/phrase.ts'
import { createLook } from '../helpers/e2e/looks.ts'
import { extension } from '../helpers/e2e/wallet.ts'

// Home over two networks at once: local chains that stand for Base and Ethereum, each with its price oracle.

const cent = 1_000_000n

let base: PublicLocalnet
let ethereum: PublicLocalnet
let profile: string
let chrome: Browser
let page: Page
let account: Address

test.describe.configure({ mode: 'serial' })

test.beforeAll(async () => {
  base = await createPublicLocalnet({ chainId: 8453 })
  ethereum = await createPublicLocalnet({ chainId: 1 })
  profile = mkdtempSync(join(tmpdir(), 'sluice-portfolio-'))
  chrome = await launchBrowser({ extension, profile, headless: true, isStill: true })
  page = await chrome.openFile('icon/16.png')
  await page.setViewportSize({ width: 360, height: 600 })
  const { networks } = await callWallet(page, 'settings')
  const urls = new Map([
    [8453, base.rpcUrl],
    [1, ethereum.rpcUrl],
  ])
  const changed = networks.flatMap((one) => {
    const rpcUrl = urls.get(one.chainId)
    return rpcUrl === undefined ? [] : [{ ...one, rpcUrl }]
  })
  await callWallet(page, 'saveSettings', { networks: changed, chainId: 8453 })
  await callWallet(page, 'create', await createKey(password), await newSecret(12))
  await callWallet(page, 'confirmBackup')
  const status = await callWallet(page, 'status')
  account = (status.vault === 'unlocked' && status.accounts[0]?.address) || '0x'
  await base.fund(account)
  await ethereum.fund(account)
  // Odd prices, so that rounding shows.
  await base.setPrice('WETH', 312_345_678_901n)
  await ethereum.setPrice('WETH', 312_399_999_999n)
  await page.goto(page.url().replace(/icon\/.*$/, 'popup.html#/overview'))
})

test.afterAll(async () => {
  await chrome?.close()
  await base?.stop()
  await ethereum?.stop()
  rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
})

test('shows the value of each token as oracle price times balance, and their sum', async () => {
  await expect(page.locator('.total')).not.toHaveClass(/aged/)
  const shown = await readRows(page)
  for (const localnet of [base, ethereum]) {
    const { chainId } = localnet
    const ether = await localnet.client.getBalance({ address: account })
    const price = chainId === 1 ? 312_399_999_999n : 312_345_678_901n
    expect(shown.get(`ETH ${chainId}`)).toBe(toCents((ether * price) / 10n ** 18n))
    const usdc = await localnet.client.readContract({
      address: localnet.tokens.USDC,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [account],
    })
    expect(shown.get(`USDC ${chainId}`)).toBe(toCents(usdc * 100n))
  }
  const sum = [...shown.values()].reduce((cents, one) => cents + one, 0n)
  const text = await readTotal(page)
  // Rows are rounded one by one.
  const difference = sum - readCents(text)
  expect(difference <= BigInt(shown.size) && difference >= -BigInt(shown.size)).toBe(true)
  expect(shown.size).toBeGreaterThan(4)
  await createLook(page)('portfolio')
})

test('lists one network by the filter, and says which', async () => {
  await page.locator('.filter-chip').click()
  await createLook(page)('portfolio-filter')
  await page.getByRole('dialog').getByRole('button', { name: 'Ethereum' }).click()
  await expect(page.locator('.holding-network')).toContainText('Ethereum')
  await expect(page.locator('.holding-row').first()).toBeVisible()
  await expect(page.locator('.holding-row .network-logo')).toHaveCount(0)
  await page.locator('.filter-chip').click()
  await page.getByRole('dialog').getByRole('button', { name: 'All networks' }).click()
  await expect(page.locator('.holding-row .network-logo').first()).toBeVisible()
})

test('tells what all of it would bring if sold now, token by token', async () => {
  await page.locator('.total').click()
  const sheet = page.getByRole('dialog', { name: 'Value if sold now' })
  await expect(sheet.getByRole('button', { name: 'Quote again' })).toBeVisible({ timeout: 60_000 })
  const value = readCents(await readTotal(page))
  const returns = readCents((await sheet.locator('.sale-total .holding-amount').textContent()) ?? '')
  // Ether sells at the pools' price, which is not the oracle's.
  expect(returns).toBeGreaterThan((value * 90n) / 100n)
  expect(returns).not.toBe(value)
  await expect(sheet.getByText('−').or(sheet.getByText('+')).first()).toBeVisible()
  await createLook(page)('portfolio-sale')
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
})

test('names the network of a token, also of the selected one', async () => {
  await page.locator(`.holding-row a[href*="${base.tokens.USDC}"]:not([href*="1-0x"])`).click()
  await expect(page.getByRole('heading', { name: 'USDC' })).toBeVisible()
  await expect(page.locator('.token-holding')).toContainText('USD Coin · Base')
  await page.getByRole('button', { name: 'Back', exact: true }).click()
})

test('opens a token of another network, and switches the network to swap it', async () => {
  await page.locator(`.holding-row a[href*="1-${ethereum.tokens.USDC}"]`).click()
  await expect(page.getByRole('heading', { name: 'USDC' })).toBeVisible()
  await expect(page.locator('.token-holding')).toContainText(' · Ethereum')
  await expect(page.locator('.token-price')).toContainText('Price oracle, updated')
  await expect(page.getByRole('heading', { name: 'On other networks' })).toBeVisible()
  await createLook(page)('portfolio-token')
  expect((await callWallet(page, 'settings')).chainId).toBe(8453)
  await page.getByRole('button', { name: 'Swap' }).click()
  await expect(page.locator('.top .network-name')).toHaveText('Ethereum')
  expect((await callWallet(page, 'settings')).chainId).toBe(1)
  const sides = page.locator('.token-symbol')
  await expect(sides.first()).toHaveText('USDC')
  await expect(sides.last()).toHaveText('ETH')
  await page.getByRole('navigation').getByRole('link', { name: 'Wallet' }).click()
})

test('stores a snapshot of the complete total, once per hour', async () => {
  const stored = await callWallet(page, 'snapshots', account)
  const hours = new Set(stored.map(({ at }) => Math.floor(at / 3_600_000)))
  expect(stored.length).toBeGreaterThan(0)
  expect(hours.size).toBe(stored.length)
  expect(stored.every(({ chains }) => chains.join() === '1,8453')).toBe(true)
})

test('adds a network from the presets, and by hand', async () => {
  await page.locator('.filter-chip').click()
  await page.getByRole('button', { name: 'Add a network' }).click()
  await expect(page.getByRole('heading', { name: 'Add a network' })).toBeVisible()
  const names = page.getByRole('listitem').locator('.place-name')
  await expect(names.first()).toHaveText('Arbitrum')
  await expect(names.filter({ hasText: /^(Base|Ethereum)$/ })).toHaveCount(0)
  await createLook(page)('add-network')
  await names.first().click()
  const operator = findPublicChain(42161)?.rpcs[0]?.operator ?? ''
  await expect(page.getByRole('button', { name: `Use ${operator}’s public RPC` })).toBeVisible()
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await page.getByRole('button', { name: 'Add manually' }).click()
  await expect(page.getByLabel('RPC URL')).toBeVisible()
  await page.evaluate(() => location.assign('#/overview'))
})

test('paints last known values at once, and names a network that does not answer', async () => {
  await expect(page.locator('.total')).not.toHaveClass(/aged/)
  const before = await readTotal(page)
  await base.stop()
  await page.reload()
  await expect(page.locator('.total')).toContainText(before, { timeout: 3_000 })
  await expect(page.locator('.total-status')).toContainText('Base not reachable · Updated', {
    timeout: 30_000,
  })
  await expect(page.locator('.total')).toHaveClass(/aged/)
  // The other network stays up to date.
  await ethereum.client.setBalance({ address: account, value: parseEther('20') })
  await page.getByRole('button', { name: 'Refresh balances' }).click()
  const ether = page.locator(`.holding-row a[href*="0xeeee"]`, { hasText: 'Ethereum' })
  await expect(ether.locator('.holding-figures > :last-child')).toHaveText('20', { timeout: 10_000 })
  await createLook(page)('portfolio-down')
})

test('shows the native balance with values hidden', async () => {
  await page.getByRole('button', { name: 'Hide values' }).click()
  await expect(page.locator('.holding-amount')).toHaveText('20 ETH')
  await expect(page.locator('.holding-value')).toHaveCount(0)
  await expect(page.getByRole('main')).not.toContainText('$')
  await createLook(page)('portfolio-hidden')
  await page.getByRole('button', { name: 'Show values' }).click()
  await expect(page.locator('.total')).toContainText('$')
})

/** Without the words for screen readers. */
async function readTotal(page: Page): Promise<string> {
  const [value = ''] = ((await page.locator('.total').textContent()) ?? '').split(' · ')
  return value
}

/** Cents by symbol and chain id. */
async function readRows(page: Page): Promise<Map<string, bigint>> {
  const rows = await page
    .locator('.holding-row a')
    .evaluateAll((links) =>
      links.map((link) => [
        link.querySelector('.who-name')?.textContent ?? '',
        /#\/token\/(\d+)-/.exec(link.getAttribute('href') ?? '')?.[1] ?? '8453',
        link.querySelector('.holding-value')?.textContent ?? '',
      ]),
    )
  return new Map(rows.map(([symbol, chainId, value = '']) => [`${symbol} ${chainId}`, readCents(value)]))
}

function readCents(text: string): bigint {
  return BigInt(text.replace(/\D/g, '') || '0')
}

/** Rounds half up, as shown. */
function toCents(usd: bigint): bigint {
  return (usd + cent / 2n) / cent
}
