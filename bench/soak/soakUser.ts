import type { Page } from '@playwright/test'
import { parseUnits } from 'viem'
import type { Browser } from '../../dev/browser/browser.ts'
import { callWallet, chooseToken, password, readShownState, sellAmount } from '../../dev/browser/popupPage.ts'
import type { Localnet } from '../../dev/localnet.ts'
import type { Trade } from '../../src/domain/swap/quote.ts'
import type { Swap } from '../../src/domain/swap/swap.ts'
import { type Address, nativeTokenAddress } from '../../src/domain/token/token.ts'
import { accept, insist, pause, untilOver } from '../../tests/helpers/e2e/intents.ts'

/** Swaps on screen and through the worker; survives worker restarts. */
export type SoakUser = {
  view(): Page
  swap(turn: number): Promise<void>
  reopen(): Promise<void>
  relock(): Promise<void>
  made(): number
  /** By id, since the wallet deletes the oldest. */
  swaps: Map<string, Swap>
  look(): Promise<void>
}

const maxMs = 4 * 60_000
const forth = /^(Review swap|Review again|Try again|Approve and swap|Swap)$/
const over = /^(Confirmed|Failed|Cancelled|Dropped)$/

export async function createSoakUser(
  browser: Browser,
  localnet: Localnet,
  { page: first, address }: { page: Page; address: Address },
): Promise<SoakUser> {
  const { DAI } = localnet.tokens
  const swaps = new Map<string, Swap>()
  let made = 0
  let page = first

  async function fillIn(turn: number): Promise<void> {
    await sellAmount(page).fill(String(10 + (turn % 10)))
    await page.locator('button.rate').waitFor()
  }

  async function swapByScreens(turn: number): Promise<void> {
    await fillIn(turn)
    const until = Date.now() + maxMs
    while (!(await readShownState(page, over).isVisible())) {
      if (Date.now() > until) throw new Error('A swap by the screens hangs.')
      await goOn(page, forth)
      await pause(150)
    }
    if (await readShownState(page, 'Confirmed').isVisible()) made++
    await page.getByRole('button', { name: /^(Done|Back to swap)$/ }).click()
    await sellAmount(page).waitFor()
  }

  /** Alternates directions to keep the price stable. */
  async function swapByAsking(turn: number): Promise<void> {
    const trade: Trade =
      turn % 2 === 0
        ? { chainId: localnet.chainId, sell: DAI, buy: nativeTokenAddress, amount: parseUnits('20', 18) }
        : { chainId: localnet.chainId, sell: nativeTokenAddress, buy: DAI, amount: parseUnits('0.005', 18) }
    const { outcome } = await untilOver(page, await accept(page, address, trade))
    if (outcome.status === 'done') made++
  }

  async function look(): Promise<void> {
    for (const swap of await insist(page, () => callWallet(page, 'swaps'))) swaps.set(swap.intent.id, swap)
  }

  await chooseToken(page, 'sell', 'DAI')
  await chooseToken(page, 'buy', 'WBTC')
  await fillIn(0)

  return {
    view: () => page,
    made: () => made,
    swaps,
    look,
    async swap(turn) {
      if (turn % 3 === 2) await swapByScreens(turn)
      else await within(maxMs, swapByAsking(turn))
      await look()
      // Quotes pause after five idle minutes.
      await fillIn(turn + 1)
    },
    async reopen() {
      await page.close()
      await pause(2_000)
      page = await browser.openPopup()
      await sellAmount(page).waitFor()
    },
    async relock() {
      await insist(page, () => callWallet(page, 'lock'))
      await page.getByRole('button', { name: 'Unlock' }).waitFor()
      const until = Date.now() + maxMs
      while (!(await sellAmount(page).isVisible())) {
        if (Date.now() > until) throw new Error('The wallet does not open.')
        // Must not submit the filled form.
        await goOn(page, /^Try again$/)
        await pause(150)
      }
    },
  }
}

/** Enters the password when asked. */
export async function goOn(view: Page, forth: RegExp): Promise<void> {
  const field = view.getByLabel('Password', { exact: true })
  if (await field.isVisible().catch(() => false)) {
    await field.fill(password, { timeout: 5_000 }).catch(() => undefined)
    await field.press('Enter', { timeout: 5_000 }).catch(() => undefined)
    return
  }
  const button = view.getByRole('button', { name: forth, disabled: false }).first()
  if (await button.isVisible().catch(() => false))
    await button.click({ timeout: 5_000 }).catch(() => undefined)
}

function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(reject, ms, new Error('A swap hangs.')).unref()
  })
  return Promise.race([work, late])
}
