import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type BrowserContext, expect, type Page } from '@playwright/test'
import { click, type PageRunner, requestWindow } from '../../dev/popupPage.ts'
import { buildSite, type Site, serveSite } from '../../dev/site.ts'
import { test as base } from './wallet.ts'

/** The site of tests/e2e/site, served over real HTTP, and whatever else a test puts beside it. */
export type Sites = { site: TestHost }

export type TestHost = Site & {
  /** Puts a document at a path of the host. */
  put(path: string, type: string, body: string, headers?: Record<string, string>): void
  /** The same files under another origin. */
  other: string
}

export const test = base.extend<object, Sites>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: playwright reads which fixtures are wanted from the pattern.
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'sluice-site-'))
      await buildSite(resolve(import.meta.dirname, 'site'), folder)
      const files: NonNullable<Parameters<typeof serveSite>[1]>['files'] = {}
      const host = await serveSite(folder, { files })
      await use({
        ...host,
        other: host.url.replace('127.0.0.1', 'localhost'),
        put(path, type, body, headers = {}) {
          files[path] = { type, body, headers }
        },
      })
      await host.stop()
      rmSync(folder, { recursive: true, force: true })
    },
    { scope: 'worker' },
  ],
})

/** Opens the site and waits until it has found the wallet. */
export async function openSite(context: BrowserContext, url: string, rpcUrl: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${url}/?rpc=${encodeURIComponent(rpcUrl)}`)
  await page.evaluate(async () => void (await window.site))
  return page
}

/**
 * Asks the wallet by a plain request. Answers its result, or the error as the page sees it.
 * The page goes on while the answer is awaited, so a test can act in the approval window.
 */
export function request(page: PageRunner, method: string, params?: unknown): Promise<Answer> {
  return page.evaluate(
    async ({ method, params }) => {
      const { provider } = await window.site
      const ask = provider.request as (ask: { method: string; params?: unknown }) => Promise<unknown>
      try {
        return { result: await ask(params === undefined ? { method } : { method, params }) }
      } catch (error) {
        const { code, message, data } = error as { code: number; message: string; data?: unknown }
        return { error: { code, message, data } }
      }
    },
    { method, params },
  )
}

export type Answer = { result?: unknown; error?: { code: number; message: string; data?: unknown } }

/** Presses the button that answers the only request that waits, as soon as it may be pressed. The window closes after it. */
export function approve(window: Page, label: string | RegExp): Promise<void> {
  return leave(window, label)
}

/** Says no to the only request that waits. */
export function reject(window: Page): Promise<void> {
  return leave(window, /^Reject$/)
}

/** Presses the last button of a window, and waits until it is gone: who looks for the next one must not find this one closing. */
export async function leave(window: Page, label: string | RegExp): Promise<void> {
  const closed = window.waitForEvent('close')
  await click(window.getByRole('button', { name: label }))
  await closed
}

/** Lets the site in with the first account, and answers what it sees. */
export async function connect(context: BrowserContext, page: Page): Promise<string[]> {
  const asked = request(page, 'eth_requestAccounts')
  await approve(await requestWindow(context), 'Connect')
  return (await asked).result as string[]
}

/** The window as it is while another one covers it: nothing is asked for what nobody sees. */
export async function lookAway(window: Page): Promise<void> {
  await window.evaluate(() => {
    Object.defineProperty(document, 'hidden', { value: true })
    document.dispatchEvent(new Event('visibilitychange'))
  })
}

type WithSession = {
  chrome: {
    storage: {
      session: {
        get(key: string): Promise<{ rejections?: { at: number }[] }>
        set(items: object): Promise<void>
      }
    }
  }
}

/** How many rejections the wallet remembers, of any site. */
export function countRejections(popup: Page): Promise<number> {
  return popup.evaluate(async () => {
    const { session } = (globalThis as unknown as WithSession).chrome.storage
    return (await session.get('rejections')).rejections?.length ?? 0
  })
}

/**
 * Waits until the wallet remembers so many rejections, and makes them all of this moment: it counts those of half a minute, and a slow
 * machine takes longer.
 */
export async function rejectedJustNow(popup: Page, count: number): Promise<void> {
  await expect.poll(() => countRejections(popup)).toBe(count)
  await popup.evaluate(async () => {
    const { session } = (globalThis as unknown as WithSession).chrome.storage
    const { rejections = [] } = await session.get('rejections')
    await session.set({ rejections: rejections.map((one) => ({ ...one, at: Date.now() })) })
  })
}
