import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { formatExact } from '../../src/domain/token/amount.ts'
import type { Address } from '../../src/domain/token/token.ts'
import type { Localnet } from '../localnet.ts'
import type { Browser } from './browser.ts'
import {
  callWallet,
  chooseToken,
  confirm,
  createWallet,
  requestWindow,
  review,
  sellAmount,
  waitUntilDone,
} from './popupPage.ts'

export type RunTourOptions = {
  browser: Browser
  localnet: Localnet
  demoUrl: string
  screenshots: string
  say(line: string): void
}

/** Creates and funds a wallet, swaps on screen, then swaps for a dapp. */
export async function runTour({
  browser,
  localnet,
  demoUrl,
  screenshots,
  say,
}: RunTourOptions): Promise<void> {
  mkdirSync(screenshots, { recursive: true })
  const page = await browser.openPopup()
  const shoot = (name: string) =>
    page.screenshot({ path: join(screenshots, `${name}.png`), animations: 'disabled' })

  say('\nCreating a wallet')
  await page.getByRole('button', { name: 'Create a wallet' }).waitFor()
  await shoot('1-welcome')
  await createWallet(page)
  const account = await ownAddress(page)
  say(`  account       ${account}`)

  await page.getByRole('button', { name: 'Get test funds' }).click()
  await page.getByRole('button', { name: 'Enter an amount' }).waitFor()
  const before = await holdings(localnet, account)
  say(`  balances      ${before.text}`)

  say('Asking for a price of 1,000 DAI in WBTC')
  await chooseToken(page, 'sell', 'DAI')
  await chooseToken(page, 'buy', 'WBTC')
  await sellAmount(page).fill('1000')
  await page.getByRole('button', { name: 'Review swap' }).waitFor()
  await shoot('2-price')
  say(`  price         ${await page.locator('.rate').textContent()}`)
  say(`  route         ${await page.locator('.route .unseen').textContent()}`)

  say('Approving and swapping')
  const { floor } = await review(page)
  // New buttons are disabled briefly.
  await page.locator('button.main[aria-disabled="false"]').waitFor()
  await shoot('3-review')
  say(`  at least      ${floor}`)
  await confirm(page)
  await waitUntilDone(page)
  await shoot('4-done')

  const [swap] = await callWallet(page, 'swaps')
  for (const step of swap?.steps ?? []) say(`  ${step.kind.padEnd(13)} ${step.hash}`)
  const after = await holdings(localnet, account)
  say(`  balances      ${after.text}`)
  say(
    `  received      ${formatExact(after.WBTC - before.WBTC, 8)} WBTC for ${formatExact(before.DAI - after.DAI, 18)} DAI`,
  )

  say('A page asks for a swap')
  await swapForPage(browser, demoUrl, { screenshots, say })
  const last = await holdings(localnet, account)
  say(`  balances      ${last.text}`)
  say(`\nScreenshots are in ${screenshots}`)
}

async function swapForPage(
  { context }: Browser,
  demoUrl: string,
  { screenshots, say }: Pick<RunTourOptions, 'screenshots' | 'say'>,
): Promise<void> {
  const site = await context.newPage()
  await site.setViewportSize({ width: 1100, height: 900 })
  await site.goto(demoUrl)
  await site.getByRole('button', { name: 'Connect wallet' }).click()
  const connecting = await requestWindow(context)
  const connected = connecting.waitForEvent('close')
  await connecting.getByRole('button', { name: 'Connect' }).click()
  // Or the closing window is taken for the next request's.
  await connected
  await site.getByRole('button', { name: 'Request swap' }).click()
  const window = await requestWindow(context)
  await window.getByRole('button', { name: 'Review swap' }).waitFor()
  await window.screenshot({ path: join(screenshots, '5-request.png') })
  await review(window)
  await confirm(window)
  await site.locator('#result[data-state="done"]').waitFor({ timeout: 30_000 })
  await site.screenshot({ path: join(screenshots, '6-answered.png'), fullPage: true })
  say('  the page got its receipt')
}

async function ownAddress(page: Page): Promise<Address> {
  const status = await callWallet(page, 'status')
  const address = status.vault === 'unlocked' ? status.accounts[0]?.address : undefined
  if (address === undefined) throw new Error('The new wallet has no account.')
  return address
}

async function holdings(localnet: Localnet, owner: Address) {
  const read = (token: Address) =>
    localnet.client.readContract({
      address: token,
      abi: balanceAbi,
      functionName: 'balanceOf',
      args: [owner],
    })
  const [coin, DAI, WBTC] = await Promise.all([
    localnet.client.getBalance({ address: owner }),
    read(localnet.tokens.DAI),
    read(localnet.tokens.WBTC),
  ])
  const text = `${formatExact(coin, 18)} ETH, ${formatExact(DAI, 18)} DAI, ${formatExact(WBTC, 8)} WBTC`
  return { DAI, WBTC, text }
}

const balanceAbi = [
  {
    type: 'function',
    name: 'balanceOf',
    stateMutability: 'view',
    inputs: [{ name: 'owner', type: 'address' }],
    outputs: [{ type: 'uint256' }],
  },
] as const
