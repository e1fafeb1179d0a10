import { type Browser, type ElementHandle, launch, type Page } from 'puppeteer-core'
import type { PageRunner } from './popupPage.ts'

/** Firefox with the built extension. It is driven by WebDriver BiDi, which Playwright does not speak with a Firefox as it is shipped. */
export type Firefox = {
  browser: Browser
  /** A view of the popup, in a tab of the popup's own size. */
  openPopup(): Promise<Page>
  /** The window in which pages' requests wait, as soon as it is there. */
  requestWindow(): Promise<Page>
  close(): Promise<void>
}

const id = 'wallet@sluice'
/** Firefox draws another one for each profile; here it is known beforehand. */
const uuid = '5f2cd4a6-3b1e-4d0c-9a57-0d1c8e6b2f43'
const popup = `moz-extension://${uuid}/popup.html`

/**
 * @param extension folder of the built extension
 * @param idleMs after how long without anything to do the worker, an event page here, is stopped; Firefox's own is 30 s
 */
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
    // Without it nobody may open an extension's page but the extension.
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
  return {
    browser,
    async openPopup() {
      const page = await browser.newPage()
      // Of such an address Firefox reports no request, for which puppeteer waits: the page is there all the same.
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

/** For what is written for Playwright, and needs no more of a page. */
export function toPageRunner(page: Page): PageRunner {
  return page as unknown as PageRunner
}

/** Firefox fails the question itself while the page changes. */
function isLoaded(page: Page): Promise<boolean> {
  return page
    .evaluate(() => location.protocol === 'moz-extension:' && document.readyState === 'complete')
    .catch(() => false)
}

/** As the page itself knows it: of a page of the extension puppeteer hears no address. */
function addressOf(page: Page): Promise<string> {
  return page.evaluate(() => location.href).catch(() => '')
}

/**
 * Waits for a control, by a selector and what it is called, and answers it. Puppeteer's own search by name finds no password fields in
 * Firefox.
 */
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
          // A label is no control, but what it ticks may rest.
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

/**
 * Presses a button, a link or a line of a list as a hand does: as soon as it may be pressed, stands still and is covered by nothing. What is
 * drawn anew or falls asleep under the press is pressed once more.
 */
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

/** Presses the middle of `element`, unless something else is there. A press that would fall on something else falls on nothing. */
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
        // A label's click is followed by that of its field.
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
  // What cannot be asked any more is a page that went away by the press.
  return taken.catch(() => true)
}

/** Types into a field, in the place of what it holds. */
export async function fill(page: Page, name: RegExp, text: string): Promise<void> {
  await press(page, name, 'input, textarea')
  await page.evaluate(() => (document.activeElement as HTMLInputElement).select())
  await page.keyboard.type(text)
}

/** Waits for a text. */
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
