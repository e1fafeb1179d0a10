import { type BrowserContext, expect, type Locator, type Page } from '@playwright/test'
import { decode, encode } from '../../src/domain/json.ts'
import { etherCurrency } from '../../src/domain/network/chains.ts'
import type { Network } from '../../src/domain/network/network.ts'
import type { WalletApi } from '../../src/protocol.ts'

export const password = 'correct heron battery sluice'

/** Creates a wallet whose network has an RPC, and returns its phrase. */
export async function createWallet(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Create a wallet' }).click()
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password').fill(password)
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  const phrase = await readWords(page)
  await page.getByRole('button', { name: 'I’ve written it down' }).click()
  await fillSeedWords(page, phrase)
  await openSwap(page)
  return phrase
}

export async function readWords(page: Page): Promise<string> {
  const words = page.getByRole('list', { name: 'Recovery phrase' }).getByRole('listitem')
  await words.first().waitFor()
  const texts = await words.allInnerTexts()
  return texts.map((text) => text.replace(/[\d\s]/g, '')).join(' ')
}

export async function fillSeedWords(page: Page, phrase: string): Promise<void> {
  const asked = page.getByRole('group', { name: /^Word \d+$/ })
  await asked.first().waitFor()
  for (const group of await asked.all()) {
    const number = Number((await group.locator('legend').textContent())?.replace('Word ', ''))
    await group.getByRole('radio', { name: phrase.split(' ')[number - 1] ?? '', exact: true }).check()
  }
  await page.getByRole('button', { name: 'Verify', exact: true }).click()
}

/** Waits for the reload. */
export function lock(page: PageRunner): Promise<void> {
  return waitForRefresh(page, () => callWallet(page, 'lock'))
}

/** Waits for the reload `act` causes. */
export async function waitForRefresh(page: PageRunner, act: () => Promise<void>): Promise<void> {
  await page.evaluate(() => void Object.assign(window, { isBefore: true }))
  await act().catch((error) => {
    // The page may reload before answering.
    if (!/context was destroyed|navigat/i.test(String(error))) throw error
  })
  // Evaluation fails during navigation.
  const isBefore = () => page.evaluate(() => 'isBefore' in window).catch(() => true)
  await expect.poll(isBefore, { timeout: 120_000 }).toBe(false)
}

export async function unlock(page: Page): Promise<void> {
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Unlock' }).click()
  await openSwap(page)
}

export async function openSwap(page: Page): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name: 'Swap' }).click()
  await sellAmount(page).waitFor()
}

/** Opens settings, then the given entries. */
export async function openSettings(page: Page, ...lines: string[]): Promise<void> {
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  for (const line of lines) {
    await page
      .getByRole('main')
      .getByRole('button', { name: new RegExp(`^${line}`) })
      .click()
    await page.getByRole('heading', { name: line, level: 1 }).waitFor()
  }
}

/** Returns to the tab below. */
export async function leavePages(page: Page): Promise<void> {
  const tabs = page.getByRole('navigation')
  while (!(await tabs.isVisible())) {
    const title = await page.getByRole('heading', { level: 1 }).textContent()
    await page.getByRole('button', { name: 'Back', exact: true }).click()
    await expect(
      tabs.or(page.getByRole('heading', { level: 1 }).filter({ hasNotText: title ?? '' })).first(),
    ).toBeVisible()
  }
}

