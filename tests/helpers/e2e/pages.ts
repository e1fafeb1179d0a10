import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type BrowserContext, expect, type Page } from '@playwright/test'
import { click, type PageRunner, requestWindow } from '../../../dev/browser/popupPage.ts'
import { buildSite, type Site, serveSite } from '../../../dev/browser/site.ts'
import { test as base } from './wallet.ts'

/** The site of tests/e2e/site over real HTTP, with further documents of a test. */
export type Sites = { site: TestHost }

export type TestHost = Site & {
  /** Serves a document at a path of the host. */
  put(path: string, type: string, body: string, headers?: Record<string, string>): void
  /** The same files at another origin. */
  other: string
}

export const test = base.extend<object, Sites>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures from the pattern.
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'sluice-site-'))
      await buildSite(resolve(import.meta.dirname, '../../e2e/site'), folder)
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
 * Sends a request to the wallet. Returns the result, or the error as the page sees it, without blocking the
 * page, so that a test can use the approval window.
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

/** Approves the only pending request once its button is enabled, and waits for the window to close. */
export function approve(window: Page, label: string | RegExp): Promise<void> {
  return leave(window, label)
}

/** Rejects the only pending request. */
export function reject(window: Page): Promise<void> {
  return leave(window, /^Reject$/)
}

/** Presses the last button of a window and waits until it has closed, so that it is not found again. */
export async function leave(window: Page, label: string | RegExp): Promise<void> {
  const closed = window.waitForEvent('close')
  await click(window.getByRole('button', { name: label }))
  await closed
}

/** Connects the site to the first account and returns the accounts it sees. */
export async function connect(context: BrowserContext, page: Page): Promise<string[]> {
  const asked = request(page, 'eth_requestAccounts')
  await approve(await requestWindow(context), 'Connect')
  return (await asked).result as string[]
}

/** Simulates a covered window, which stops polling. */
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

/** Returns the number of rejections the wallet has recorded, of all sites. */
export function countRejections(popup: Page): Promise<number> {
  return popup.evaluate(async () => {
    const { session } = (globalThis as unknown as WithSession).chrome.storage
    return (await session.get('rejections')).rejections?.length ?? 0
  })
}

/**
 * Waits for `count` recorded rejections and dates them now: the wallet counts those of the last 30 s, and a
 * slow machine takes longer.
 */
export async function rejectedJustNow(popup: Page, count: number): Promise<void> {
  await expect.poll(() => countRejections(popup)).toBe(count)
  await popup.evaluate(async () => {
    const { session } = (globalThis as unknown as WithSession).chrome.storage
    const { rejections = [] } = await session.get('rejections')
    await session.set({ rejections: rejections.map((one) => ({ ...one, at: Date.now() })) })
  })
}
