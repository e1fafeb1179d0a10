import { expect, type Locator, type Page } from '@playwright/test'
import { callWallet, sellAmount, setLocalNetwork } from '../../../dev/browser/popupPage.ts'
import { type Address, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { test, type Wallet } from '../../helpers/e2e/wallet.ts'

const friend: Address = `0x${'f1'.repeat(20)}`
const longName = 'Margaret Hamilton long journey 1'

test('truncates a long Latin name at its end, also in a right-to-left language', async ({
  wallet: { page, address },
}) => {
  await setLocalNetwork(page, { name: 'Long Latin network name of mine' })
  await callWallet(page, 'changeAccount', address, { name: longName })
  for (const language of ['en', 'ar'] as const) {
    await callWallet(page, 'saveSettings', { language })
    await expect(page.locator(`html[lang="${language}"]`)).toBeAttached()
    const name = page.locator('.top .who-name')
    await expect(name).toHaveText(longName)
    for (const cut of [name, page.locator('.top .network-name')]) {
      expect(await isInSight(cut, 0), `${language}: the first letter`).toBe(true)
      expect(await isInSight(cut, -1), `${language}: the last letter`).toBe(false)
    }
  }
})

test('truncates no amount in German at a width of 320 pixels', async ({ wallet, localnet }) => {
  const { page } = wallet
  await send(wallet, nativeTokenAddress, 1n)
  await send(wallet, localnet.tokens.DAI, 12_345_678_901_234_567_890n)
  await callWallet(page, 'saveSettings', { language: 'de' })
  await page.setViewportSize({ width: 320, height: 600 })
  await page.locator('#sell-amount').fill('1,234567890123456789')
  await expect(page.locator('.rate')).toContainText('USDC')
  expect(await cutOf(page, '.rate, .rows dd, .held, #sell-amount-line')).toEqual([])
  await page.locator('.act .main').click()
  await expect(page.locator('.side-floor [title]')).toBeVisible()
  expect(await cutOf(page, '.side-amount, .rows dd')).toEqual([])
  await page.locator('.page-head .round').click()
  await page.locator('.tabs a').first().click()
  await expect(page.locator('.act-amounts')).toHaveCount(2)
  expect(await cutOf(page, '.holding-amount, .list-row > .num, .act-amounts')).toEqual([])
})

test('keeps an amount error and the network fields clear of the elements below', async ({
  wallet: { page },
}) => {
  await sellAmount(page).fill('9999999')
  const fault = page.getByText(/^Insufficient balance: /)
  await expect(fault).toBeVisible()
  const line = await boxOf(page.locator('#sell-amount-line'))
  const flip = await boxOf(page.locator('.flip'))
  expect(flip.y).toBeGreaterThanOrEqual(line.y + line.height)

  await page.goto(`${page.url().split('#')[0]}#/network/31337`)
  const form = page.getByRole('form', { name: 'Local' })
  const below = async (control: Locator, next: Locator) => {
    const { y, height } = await boxOf(control)
    return Math.round((await boxOf(next)).y - y - height)
  }
  await form.getByText('Advanced', { exact: true }).click()
  // A line below the field shows the pending RPC request.
  await expect
    .poll(async () => {
      const gap = await below(form.getByLabel('Backup RPC'), form.getByText('API version', { exact: true }))
      const next = form.getByText('Block explorer', { exact: true })
      return (await below(form.locator('.choice-row'), next)) - gap
    })
    .toBe(0)
})

async function send({ page, address }: Wallet, token: Address, amount: bigint): Promise<void> {
  const ask = { chainId: 31337, account: address, token, to: friend, amount }
  const { feeCap } = await callWallet(page, 'previewTransfer', ask)
  const id = token.slice(2, 34)
  await callWallet(page, 'send', { ...ask, id, feeCap })
  await expect.poll(async () => (await callWallet(page, 'callBatch', id))?.outcome.status).toBe('done')
}

/** True if the first or last letter of an element's text is visible. */
function isInSight(element: Locator, at: 0 | -1): Promise<boolean> {
  return element.evaluate((one, at) => {
    const text = document.createTreeWalker(one, NodeFilter.SHOW_TEXT).nextNode() as Text
    const start = at === 0 ? 0 : text.length - 1
    const range = document.createRange()
    range.setStart(text, start)
    range.setEnd(text, start + 1)
    const letter = range.getBoundingClientRect()
    const box = one.getBoundingClientRect()
    return letter.width > 0 && letter.left >= box.left - 1 && letter.right <= box.right + 1
  }, at)
}

/** Returns the texts of `selector` wider than their box or the screen. Requires at least one match. */
async function cutOf(page: Page, selector: string): Promise<string[]> {
  await expect(page.locator(selector).first()).toBeVisible()
  return page.evaluate((selector) => {
    const all = [...document.querySelectorAll<HTMLElement>(selector)].flatMap((one) => [
      one,
      ...one.querySelectorAll<HTMLElement>('.num, span:not(.unseen)'),
    ])
    const isWords = (one: HTMLElement) => one.closest('.route, .clip') !== null
    // Inline elements have no client width; their block is measured.
    const isCut = (one: HTMLElement) =>
      (one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1) ||
      one.getBoundingClientRect().right > window.innerWidth
    return all.filter((one) => !isWords(one) && isCut(one)).map((one) => one.textContent ?? '')
  }, selector)
}

async function boxOf(element: Locator) {
  const box = await element.boundingBox()
  if (box === null) throw new Error(`Nothing to measure: ${element}`)
  return box
}
