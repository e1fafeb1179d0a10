import { expect } from '@playwright/test'
import type { Page } from 'puppeteer-core'
import { fill, press, toPageRunner } from '../../../dev/browser/firefox.ts'
import { callWallet } from '../../../dev/browser/popupPage.ts'
import { see, test } from '../../helpers/e2e/headed.ts'

// Chromium's permission prompt closes the toolbar popup; its changes are saved anyway.

const service = 'https://swap.example/v6'

const networkOf = async (popup: Page, chainId: number) =>
  (await callWallet(toPageRunner(popup), 'settings')).networks.find((one) => one.chainId === chainId)

async function openNetwork(popup: Page, name: RegExp): Promise<void> {
  await press(popup, /^Settings$/)
  await press(popup, /^Networks/)
  await press(popup, name)
}

/** Presses by key, since the prompt closes the popup during a click. */
async function pressByKey(popup: Page, selector: string): Promise<void> {
  await popup.focus(selector)
  await popup.keyboard.press('Enter').catch(() => undefined)
}

test('saves a network although the permission prompt closes the popup, and reports it once', async ({
  headed,
}) => {
  let popup = await headed.openPopup()
  await openNetwork(popup, /^Ethereum/)
  await fill(popup, /^Swap service/, service)
  await fill(popup, /^API key/, 'key-of-mine')
  await headed.press('Return')
  await headed.answerPrompt('allow')

  popup = await headed.openPopup()
  await see(popup, '.toast', '^Ethereum saved')
  expect(await networkOf(popup, 1)).toMatchObject({ serviceUrl: service, serviceKey: 'key-of-mine' })
  await press(popup, /^Close$/, '.toast button')
  await popup.waitForFunction(() => document.querySelector('.toast') === null)
  await openNetwork(popup, /^Ethereum/)
  await see(popup, 'form button[disabled]', '^Save and check$')
  await headed.closePopup()

  popup = await headed.openPopup()
  await see(popup, 'nav a', 'Swap')
  await popup.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1_000)))
  expect(await popup.$('.toast')).toBeNull()
})

test('saves nothing when the permission is denied, and restores the form input', async ({ headed }) => {
  let popup = await headed.openPopup()
  await openNetwork(popup, /^Ethereum/)
  await fill(popup, /^Swap service/, service)
  await headed.press('Return')
  await headed.answerPrompt('deny')

  popup = await headed.openPopup()
  await see(popup, '.toast', '^Ethereum wasn’t saved\\.')
  expect(await networkOf(popup, 1)).toMatchObject({ serviceUrl: '' })
  await press(popup, /^Back to form$/)
  await see(popup, 'h1', 'Ethereum')
  expect(
    await popup.$$eval('form input', (all) => all.map((one) => (one as HTMLInputElement).value)),
  ).toContain(service)
  expect(await popup.$('.toast')).toBeNull()
})

test('checks an RPC after the popup has closed, and reports the error in the next popup', async ({
  headed,
}) => {
  let popup = await headed.openPopup()
  await openNetwork(popup, /^Ethereum/)
  await fill(popup, /^RPC URL/, 'https://rpc.invalid/')
  await headed.press('Return')
  await headed.answerPrompt('allow')

  popup = await headed.openPopup()
  await see(popup, '.toast', '^Ethereum wasn’t saved\\. Can’t reach the RPC\\.')
  expect(await networkOf(popup, 1)).toMatchObject({ rpcUrl: '' })
  await press(popup, /^Back to form$/)
  await see(popup, 'h1', 'Ethereum')
  expect(
    await popup.$$eval('form input', (all) => all.map((one) => (one as HTMLInputElement).value)),
  ).toContain('https://rpc.invalid/')
})

test('takes a public RPC and its backup with one press, and contacts neither without permission', async ({
  headed,
}) => {
  let popup = await headed.openPopup()
  await openNetwork(popup, /^Base/)
  await see(
    popup,
    '.rpc-presets button',
    '^mainnet\\.base\\.orgRun by BaseBackup: base-rpc\\.publicnode\\.comUse$',
  )
  await pressByKey(popup, '.rpc-presets button:nth-of-type(1)')
  await headed.answerPrompt('deny')

  popup = await headed.openPopup()
  await see(popup, '.toast', '^Base wasn’t saved\\.')
  expect(await networkOf(popup, 8453)).toMatchObject({ rpcUrl: '' })
  await press(popup, /^Back to form$/)
  await see(popup, 'h1', 'Base')
  await pressByKey(popup, '.rpc-presets button:nth-of-type(2)')
  await headed.answerPrompt('allow')

  // Chromium finds no public host in tests (realPopup.ts).
  popup = await headed.openPopup()
  await see(popup, '.toast', '^Base wasn’t saved\\. Can’t reach the RPC\\.')
  await press(popup, /^Back to form$/)
  await see(popup, 'h1', 'Base')
  await press(popup, /^Advanced$/, 'summary')
  await popup.waitForFunction(() => document.querySelectorAll('form details input').length > 0)
  const typed = await popup.$$eval('form input', (all) => all.map((one) => (one as HTMLInputElement).value))
  expect(typed).toEqual(expect.arrayContaining(['https://base-rpc.publicnode.com', 'https://base.drpc.org']))
})

test('turns on notifications although the permission prompt closes the popup', async ({ headed }) => {
  let popup = await headed.openPopup()
  await press(popup, /^Settings$/)
  await press(popup, /^Preferences/)
  await press(popup, /^Transaction notifications/, 'input')
  await headed.answerPrompt('allow')

  popup = await headed.openPopup()
  await see(popup, '.toast', '^Notifications turned on')
  expect((await callWallet(toPageRunner(popup), 'settings')).notices).toBeDefined()
})
