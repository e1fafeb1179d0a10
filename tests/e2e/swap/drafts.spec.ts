import { expect } from '@playwright/test'
import type { Page } from 'puppeteer-core'
import { fill, press, toPageRunner } from '../../../dev/browser/firefox.ts'
import { callWallet, password } from '../../../dev/browser/popupPage.ts'
import { launchHeaded } from '../../../dev/browser/realPopup.ts'
import { see, test } from '../../helpers/e2e/headed.ts'
import { extension } from '../../helpers/e2e/wallet.ts'

// A toolbar popup closes on any outside click. Its forms are restored when it reopens.

const bob = '0x2222222222222222222222222222222222222222'

const goTo = (popup: Page, hash: string) =>
  popup.evaluate((hash) => {
    location.hash = hash
  }, hash)

async function fieldValue(popup: Page, label: RegExp): Promise<string | undefined> {
  return popup.$$eval(
    'input',
    (all, source) => all.find(({ labels }) => new RegExp(source).test(labels?.[0]?.textContent ?? ''))?.value,
    label.source,
  )
}

const storedDrafts = (popup: Page) =>
  popup.evaluate(async () =>
    JSON.stringify(
      (
        await (
          globalThis as unknown as { chrome: typeof import('wxt/browser').browser }
        ).chrome.storage.session.get('forms')
      ).forms ?? {},
    ),
  )

test('restores form drafts in a reopened popup, except API keys, and clears them on lock', async ({
  headed,
}) => {
  let popup = await headed.openPopup()
  const reopen = async () => {
    await headed.closePopup()
    popup = await headed.openPopup()
  }
  await goTo(popup, '#/network/1')
  await fill(popup, /^RPC URL/, 'https://rpc.example/')
  await fill(popup, /^Swap service/, 'https://swap.example/')
  await fill(popup, /^API key/, 'key-of-mine')
  await reopen()
  await goTo(popup, '#/network/1')
  await expect.poll(() => fieldValue(popup, /^RPC URL/)).toBe('https://rpc.example/')
  expect(await fieldValue(popup, /^API key/)).toBe('')
  expect(await storedDrafts(popup)).not.toContain('key-of-mine')

  await goTo(popup, '#/contacts')
  await press(popup, /^Add a contact/)
  await fill(popup, /^Name/, 'Bob')
  await fill(popup, /^Note/, 'From the club')
  await reopen()
  await goTo(popup, '#/contacts')
  await press(popup, /^Add a contact/)
  await expect.poll(() => fieldValue(popup, /^Name/)).toBe('Bob')
  expect(await fieldValue(popup, /^Note/)).toBe('From the club')
  await fill(popup, /^Address/, bob)
  await press(popup, /^Save$/)
  await see(popup, '.who-name', 'Bob')
  await press(popup, /^Add a contact/)
  expect(await fieldValue(popup, /^Name/)).toBe('')
  await headed.press('Escape')

  await goTo(popup, '#/add')
  await press(popup, /^Watch an address/)
  await fill(popup, /^Address/, '0x33')
  await reopen()
  await goTo(popup, '#/add')
  await press(popup, /^Watch an address/)
  await expect.poll(() => fieldValue(popup, /^Address/)).toBe('0x33')

  const account = await callWallet(toPageRunner(popup), 'status')
  const own = account.vault === 'unlocked' ? account.accounts[0]?.address : undefined
  await goTo(popup, `#/account/${own}`)
  await fill(popup, /^Name/, 'Savings')
  await reopen()
  await goTo(popup, `#/account/${own}`)
  await expect.poll(() => fieldValue(popup, /^Name/)).toBe('Savings')

  await headed.closePopup()
  popup = await headed.openPopup()
  expect(await storedDrafts(popup)).toContain('Savings')
  await callWallet(toPageRunner(popup), 'lock')
  await expect.poll(() => storedDrafts(popup).catch(() => '')).toBe('{}')
})

test('does not store a private key pasted into the address field', async ({ headed }) => {
  const key = '4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318'
  let popup = await headed.openPopup()
  await goTo(popup, '#/add')
  await press(popup, /^Watch an address/)
  await press(popup, /^Address/, 'input')
  // Pasted at once, as a key usually is.
  await popup.keyboard.sendCharacter(key)
  await expect.poll(() => fieldValue(popup, /^Address/)).toBe(key)
  await headed.closePopup()
  popup = await headed.openPopup()
  expect(await storedDrafts(popup)).toBe('{}')
})

test('resumes onboarding at the step where the popup was closed', async () => {
  const headed = await launchHeaded({ extension })
  try {
    await headed.openPopup().then((popup) => press(popup, /^Create a wallet$/))
    const isStep = (hash: string) => (target: { url(): string }) => target.url().endsWith(hash)
    let view = await (await headed.browser.waitForTarget(isStep('#/begin/create'))).asPage()
    await press(view, /^24 words/, 'label')
    await headed.closePopup()

    // Keeps the selected length, but no password.
    view = await headed.openPopup()
    await see(view, '.step-of', 'Step 1 of 4')
    await view.waitForFunction(
      () => document.querySelector('input[type=radio]:checked')?.parentElement?.textContent === '24 words',
    )
    await fill(view, /^Password/, password)
    await fill(view, /^Confirm password/, password)
    await press(view, /^Create$/)
    await see(view, 'h1', 'Write down your recovery phrase')
    await see(view, '.phrase', /[a-z]{3}/)
    await headed.closePopup()

    // The words are in no unencrypted storage.
    view = await headed.openPopup()
    await see(view, 'h1', 'Recovery phrase')
    await see(view, '.step-of', 'Step 2 of 4')
    await press(view, /^Back$/)
    await see(view, 'h1', 'Where do you want to swap?')
    await headed.closePopup()

    view = await headed.openPopup()
    await see(view, 'h1', 'Where do you want to swap?')
    await see(view, '.step-of', 'Step 4 of 4')
    await press(view, /^Set up later$/)
    await see(view, 'nav a', 'Swap')
    await headed.closePopup()

    view = await headed.openPopup()
    await see(view, 'nav a', 'Swap')
    expect(await view.evaluate(() => localStorage.getItem('step'))).toBeNull()
  } finally {
    await headed.close()
  }
})
