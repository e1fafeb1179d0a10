import { type Browser, type ElementHandle, launch, type Page } from 'puppeteer-core'
import type { PageRunner } from './popupPage.ts'

/** Driven over WebDriver BiDi: Playwright needs a patched Firefox. */
export type Firefox = {
  browser: Browser
  openPopup(): Promise<Page>
  requestWindow(): Promise<Page>
  close(): Promise<void>
}

const id = 'wallet@sluice'
/** Random per profile by default. */
const uuid = '5f2cd4a6-3b1e-4d0c-9a57-0d1c8e6b2f43'
const popup = `moz-extension://${uuid}/popup.html`

/** `idleMs`: idle timeout of the event page. */
export async function launchFirefox(options: {
  extension: string
  colorScheme?: 'light' | 'dark'
  idleMs?: number
  prefs?: Record<string, unknown>
}): Promise<Firefox> {
  const { extension, colorScheme = 'light', idleMs = 30_000, prefs = {} } = options
  const browser = await launch({
    browser: 'firefox',
    executablePath: process.env.FIREFOX_PATH ?? '/usr/bin/firefox-esr',
    headless: true,
    // Required to open extension pages from outside.
    args: ['--remote-allow-system-access'],
    defaultViewport: { width: 360, height: 600 },
    extraPrefsFirefox: {
      'extensions.webextensions.uuids': JSON.stringify({ [id]: uuid }),
      'extensions.background.idle.timeout': idleMs,
      'layout.css.prefers-color-scheme.content-override': colorScheme === 'dark' ? 0 : 1,
      ...prefs,
    },
  })
  await browser.installExtension(extension)
  await closeOnboardingTab(browser)
  return {
    browser,
    async openPopup() {
      const page = await browser.newPage()
      // Firefox reports no request for extension URLs.
      page.goto(popup).catch(() => undefined)
      for (let tries = 0; tries < 1_000; tries++) {
        if (await isLoaded(page)) return page
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      throw new Error('The popup did not load.')
    },
    async requestWindow() {
      for (let tries = 0; tries < 1_000; tries++) {
        for (const page of await browser.pages()) {
          if ((await addressOf(page)) === `${popup}#requests`) return page
        }
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      throw new Error('The wallet opened no window for requests.')
    },
    close: () => browser.close(),
  }
}

/** Closes the tab that the installation opens. */
async function closeOnboardingTab(browser: Browser): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    for (const page of await browser.pages()) {
      if ((await addressOf(page)) === `${popup}#/begin`) return page.close()
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('The installation opened no tab.')
}

export function toPageRunner(page: Page): PageRunner {
  return page as unknown as PageRunner
}

/** Evaluation fails during navigation. */
function isLoaded(page: Page): Promise<boolean> {
  return page
    .evaluate(() => location.protocol === 'moz-extension:' && document.readyState === 'complete')
    .catch(() => false)
}

function addressOf(page: Page): Promise<string> {
  return page.evaluate(() => location.href).catch(() => '')
}

/** Waits for a control; Puppeteer's search misses password fields in Firefox. */
export async function find(page: Page, selector: string, name: RegExp): Promise<ElementHandle<HTMLElement>> {
  const found = await page.waitForFunction(
    (selector, source) => {
      const nameOf = (element: HTMLElement) =>
        element.getAttribute('aria-label') ??
        (element as HTMLInputElement).labels?.[0]?.textContent ??
        element.textContent ??
        ''
      return [...document.querySelectorAll<HTMLInputElement>(selector)].find(
        (element) =>
          element.checkVisibility() &&
          !element.disabled &&
          element.ariaDisabled !== 'true' &&
          // A label's control may be disabled.
          !element.querySelector('[aria-disabled=true]') &&
          new RegExp(source).test(nameOf(element).trim()),
      )
    },
    { polling: 50, timeout: 120_000 },
    selector,
    name.source,
  )
  return found as ElementHandle<HTMLElement>
}

/** Clicks a control once it is enabled, still and uncovered. */
export async function press(
  page: Page,
  name: RegExp,
  selector = 'button, a, [role=option], label',
): Promise<void> {
  const until = Date.now() + 120_000
  while (Date.now() < until) {
    if (await takesPress(page, await find(page, selector, name))) return
  }
  throw new Error(`It takes no press: ${name}`)
}

/** Blocks the click when another element is hit. */
async function takesPress(page: Page, element: ElementHandle<HTMLElement>): Promise<boolean> {
  const aim = await element.evaluateHandle(async (element) => {
    const middle = () => {
      const { x, y, width, height } = element.getBoundingClientRect()
      return { x: x + width / 2, y: y + height / 2 }
    }
    const nextFrame = () => new Promise(requestAnimationFrame)
    element.scrollIntoView({ block: 'nearest', behavior: 'instant' })
    await nextFrame()
    const before = middle()
    await nextFrame()
    const { x, y } = middle()
    const isStill = x === before.x && y === before.y
    const isMet = isStill && element.contains(document.elementFromPoint(x, y))
    const events = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click']
    const aim = {
      x,
      y,
      isMet,
      isTaken: false,
      end: () => events.map((one) => removeEventListener(one, onEvent, true)),
    }
    const onEvent = (event: Event) => {
      if (!element.contains(event.target as Node) || element.ariaDisabled === 'true') {
        event.preventDefault()
        event.stopImmediatePropagation()
      } else if (event.type === 'click') {
        aim.isTaken = true
        // The label's field gets a second click.
        aim.end()
      }
    }
    if (isMet) for (const one of events) addEventListener(one, onEvent, true)
    return aim
  })
  const { x, y, isMet } = await aim.evaluate(({ x, y, isMet }) => ({ x, y, isMet }))
  if (!isMet) return false
  await page.mouse.click(x, y)
  const taken = aim.evaluate((aim) => {
    aim.end()
    return aim.isTaken
  })
  // The click closed the page.
  return taken.catch(() => true)
}

export async function fill(page: Page, name: RegExp, text: string): Promise<void> {
  await press(page, name, 'input, textarea')
  await page.evaluate(() => (document.activeElement as HTMLInputElement).select())
  await page.keyboard.type(text)
}

export async function read(page: Page, text: RegExp, selector = 'body'): Promise<string> {
  const found = await page.waitForFunction(
    (selector, source) =>
      [...document.querySelectorAll<HTMLElement>(selector)]
        .map((element) => element.textContent)
        .find((shown) => new RegExp(source).test(shown)),
    { polling: 50, timeout: 120_000 },
    selector,
    text.source,
  )
  return (await found.jsonValue()) as string
}
