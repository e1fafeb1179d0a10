import type { Page } from '@playwright/test'
import type { Browser } from '../../dev/browser/browser.ts'
import { callWallet, password } from '../../dev/browser/popupPage.ts'
import { summarise, type Times } from '../stats.ts'

export type UnlockTimes = {
  /** Click to rendered accounts. */
  whole: Times
  /** Key derivation. */
  derivation: Times
  ours: Times
}

const rounds = 20

export async function benchUnlock(browser: Browser, opener: Page): Promise<UnlockTimes> {
  const took = { whole: [] as number[], derivation: [] as number[], ours: [] as number[] }
  for (let round = -1; round < rounds; round++) {
    await callWallet(opener, 'lock')
    const page = await browser.openPopup()
    await page.getByLabel('Password', { exact: true }).fill(password)
    const { whole, derivation } = await pressUnlock(page)
    await page.close()
    if (round < 0) continue
    took.whole.push(whole)
    took.derivation.push(derivation)
    took.ours.push(whole - derivation)
  }
  return {
    whole: summarise(took.whole),
    derivation: summarise(took.derivation),
    ours: summarise(took.ours),
  }
}

/** The derivation is the longest task: one synchronous call. */
function pressUnlock(page: Page): Promise<{ whole: number; derivation: number }> {
  return page.evaluate(async () => {
    const tasks: number[] = []
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.push(duration)
    }).observe({ type: 'longtask' })
    const shown = new Promise<number>((resolve) => {
      new MutationObserver(() => {
        if (document.querySelector('.account-choose') === null) return
        document.body.getBoundingClientRect()
        resolve(performance.now())
      }).observe(document, { childList: true, subtree: true })
    })
    const started = performance.now()
    document.querySelector<HTMLButtonElement>('button[type=submit]')?.click()
    const whole = (await shown) - started
    // Long tasks are reported afterwards.
    await new Promise((resolve) => setTimeout(resolve, 200))
    if (tasks.length === 0) throw new Error('No key was derived.')
    return { whole, derivation: Math.max(...tasks) }
  })
}
