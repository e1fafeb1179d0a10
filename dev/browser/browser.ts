import { existsSync, readdirSync } from 'node:fs'
import { type BrowserContext, type CDPSession, chromium, type Page, type Worker } from '@playwright/test'

export type Browser = {
  context: BrowserContext
  openPopup(size?: { width: number; height: number }): Promise<Page>
  openFile(path: string): Promise<Page>
  /** Stops the worker as an idle timeout would; true once seen stopped. */
  killWorker(): Promise<boolean>
  close(): Promise<void>
}

/** An empty `profile` is a fresh wallet. */
export async function launchBrowser(options: {
  extension: string
  profile: string
  headless: boolean
  colorScheme?: 'light' | 'dark'
  /** Reduces motion. */
  isStill?: boolean
  /** Keeps the tab that the installation opens. */
  keepsTab?: boolean
  args?: string[]
}): Promise<Browser> {
  const {
    extension,
    profile,
    headless,
    colorScheme = 'light',
    isStill = false,
    keepsTab = false,
    args = [],
  } = options
  const isFresh = !existsSync(profile) || readdirSync(profile).length === 0
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: chromiumPath(),
    headless,
    colorScheme,
    reducedMotion: isStill ? 'reduce' : 'no-preference',
    viewport: headless ? { width: 360, height: 600 } : null,
    args: [...chromiumArguments(extension), ...args],
    // Scrollbars take space.
    ignoreDefaultArgs: ['--hide-scrollbars'],
  })
  const closing = keepsTab ? undefined : closeOnboardingTabs(context)
  const worker = await whenActivated(context)
  // An older version may open none.
  if (isFresh) await Promise.race([closing, new Promise((resolve) => setTimeout(resolve, 10_000))])
  const origin = worker.url().replace(/\/[^/]*$/, '')
  async function openFile(path: string, size?: { width: number; height: number }): Promise<Page> {
    const page = await context.newPage()
    if (headless && size) await page.setViewportSize(size)
    await page.goto(`${origin}/${path}`)
    return page
  }
  return {
    context,
    openPopup: (size = { width: 360, height: 600 }) => openFile('popup.html', size),
    openFile: (path) => openFile(path),
    killWorker: () => stopWorkers(context),
    close: () => answered(context.close(), 'closing'),
  }
}

/** Chromium reports an installation at each start with `--load-extension`. Resolves with the first tab. */
function closeOnboardingTabs(context: BrowserContext): Promise<void> {
  return new Promise((resolve) => {
    const look = async (page: Page) => {
      if (!page.url().endsWith(onboardingTab)) return
      // It may have closed with the browser.
      await page.close().catch(() => undefined)
      resolve()
    }
    context.on('page', look)
    for (const page of context.pages()) look(page)
  })
}

/** URL of the tab that the installation opens (src/background/onboardingTab.ts). */
export const onboardingTab = '/popup.html#/begin'

/** Throws after two minutes. Checks all workers: one stopped during installation stays redundant. */
export async function whenActivated(context: BrowserContext, version?: string): Promise<Worker> {
  let seen: string[] = []
  for (const end = Date.now() + 120_000; Date.now() < end; ) {
    const workers = context.serviceWorkers()
    const states = await Promise.all(workers.map(stateOf))
    const ready = states.findIndex(
      (state) => /^\S+ activated$/.test(state) && state.startsWith(version ?? ''),
    )
    if (workers[ready] !== undefined) return workers[ready]
    seen = states
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(
    `No service worker${version ? ` of ${version}` : ''} was activated: ${seen.join() || 'none'}.`,
  )
}

/** A stopping worker may never answer. */
function stateOf(worker: Worker): Promise<string> {
  const asked = worker
    .evaluate(() => {
      const { chrome, serviceWorker } = self as unknown as {
        chrome: { runtime: { getManifest(): { version: string } } }
        serviceWorker: { state: string }
      }
      return `${chrome.runtime.getManifest().version} ${serviceWorker.state}`
    })
    .catch(() => 'gone')
  return Promise.race([asked, new Promise<string>((resolve) => setTimeout(resolve, 5_000, 'silent'))])
}

export function chromiumPath(): string {
  return process.env.CHROMIUM ?? '/usr/bin/chromium'
}

export function chromiumArguments(extension: string): string[] {
  return [
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    `--load-extension=${extension}`,
    `--disable-extensions-except=${extension}`,
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
  ]
}

/** Limited in time: a queued message may start the next worker before "stopped" is seen. */
async function stopWorkers(context: BrowserContext): Promise<boolean> {
  const page = context.pages()[0] ?? (await answered(context.newPage(), 'a new page'))
  const session = await answered(context.newCDPSession(page), 'a session of DevTools')
  const stopped = whenStopped(session)
  await answered(session.send('ServiceWorker.enable'), 'listing workers')
  await answered(session.send('ServiceWorker.stopAllWorkers'), 'stopping workers')
  const tooLong = new Promise((resolve) => setTimeout(resolve, 1_500))
  // Earlier events arrive before this response.
  const unseen = tooLong.then(() => session.send('ServiceWorker.enable')).then(() => false)
  const seen = await answered(Promise.race([stopped, unseen]), 'listing workers again')
  await session.detach().catch(() => undefined)
  return seen
}

/** Throws after a minute. */
function answered<Result>(work: Promise<Result>, what: string): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The browser does not answer: ${what}.`)), 60_000)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

function whenStopped(session: CDPSession): Promise<true> {
  return new Promise((resolve) => {
    session.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
      if (versions.some((version) => version.runningStatus === 'stopped')) resolve(true)
    })
  })
}
