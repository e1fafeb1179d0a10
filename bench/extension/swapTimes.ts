import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { launchBrowser } from '../../dev/browser/browser.ts'
import { chooseToken, click, sellAmount, setLocalNetwork } from '../../dev/browser/popupPage.ts'
import { createLocalnet } from '../../dev/localnet.ts'
import { createRateLimiter, type Rate } from '../../service/http/rateLimiter.ts'
import { startService } from '../../service/server.ts'
import { pause } from '../../tests/helpers/e2e/intents.ts'
import { summarise, type Times } from '../stats.ts'
import { makeWallet } from './wallet.ts'

export type SwapTimes = {
  /** Press of "Review swap" to the minimum received. */
  review: Times
  /** Press of "Approve and swap" to "You got …". */
  confirm: Times
}

const rounds = 5
/** The form gets its reverse quote and the bucket refills; its next quote comes later. */
const restMs = 3_500

/** Times swaps with an approval, on blocks of one second and at the service's `rate`. */
export async function benchSwap(extension: string, rate?: Rate): Promise<SwapTimes> {
  const localnet = await createLocalnet({ blockTimeSeconds: 1 })
  const service = await startService({
    config: localnet.config,
    rpcUrl: localnet.rpcUrl,
    port: 0,
    ...(rate && { limiter: createRateLimiter(rate) }),
  })
  const scratch = mkdtempSync(join(tmpdir(), 'sluice-bench-'))
  const browser = await launchBrowser({ extension, profile: join(scratch, 'profile'), headless: true })
  try {
    const { page } = await makeWallet(browser, localnet, service.url)
    const { v2Factory, v3Factory } = localnet.contracts
    // Public chains have market prices too.
    await setLocalNetwork(page, { market: { v2Factory, v3Factory } })
    // Transactions wait for the next block.
    await localnet.client.setAutomine(false)
    await localnet.client.setIntervalMining({ interval: 1 })
    await chooseToken(page, 'sell', 'LINK')
    await chooseToken(page, 'buy', 'DAI')
    const took: Record<keyof SwapTimes, number[]> = { review: [], confirm: [] }
    for (let round = -1; round < rounds; round++) {
      const review = await timeReview(page, String(round + 11))
      const confirm = await timeSwap(page)
      if (round < 0) continue
      took.review.push(review)
      took.confirm.push(confirm)
    }
    return { review: summarise(took.review), confirm: summarise(took.confirm) }
  } finally {
    await browser.close()
    await service.stop()
    await localnet.stop()
    rmSync(scratch, { recursive: true, force: true })
  }
}

async function timeReview(page: Page, amount: string): Promise<number> {
  await sellAmount(page).fill(amount)
  await page.getByText(/^Price impact/).waitFor()
  await pause(restMs)
  await noteClick(page)
  await page.getByRole('button', { name: 'Review swap' }).click()
  return sinceClick(page, '.side-floor [title]', '')
}

async function timeSwap(page: Page): Promise<number> {
  await noteClick(page)
  await click(page.getByRole('button', { name: 'Approve and swap' }))
  const took = await sinceClick(page, '.outcome[data-state=done]', '')
  await page.getByRole('button', { name: 'Done' }).click()
  await sellAmount(page).waitFor()
  return took
}

type Clicked = typeof window & { clickedAt: number }

function noteClick(page: Page): Promise<void> {
  return page.evaluate(() => {
    const options = { capture: true, once: true }
    window.addEventListener('click', () => Object.assign(window, { clickedAt: performance.now() }), options)
  })
}

async function sinceClick(page: Page, selector: string, text: string): Promise<number> {
  const shown = await page.waitForFunction(
    ([selector, text]) => {
      const found = document.querySelector(selector!)
      const isShown = found?.textContent?.includes(text!) ?? false
      return isShown && performance.now() - (window as Clicked).clickedAt
    },
    [selector, text],
    { polling: 20 },
  )
  return Number(await shown.jsonValue())
}
