import type { Page } from '@playwright/test'
import { chooseToken, sellAmount } from '../../dev/browser/popupPage.ts'
import { type HttpServer, startHttpServer } from '../../tests/helpers/httpServer.ts'
import { summarise, type Times } from '../stats.ts'

const rounds = 30
/** Avoids the wallet's rate limit. */
const restMs = 2_500

/** Proxy recording the latency per path. */
export type TimedService = HttpServer & { took: Map<string, number> }

export async function timeService(target: string): Promise<TimedService> {
  const took = new Map<string, number>()
  const server = await startHttpServer(async ({ url = '' }, response) => {
    const started = performance.now()
    const answer = await fetch(target + url)
    const text = await answer.text()
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text)
    took.set(url, performance.now() - started)
  })
  return { ...server, took }
}

/** Excludes debounce and service time. */
export async function benchQuotes(page: Page, service: TimedService): Promise<Times> {
  await chooseToken(page, 'sell', 'DAI')
  await chooseToken(page, 'buy', 'WBTC')
  await sellAmount(page).fill('99')
  await page.locator('button.rate').waitFor()
  await noteQuestions(page)
  const took: number[] = []
  for (let round = -3; round < rounds; round++) {
    await new Promise((resolve) => setTimeout(resolve, restMs))
    const amount = 200 + round
    const beyond = (await priceOf(page, String(amount))) - serviceTime(service, amount)
    if (round >= 0) took.push(beyond)
  }
  return summarise(took)
}

function serviceTime({ took }: TimedService, amount: number): number {
  const [, ms] =
    [...took].find(([url]) => url.includes(`/quote?`) && url.includes(`=${amount}${'0'.repeat(18)}&`)) ?? []
  if (ms === undefined) throw new Error(`The service was not asked for the price of ${amount}.`)
  return ms
}

type Asking = typeof window & { askedAt: number }

function noteQuestions(page: Page): Promise<void> {
  return page.evaluate(() => {
    const { browser, chrome } = globalThis as unknown as Record<
      string,
      typeof import('wxt/browser').browser | undefined
    >
    const { runtime } = browser?.runtime?.id === undefined ? chrome! : browser
    const send = runtime.sendMessage.bind(runtime) as (message: unknown) => Promise<unknown>
    Object.assign(runtime, {
      // The loader wraps named functions in a helper missing in the page.
      sendMessage(message: unknown) {
        if (String(message).includes('"method":"quote"')) (window as Asking).askedAt = performance.now()
        return send(message)
      },
    })
  })
}

function priceOf(page: Page, amount: string): Promise<number> {
  return page.evaluate(async (amount) => {
    const asking = window as Asking
    const field = document.querySelector<HTMLInputElement>('main input')
    if (field === null) throw new Error('The form is not open.')
    asking.askedAt = Number.POSITIVE_INFINITY
    const shown = new Promise<number>((resolve) => {
      const observer = new MutationObserver(() => {
        if (asking.askedAt > performance.now() || document.querySelector('button.rate') === null) return
        observer.disconnect()
        document.body.getBoundingClientRect()
        resolve(performance.now())
      })
      observer.observe(document, { childList: true, subtree: true, characterData: true })
    })
    field.value = amount
    field.dispatchEvent(new InputEvent('input', { bubbles: true }))
    return (await shown) - asking.askedAt
  }, amount)
}