export async function chooseToken(page: Page, side: 'sell' | 'buy', symbol: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^Token to ${side}`) }).click()
  const picker = page.getByRole('dialog', { name: `Token to ${side}` })
  await picker.getByRole('combobox').fill(symbol)
  await picker.getByRole('option').filter({ hasText: symbol }).first().click()
  await picker.waitFor({ state: 'detached' })
}

export function sellAmount(page: Page) {
  return page.getByLabel('You sell')
}

/** Returns the unrounded amounts. */
export async function review(page: Page): Promise<{ expected: string; floor: string }> {
  await page.getByRole('button', { name: 'Review swap' }).click()
  await page.getByRole('heading', { name: 'Review swap' }).waitFor()
  const least = page.locator('.side-floor [title]')
  const late = page.getByRole('alert').filter({ hasText: 'timed out' })
  await least.or(late).first().waitFor()
  // Requests may time out on a slow machine.
  for (
    let tries = 0;
    tries < maxPresses && (await late.count()) > 0 && (await least.count()) === 0;
    tries++
  ) {
    await page
      .getByRole('button', { name: 'Try again' })
      .click({ timeout: 5_000 })
      .catch(() => undefined)
  }
  const floor = await least.getAttribute('title')
  const expected = await page.locator('.review-expected [title]').getAttribute('title')
  return { expected: expected ?? '', floor: floor ?? '' }
}

export async function confirm(page: Page): Promise<void> {
  await click(page.getByRole('button', { name: /^(Approve and swap|Swap|Wrap|Unwrap)$/ }))
}

/** Presses until the button disappears, since redraws disable it briefly. */
export async function click(button: Locator): Promise<void> {
  // Pointer movement shortens the button's delay.
  const { mouse } = button.page()
  await mouse.move(10, 10)
  await mouse.move(90, 90)
  await button.click()
  for (let presses = 1; presses < maxPresses; presses++) {
    const gone = await button.waitFor({ state: 'hidden', timeout: 3_000 }).then(
      () => true,
      () => button.page().isClosed(),
    )
    if (gone) return
    await button.click({ timeout: 3_000 }).catch(() => undefined)
  }
  throw new Error(`It was pressed ${maxPresses} times, and is still there: ${button}`)
}

/** Presses until `effect` appears. */
export async function pressFor(button: Locator, effect: Locator): Promise<void> {
  for (let waits = 0; waits < maxPresses; waits++) {
    if (await button.isEnabled()) await button.click({ timeout: 1_000 }).catch(() => undefined)
    const isThere = await effect.waitFor({ timeout: 3_000 }).then(
      () => true,
      () => false,
    )
    if (isThere) return
  }
  throw new Error(`It was pressed for what did not come: ${effect}`)
}

const maxPresses = 30

export function readShownState(page: Page, state: RegExp | string): Locator {
  return page.locator('.outcome .entry-state').filter({ hasText: state })
}

/** Fails at once on any other outcome. */
export async function waitUntilDone(page: Page): Promise<void> {
  const over = readShownState(page, /^(Confirmed|Failed|Cancelled|Dropped)$/)
  await over.waitFor()
  await expect(over).toHaveText('Confirmed')
}

export async function requestWindow(context: BrowserContext): Promise<Page> {
  const isIt = (page: Page) => page.url().endsWith('/popup.html#requests') && !page.isClosed()
  for (let tries = 0; tries < 1_000; tries++) {
    const found = context.pages().find(isIt)
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('The wallet opened no window for requests.')
}

/** Also a Puppeteer page (firefox.ts). */
export type PageRunner = Pick<Page, 'evaluate'>

export async function callWallet<Method extends keyof WalletApi>(
  page: PageRunner,
  method: Method,
  ...args: Parameters<WalletApi[Method]>
): Promise<Awaited<ReturnType<WalletApi[Method]>>> {
  const message = encode({ channel: 'wallet', method, args })
  // A restarting worker may miss the message.
  let reply: string | undefined
  for (let tries = 0; reply === undefined && tries < maxPresses; tries++) {
    if (tries > 0) await new Promise((resolve) => setTimeout(resolve, 200))
    reply = await page.evaluate(async (message) => {
      const { chrome } = globalThis as unknown as {
        chrome: { runtime: { sendMessage(text: string): Promise<string> } }
      }
      return chrome.runtime.sendMessage(message).catch((error) => {
        if (!String(error).includes('Receiving end does not exist')) throw error
        return undefined
      })
    }, message)
  }
  if (reply === undefined) throw new Error(`${method}: no worker heard it.`)
  const answer = decode(reply) as { value: unknown; error?: { code: string; message: string } }
  if (answer.error) throw new Error(`${method}: ${answer.error.code}, ${answer.error.message}`)
  return answer.value as Awaited<ReturnType<WalletApi[Method]>>
}

/** Changes the local network. Adds it, and makes it the current one, in builds without it. */
export async function setLocalNetwork(page: PageRunner, changes: Partial<Network>): Promise<void> {
  const { networks } = await callWallet(page, 'settings')
  const found = networks.find(({ chainId }) => chainId === 31337)
  await callWallet(
    page,
    'saveSettings',
    found
      ? { networks: [{ ...found, ...changes }] }
      : { added: [{ ...localNetwork, ...changes }], chainId: 31337 },
  )
}

/** As in src/config.ts, which only builds can read. */
export const localNetwork: Network = {
  chainId: 31337,
  name: 'Local',
  coin: etherCurrency,
  serviceUrl: '',
  rpcUrl: '',
  confirmations: 1,
  quoteEveryMs: 6_000,
}
