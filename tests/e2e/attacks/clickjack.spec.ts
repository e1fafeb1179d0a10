import { expect, type Page } from '@playwright/test'
import { toHex } from 'viem'
import { callWallet, requestWindow } from '../../../dev/browser/popupPage.ts'
import { connect, openSite, reject, request, test } from '../../helpers/e2e/pages.ts'
import type { Wallet } from '../../helpers/e2e/wallet.ts'
import { randomFrom } from '../../helpers/random.ts'
import { runs } from '../../helpers/runs.ts'

// Clickjacking: a page makes the user press one place rhythmically while it sends a dapp request.

const random = randomFrom(6)
const storms = runs(6, 21)

test(`confirms nothing in ${storms} storms of clicks and keys at 1 to 20 Hz, and confirms a single press afterwards`, async ({
  chrome,
  wallet,
  localnet,
  site,
}) => {
  test.setTimeout(600_000)
  const { context } = chrome
  const page = await openSite(context, site.url, localnet.rpcUrl)
  await connect(context, page)
  let presses = 0
  for (let storm = 0; storm < storms; storm++) {
    const hertz = 1 + (19 * storm) / (storms - 1)
    const by = (['mouse', 'Enter', 'Space'] as const)[storm % 3] ?? 'mouse'
    const opened = context.waitForEvent('page')
    const asked = sign(page, wallet, `storm ${storm}`)
    // Starts with the window's first frame, at the future place of the button.
    const window = await opened
    const at = { x: 252, y: 560 }
    presses += await press(window, at, { by, hertz, ms: 5_000 })
    const button = window.getByRole('button', { name: 'Sign', exact: true })
    expect(window.isClosed(), `${by} at ${hertz} Hz`).toBe(false)
    expect(await callWallet(wallet.page, 'approvals')).toHaveLength(1)

    await expect(button).toBeEnabled()
    if (by !== 'mouse') await button.focus()
    const closed = window.waitForEvent('close')
    const pressed = by === 'mouse' ? window.mouse.click(at.x, at.y) : window.keyboard.press(by)
    // Enter confirms on keydown, so the window may close before keyup.
    await pressed.catch((error: unknown) => {
      if (!window.isClosed()) throw error
    })
    await closed
    expect((await asked).result).toMatch(/^0x[0-9a-f]{130}$/)
  }
  console.log(`19: ${storms} storms, ${presses} presses, none of which confirmed`)
})

test('ignores a storm of clicks on a warning’s checkbox and on the next request', async ({
  chrome,
  wallet,
  localnet,
  site,
}) => {
  const { context } = chrome
  const page = await openSite(context, site.url, localnet.rpcUrl)
  await connect(context, page)
  const unlimited = `0x095ea7b3${localnet.tokens.WBTC.slice(2).padStart(64, '0')}${'f'.repeat(64)}`
  const asked = request(page, 'eth_sendTransaction', [
    { from: wallet.address, to: localnet.tokens.DAI, data: unlimited },
  ])
  const warning = await requestWindow(context)
  const tick = warning.getByRole('checkbox')
  const box = await placeOf(tick)
  await press(warning, box, { by: 'mouse', hertz: 4, ms: 4_000 })
  await expect(tick).not.toBeChecked()
  await expect(tick).toBeEnabled()
  await warning.mouse.click(box.x, box.y)
  await expect(tick).toBeChecked()
  await reject(warning)
  expect((await asked).error).toMatchObject({ code: 4001 })

  const [first, second] = ['first', 'second'].map((text) => sign(page, wallet, text))
  const window = await requestWindow(context)
  await window.getByText('1 of 2').waitFor()
  const button = window.getByRole('button', { name: 'Sign', exact: true })
  await expect(button).toBeEnabled()
  const at = await placeOf(button)
  // The first click is intended; later ones come too late for it.
  await press(window, at, { by: 'mouse', hertz: 8, ms: 3_000 })
  expect((await first)?.result).toMatch(/^0x[0-9a-f]{130}$/)
  expect(await callWallet(wallet.page, 'approvals')).toHaveLength(1)
  await reject(window)
  expect((await second)?.error).toMatchObject({ code: 4001 })
})

test('ignores a press held through the button’s pause, and tells screen readers why', async ({
  chrome,
  wallet,
  localnet,
  site,
}) => {
  const { context } = chrome
  const page = await openSite(context, site.url, localnet.rpcUrl)
  await connect(context, page)
  const asked = sign(page, wallet, 'held')
  const window = await requestWindow(context)
  const button = window.getByRole('button', { name: 'Sign', exact: true })
  await expect(button).toBeEnabled()
  const { x, y } = await placeOf(button)
  await window.mouse.move(x, y)
  await window.mouse.down()
  // The layout moves under the pointer.
  await window.setViewportSize({ width: 361, height: 600 })
  await expect(button).toHaveAccessibleDescription(/pauses after every change/)
  await window.waitForTimeout(3_000)
  await window.mouse.up()
  await expect(window.getByText('Too early. Wait a moment, then press once.')).toBeAttached()
  expect(await callWallet(wallet.page, 'approvals')).toHaveLength(1)
  await expect(button).toBeEnabled()
  await expect(button).not.toHaveAccessibleDescription(/./)
  await reject(window)
  expect((await asked).error).toMatchObject({ code: 4001 })
})

function sign(page: Page, wallet: Wallet, text: string) {
  return request(page, 'personal_sign', [toHex(text), wallet.address])
}

type Place = { x: number; y: number }

async function placeOf(control: ReturnType<Page['locator']>): Promise<Place> {
  await control.waitFor()
  const { x, y, width, height } = (await control.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  return { x: x + width / 2, y: y + height / 2 }
}

type Storm = { by: 'mouse' | 'Enter' | 'Space'; hertz: number; ms: number }

/**
 * Presses around one place at slightly irregular intervals. Ends at a pause too long for a rhythm, caused by
 * a slow machine.
 */
async function press(window: Page, { x, y }: Place, { by, hertz, ms }: Storm): Promise<number> {
  const until = Date.now() + ms
  let presses = 0
  let last = Date.now()
  await window.waitForTimeout((random() * 1_000) / hertz)
  while (Date.now() < until && Date.now() - last < 1_600) {
    last = Date.now()
    const next = last + (1_000 / hertz) * (0.7 + 0.6 * random())
    presses += 1
    // Worst case: the button already has the focus.
    if (by !== 'mouse') await window.evaluate(focusMain)
    if (by === 'mouse') await window.mouse.click(x + 4 * random() - 2, y + 4 * random() - 2)
    else await window.keyboard.press(by)
    await window.waitForTimeout(Math.max(0, next - Date.now()))
  }
  return presses
}

/** Runs in the window. */
function focusMain(): void {
  document.querySelector<HTMLElement>('.request .main')?.focus()
}
