import { type BrowserContext, type CDPSession, chromium, type Page, type Worker } from '@playwright/test'

export type Browser = {
  context: BrowserContext
  /** A view of the popup, in a tab of the popup's own size. */
  openPopup(size?: { width: number; height: number }): Promise<Page>
  /** Any file of the extension, in a tab. */
  openFile(path: string): Promise<Page>
  /** Stops the worker as Chromium does when it is idle; the next message starts a new one. True when it was seen to stop. */
  killWorker(): Promise<boolean>
  close(): Promise<void>
}

/**
 * Chromium with the built extension loaded.
 * @param extension folder of the built extension
 * @param profile folder of the profile; an empty one is a fresh wallet
 */
export async function launchBrowser(options: {
  extension: string
  profile: string
  headless: boolean
  colorScheme?: 'light' | 'dark'
  /** Nothing on the screen moves by itself, as for people who asked their system for that: pictures are alike, and drawing takes less. */
  isStill?: boolean
  /** Of the command line, besides. */
  args?: string[]
}): Promise<Browser> {
  const { extension, profile, headless, colorScheme = 'light', isStill = false, args = [] } = options
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: chromiumPath(),
    headless,
    colorScheme,
    reducedMotion: isStill ? 'reduce' : 'no-preference',
    viewport: headless ? { width: 360, height: 600 } : null,
    args: [...chromiumArguments(extension), ...args],
    // Scrollbars take their place in tests as they do for people.
    ignoreDefaultArgs: ['--hide-scrollbars'],
  })
  const worker = await whenActivated(context)
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

/**
 * Returns a service worker of the extension that is activated, of `version` if one is named. A worker that is
 * stopped while it is being installed stays redundant, and another takes its place: all are asked.
 * @throws Error with the states seen, after two minutes
 */
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

/** The version and state of a worker. One that is going away may never answer. */
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

/** Loads the extension, and asks nobody outside for anything. */
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

/** Asks over the DevTools protocol. A queued message can start the next worker before "stopped" is seen, hence the limit. */
async function stopWorkers(context: BrowserContext): Promise<boolean> {
  const page = context.pages()[0] ?? (await answered(context.newPage(), 'a new page'))
  const session = await answered(context.newCDPSession(page), 'a session of DevTools')
  const stopped = whenStopped(session)
  await answered(session.send('ServiceWorker.enable'), 'listing workers')
  await answered(session.send('ServiceWorker.stopAllWorkers'), 'stopping workers')
  const tooLong = new Promise((resolve) => setTimeout(resolve, 1_500))
  // What the browser said before this answer was heard before it, however long this process slept.
  const unseen = tooLong.then(() => session.send('ServiceWorker.enable')).then(() => false)
  const seen = await answered(Promise.race([stopped, unseen]), 'listing workers again')
  await session.detach().catch(() => undefined)
  return seen
}

/** Returns the result of `work`. Throws an error that names `what` where the browser takes over a minute. */
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
