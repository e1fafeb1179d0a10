import type { Page } from '@playwright/test'
import type { Browser } from '../../dev/browser/browser.ts'
import { pause } from '../../tests/helpers/e2e/intents.ts'
import { lookAtWorker, pageHeapMb } from '../soak/memory.ts'
import { ask } from './wake.ts'

export type Weight = {
  popupMb: number[]
  workerMb: number[]
  pageKb: number[]
  pageThreadMs: number[]
  chainIdMs: number[]
}

export function noWeight(): Weight {
  return { popupMb: [], workerMb: [], pageKb: [], pageThreadMs: [], chainIdMs: [] }
}

const visits = 10
const questions = 100

/** `url` is an empty page. */
export async function weigh(
  browser: Browser,
  url: string,
  statusCall: string,
  weight: Weight,
): Promise<void> {
  const page = await browser.context.newPage()
  const popup = await browser.openPopup()
  await popup.locator('main button:not([disabled])').first().waitFor()
  await ask(popup, statusCall)
  await pause(500)
  weight.popupMb.push(await pageHeapMb(popup))
  const worker = await lookAtWorker(browser)
  if (worker !== undefined) weight.workerMb.push(worker.heapMb)
  await popup.close()

  weight.pageThreadMs.push(...(await visit(page, url)))
  weight.pageKb.push((await pageHeapMb(page)) * 1_024)
  weight.chainIdMs.push(...(await askChainId(page)))
  await page.close()
}

/** Main thread time per visit. */
async function visit(page: Page, url: string): Promise<number[]> {
  const session = await page.context().newCDPSession(page)
  const took: number[] = []
  for (let number = -3; number < visits; number++) {
    // Resets the counters.
    await session.send('Performance.disable')
    await session.send('Performance.enable')
    await page.goto(url)
    await pause(200)
    const { metrics } = await session.send('Performance.getMetrics')
    const seconds = metrics.find(({ name }) => name === 'ThreadTime')?.value ?? Number.NaN
    if (number >= 0) took.push(seconds * 1_000)
  }
  await session.detach()
  return took
}

function askChainId(page: Page): Promise<number[]> {
  return page.evaluate(async (questions) => {
    type Provider = { request(ask: { method: string }): Promise<unknown> }
    const provider = await new Promise<Provider>((resolve) => {
      addEventListener('eip6963:announceProvider', (event) =>
        resolve((event as CustomEvent<{ provider: Provider }>).detail.provider),
      )
      dispatchEvent(new Event('eip6963:requestProvider'))
    })
    const took: number[] = []
    for (let question = -10; question < questions; question++) {
      const started = performance.now()
      await provider.request({ method: 'eth_chainId' })
      if (question >= 0) took.push(performance.now() - started)
    }
    return took
  }, questions)
}
