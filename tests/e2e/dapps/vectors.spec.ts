import { resolve } from 'node:path'
import { expect } from '@playwright/test'
import { HDNodeWallet, Mnemonic } from 'ethers'
import { launchFirefox, press, read, toPageRunner } from '../../../dev/browser/firefox.ts'
import { callWallet, type PageRunner } from '../../../dev/browser/popupPage.ts'
import type { NewKey } from '../../../src/vault/storage/records.ts'
import { newSecret } from '../../../src/vault/words/phrase.ts'
import { test } from '../../helpers/e2e/wallet.ts'
import { figure } from '../../helpers/figures.ts'
import { newSeed, randomFrom } from '../../helpers/random.ts'
import { isTorture } from '../../helpers/runs.ts'
import bip39 from '../../vault/vectors/bip39.json' with { type: 'json' }

// BIP-39 vectors through the screens of the build: the results match the published ones and another library.
// Each is first entered in invalid ways.

/** The popup of either browser. */
type Hand = {
  page: PageRunner
  press(button: RegExp): Promise<void>
  read(text: RegExp, selector: string): Promise<unknown>
}

test('derives the published accounts from BIP-39 vectors and rejects invalid phrases', async ({
  chrome,
  key,
}) => {
  await create(await chrome.openFile('icon/16.png'), key)
  const page = await chrome.openPopup()
  await bringAll('Chromium', key, {
    page,
    press: (button) => page.getByRole('button', { name: button }).click(),
    read: (text, selector) => expect(page.locator(selector).filter({ hasText: text })).toBeVisible(),
  })
})

test('Firefox: derives the published accounts from BIP-39 vectors and rejects invalid phrases', async ({
  key,
}) => {
  const firefox = await launchFirefox({
    extension: resolve(import.meta.dirname, '../../../.output/firefox-mv3'),
  })
  try {
    const page = await firefox.openPopup()
    await create(toPageRunner(page), key)
    // This view leads on through the setup.
    await press(page, /^Set up later$/, 'button')
    await bringAll('Firefox', key, {
      page: toPageRunner(page),
      press: (button) => press(page, button, 'button'),
      read: (text, selector) => read(page, text, selector),
    })
  } finally {
    await firefox.close()
  }
})

/** Creates a wallet to import the phrases into. */
async function create(page: PageRunner, key: NewKey): Promise<void> {
  await callWallet(page, 'create', key, await newSecret(12))
  await callWallet(page, 'confirmBackup')
}

async function bringAll(browser: string, key: NewKey, hand: Hand): Promise<void> {
  const { page, press, read } = hand
  await press(/^Account: /)
  await press(/^Manage accounts$/)
  let refused = 0
  const random = randomFrom(newSeed())
  // All vectors, or a random one of each length.
  const vectors = isTorture ? bip39.vectors : [12, 18, 24].map((count) => oneOf(count, random))
  for (const [index, { phrase, entropy }] of vectors.entries()) {
    await press(/^Add or import account$/)
    await press(/^Recovery phrase/)
    const words = phrase.split(' ')
    const at = index % words.length

    await paste(page, words.slice(1).join(' '))
    await expect.poll(() => addIsAsleep(page, words.length)).toBe(true)
    await paste(page, [...words, ...words, 'zoo'].slice(0, 25).join(' '))
    await read(/^You entered 25 words\. A recovery phrase has 12, 15, 18, 21 or 24\.$/, '[role=alert]')
    await paste(page, words.with(at, 'sluice').join(' '))
    await read(new RegExp(`^Word ${at + 1} isn’t in the word list\\.`), '[role=alert]')
    await paste(page, withoutChecksum(words).join(' '))
    await press(/^Add$/)
    await read(/^Invalid recovery phrase\. The checksum doesn’t match/, '[role=alert]')
    expect(await accountsOf(page)).toHaveLength(index + 1)
    refused += 4

    await paste(page, phrase)
    await press(/^Add$/)
    await read(new RegExp(`^Account ${index + 2}$`), 'h1')
    await press(/^Back$/)
    const seed = (await seedsOf(page)).at(-1)
    expect([phrase, await callWallet(page, 'reveal', key.dataKey, seed)]).toEqual([phrase, `0x${entropy}`])
  }
  const found = await accountsOf(page)
  expect(found.slice(1)).toEqual(vectors.map(({ phrase }) => addressOf(phrase)))
  figure(
    '2',
    `${vectors.length} published phrases in the built extension, ${browser}: entropy and account each as published and as ethers finds it; ${refused} wrong ones refused`,
  )
}

/** Returns the first BIP-44 address, from another library with its own word list and hashes. */
function addressOf(phrase: string): string {
  const { path, address } = HDNodeWallet.fromPhrase(phrase)
  expect(path).toBe("m/44'/60'/0'/0/0")
  return address.toLowerCase()
}

function withoutChecksum(words: string[]): string[] {
  const wrong = ['abandon', 'zoo'].map((last) => words.with(-1, last))
  const found = wrong.find((one) => !Mnemonic.isValidMnemonic(one.join(' ')))
  if (found === undefined) throw new Error('Either word fits.')
  return found
}

function oneOf(count: number, random: () => number) {
  const fitting = bip39.vectors.filter(({ phrase }) => phrase.split(' ').length === count)
  const one = fitting[Math.floor(random() * fitting.length)]
  if (one === undefined) throw new Error(`No phrase of ${count} words was published.`)
  return one
}

/** Simulates a paste into the first cell. */
function paste(page: PageRunner, text: string): Promise<void> {
  return page.evaluate((text) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', text)
    const event = new ClipboardEvent('paste', { bubbles: true, cancelable: true })
    // Firefox ignores the constructor's `clipboardData`.
    Object.defineProperty(event, 'clipboardData', { value: clipboardData })
    document.querySelector('.words input')?.dispatchEvent(event)
  }, text)
}

/** True if a grid of `count` cells lacks one word and its button is disabled. */
function addIsAsleep(page: PageRunner, count: number): Promise<boolean> {
  return page.evaluate((count) => {
    const cells = [...document.querySelectorAll<HTMLInputElement>('.words input')]
    const isLacking = cells.length === count && cells.filter(({ value }) => value === '').length === 1
    return isLacking && document.querySelector<HTMLButtonElement>('[type=submit]')?.disabled === true
  }, count)
}

async function statusOf(page: PageRunner) {
  const status = await callWallet(page, 'status')
  if (status.vault !== 'unlocked') throw new Error('The wallet is locked.')
  return status
}

async function accountsOf(page: PageRunner): Promise<string[]> {
  return (await statusOf(page)).accounts.map(({ address }) => address)
}

async function seedsOf(page: PageRunner): Promise<string[]> {
  return (await statusOf(page)).seeds.map(({ id }) => id)
}
