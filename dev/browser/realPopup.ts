import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, launch, type Page, type Target } from 'puppeteer-core'
import { chromiumPath, onboardingTab } from './browser.ts'

/** Chromium with a real toolbar popup, which closes on blur or Escape. */
export type HeadedBrowser = {
  browser: Browser
  openPopup(): Promise<Page>
  closePopup(): Promise<void>
  isPopupOpen(): boolean
  /** Sends a key to the focused element, also of browser prompts. */
  press(key: string): Promise<void>
  /** The prompt closes the popup. */
  answerPrompt(answer: 'allow' | 'deny'): Promise<void>
  close(): Promise<void>
}

/** Starts Chromium on Xvfb. */
export async function launchHeaded({
  extension,
  keepsTab = false,
  args = [],
}: {
  extension: string
  /** Keeps the tab that the installation opens. */
  keepsTab?: boolean
  args?: string[]
}): Promise<HeadedBrowser> {
  const screen = await startScreen()
  const profile = mkdtempSync(join(tmpdir(), 'sluice-headed-'))
  const browser = await launch({
    executablePath: chromiumPath(),
    headless: false,
    pipe: true,
    enableExtensions: [extension],
    userDataDir: profile,
    defaultViewport: null,
    env: { ...process.env, DISPLAY: screen.display },
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--no-first-run',
      '--window-size=1280,900',
      '--disable-background-networking',
      '--disable-component-update',
      '--lang=en-US',
      // No test contacts a public host.
      '--host-resolver-rules=MAP *.org ~NOTFOUND, MAP *.com ~NOTFOUND',
      ...args,
    ],
  })
  const isWorker = (target: Target) =>
    target.type() === 'service_worker' && target.url().startsWith('chrome-extension://')
  const isPopup = (target: Target) => /^chrome-extension:.*\/popup\.html/.test(target.url())
  const findPopup = () => browser.targets().find(isPopup)
  const isOnboarding = (target: Target) => target.url().endsWith(onboardingTab)
  const tab = await browser.waitForTarget(isOnboarding, { timeout: 120_000 })
  if (!keepsTab) await (await tab.asPage()).close()
  async function press(key: string): Promise<void> {
    const child = spawn('xdotool', ['key', '--clearmodifiers', key], {
      env: { ...process.env, DISPLAY: screen.display },
      stdio: 'ignore',
    })
    const [status] = await once(child, 'exit')
    if (status !== 0) throw new Error(`xdotool could not press ${key}.`)
  }
  return {
    browser,
    async openPopup() {
      const worker = await (await browser.waitForTarget(isWorker, { timeout: 120_000 })).worker()
      if (worker === null) throw new Error('The extension has no worker.')
      await worker.evaluate(() =>
        (globalThis as unknown as { chrome: typeof import('wxt/browser').browser }).chrome.action.openPopup(),
      )
      const page = await (await browser.waitForTarget(isPopup, { timeout: 120_000 })).asPage()
      await page.waitForSelector('button', { timeout: 120_000 })
      return page
    },
    async closePopup() {
      await (await findPopup()?.asPage())?.close()
      while (findPopup() !== undefined) await new Promise((resolve) => setTimeout(resolve, 50))
    },
    isPopupOpen: () => findPopup() !== undefined,
    press,
    async answerPrompt(answer) {
      while (findPopup() !== undefined) await new Promise((resolve) => setTimeout(resolve, 50))
      // New prompts ignore input briefly.
      await new Promise((resolve) => setTimeout(resolve, 2_000))
      // Deny has the initial focus.
      for (const key of answer === 'allow' ? ['Tab', 'Return'] : ['Escape']) {
        await press(key)
        await new Promise((resolve) => setTimeout(resolve, 300))
      }
    },
    async close() {
      await browser.close()
      await screen.stop()
      rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
    },
  }
}

/** Xvfb writes its display number to descriptor 3. */
async function startScreen(): Promise<{ display: string; stop(): Promise<void> }> {
  const child: ChildProcess = spawn(
    'Xvfb',
    ['-displayfd', '3', '-screen', '0', '1280x960x24', '-nolisten', 'tcp'],
    {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    },
  )
  const gone = once(child, 'exit')
  const failed = Promise.race([once(child, 'error'), gone]).then(([why]) => {
    throw new Error(`Xvfb did not start: ${why}`)
  })
  const output = child.stdio[3]
  if (!output) throw new Error('Xvfb has no output.')
  const [line] = (await Promise.race([once(output, 'data'), failed])) as [Buffer]
  failed.catch(() => undefined)
  return {
    display: `:${line.toString().trim()}`,
    async stop() {
      child.kill()
      await gone
    },
  }
}
