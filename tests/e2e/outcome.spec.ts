import { readFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import { erc20Abi, parseEventLogs } from 'viem'
import type { Browser } from '../../dev/browser/browser.ts'
import {
  callWallet,
  chooseToken,
  confirm,
  openSwap,
  review,
  sellAmount,
  waitUntilDone,
} from '../../dev/browser/popupPage.ts'
import { formatExact } from '../../src/domain/token/amount.ts'
import type { Hex } from '../../src/domain/token/token.ts'
import { createLook } from '../helpers/e2e/looks.ts'
import { test } from '../helpers/e2e/wallet.ts'

test('follows a swap step by step, and compares its receipt with what was promised', async ({
  wallet,
  localnet,
  chrome,
}) => {
  const { page, address } = wallet
  const { client } = localnet
  const look = createLook(page)
  await openSwap(page)
  await chooseToken(page, 'sell', 'DAI')
  await chooseToken(page, 'buy', 'USDC')
  await sellAmount(page).fill('1000')
  await review(page)
  expect(await badgeOf(chrome)).toBe('')
  await client.setAutomine(false)
  try {
    await confirm(page)
    const progress = page.getByRole('region', { name: 'Progress' })
    await expect(progress).toContainText(/^\d of 2 · \w+/)
    await expect(progress.getByRole('progressbar')).toHaveAttribute('aria-valuemax', '2')
    await expect(progress).toContainText(/Elapsed 0:\d\d/)
    // Blocks on demand have a usual time only if earlier tests happened to mine at a steady pace.
    const isSteady = (await callWallet(page, 'blockInterval', 31337)) !== undefined
    if (isSteady) await expect(progress).toContainText('usually')
    else await expect(progress).not.toContainText('usually')
    await expect.poll(() => badgeOf(chrome)).toBe('1')

    // A restarted worker still counts it.
    await chrome.killWorker()
    await callWallet(page, 'swaps')
    await expect.poll(() => badgeOf(chrome)).toBe('1')

    const steps = page.getByRole('heading', { name: /^Transactions?$/ })
    await steps.waitFor()
    const topOf = async () => (await page.locator('.steps').boundingBox())?.y
    const before = await topOf()
    await expect(page.getByRole('button', { name: 'Speed up' })).toBeVisible({ timeout: 20_000 })
    expect(await topOf()).toBe(before)
    await look('swap-progress')
  } finally {
    await client.setAutomine(true)
    await client.mine({ blocks: 1 })
  }
  await waitUntilDone(page)
  await expect.poll(() => badgeOf(chrome)).toBe('')

  const [swap] = await callWallet(page, 'swaps')
  const receipt = await client.getTransactionReceipt({ hash: swap?.steps.at(-1)?.hash as Hex })
  const received = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs: receipt.logs })
    .filter(({ address: token, args }) => isSame(token, localnet.tokens.USDC) && isSame(args.to, address))
    .reduce((sum, { args }) => sum + args.value, 0n)
  expect(received).toBeGreaterThan(0n)
  const shownAt = (kind: string) =>
    page.locator(`.kept-mark[data-kind="${kind}"] [title]`).getAttribute('title')
  const plain = async (kind: string) => (await shownAt(kind))?.replace(' USDC', '').replaceAll(',', '')
  expect(await plain('got')).toBe(formatExact(received, 6))
  expect(await plain('minimum')).toBe(formatExact(swap?.intent.floor ?? 0n, 6))
  expect(await plain('expected')).toBe(formatExact(swap?.intent.shown?.returns ?? 0n, 6))
  await expect(page.getByText(/^You got/)).toContainText('USDC')
  const kept = page.locator('.kept-words')
  await expect(kept).toHaveText(/^Minimum kept\d[\d.]*% more than the guaranteed minimum$/)
  await expect(page.getByText('Net value after fees')).toBeVisible()
  expect(swap?.intent.shown?.market).toBeGreaterThan(0n)
  await look('swap-done')
  await page.getByText('Net value after fees').scrollIntoViewIfNeeded()
  await look('swap-done-costs')

  await page.getByRole('button', { name: 'Share' }).click()
  const sheet = page.getByRole('dialog', { name: 'Share' })
  await expect(sheet.getByRole('img')).toHaveAccessibleName(/^DAI → USDC, Minimum kept/)
  await look('swap-share')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    sheet.getByRole('button', { name: 'Save image' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^sluice-swap-\d{4}-\d\d-\d\d\.png$/)
  const picture = readFileSync(await file.path())
  // Width and height in the header chunk of PNG.
  expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([1200, 630])
  await chrome.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await sheet.getByRole('button', { name: 'Copy image' }).click()
  await expect(sheet.getByRole('status')).toHaveText('Image copied')
  const copied = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read()
    const bitmap = item && (await createImageBitmap(await item.getType('image/png')))
    return { types: item?.types, size: [bitmap?.width, bitmap?.height] }
  })
  expect(copied).toEqual({ types: ['image/png'], size: [1200, 630] })
  await sheet.getByRole('button', { name: 'Close' }).click()

  await page.getByRole('button', { name: 'Swap again' }).click()
  await expect(sellAmount(page)).toHaveValue(/1.?000/)
  await page.getByRole('button', { name: 'Review swap' }).waitFor()
})

type Action = { chrome: { action: { getBadgeText(details: object): Promise<string> } } }

async function badgeOf({ context }: Browser): Promise<string | undefined> {
  const [worker] = context.serviceWorkers()
  return worker?.evaluate(() => (globalThis as unknown as Action).chrome.action.getBadgeText({}))
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
