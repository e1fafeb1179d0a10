import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect } from '@playwright/test'
import { formatUnits } from 'viem'
import { confirm, requestWindow, review } from '../../../dev/browser/popupPage.ts'
import { buildSite, serveSite } from '../../../dev/browser/site.ts'
import { leave, test } from '../../helpers/e2e/pages.ts'
import { balanceOf } from '../../helpers/e2e/wallet.ts'

test('shows what the demo page’s swap received, and its code', async ({ chrome, wallet, localnet }) => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-demo-'))
  await buildSite(resolve(import.meta.dirname, '../../../demo'), folder)
  const body = JSON.stringify(localnet.tokens)
  const site = await serveSite(folder, { files: { '/tokens.json': { type: 'application/json', body } } })
  try {
    const { DAI, USDC } = localnet.tokens
    const page = await chrome.context.newPage()
    await page.goto(site.url)
    await page.getByRole('button', { name: 'Connect wallet' }).click()
    const connecting = await requestWindow(chrome.context)
    const connected = connecting.waitForEvent('close')
    await connecting.getByRole('button', { name: 'Connect' }).click()
    await connected

    await page.getByRole('button', { name: 'WBTC' }).click()
    await page.getByRole('searchbox').fill('usdc')
    await page.getByRole('searchbox').press('Enter')
    const code = page.locator('#code')
    await expect(code).toContainText(`"token": "${DAI}"`)
    await expect(code).toContainText(`"pairToken": "${USDC}"`)

    const before = await balanceOf(localnet, USDC, wallet.address)
    await page.getByRole('button', { name: 'Request swap' }).click()
    const asked = await requestWindow(chrome.context)
    await review(asked)
    await confirm(asked)
    const result = page.locator('#result')
    await expect(result.getByRole('heading', { name: /^Received / })).toBeVisible({ timeout: 30_000 })
    const received = (await balanceOf(localnet, USDC, wallet.address)) - before
    await expect(result).toContainText(`Received ${formatUnits(received, 6)} USDC`)

    await leave(asked, 'Done')
    await page.getByRole('button', { name: 'Request swap' }).click()
    const again = await requestWindow(chrome.context)
    await again.getByRole('button', { name: 'Reject' }).click()
    await expect(result).toContainText('Rejected in the wallet')
  } finally {
    await site.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})
