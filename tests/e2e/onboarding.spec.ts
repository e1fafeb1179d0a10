import { expect, type Page } from '@playwright/test'
import { privateKeyToAccount } from 'viem/accounts'
import { callWallet, fillSeedWords, lock, password, readWords } from '../../dev/browser/popupPage.ts'
import { createLook } from '../helpers/e2e/looks.ts'
import { firstOf, phrases } from '../helpers/e2e/phrases.ts'
import { test, useLocalnet } from '../helpers/e2e/wallet.ts'
import keystores from '../vault/vectors/keystore.json' with { type: 'json' }

const privateKey = '0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318'

test('continues wallet creation from the toolbar popup in a tab', async ({ chrome }) => {
  const popup = await chrome.context.newPage()
  // A popup opens no tab here; the browser API is stubbed.
  await popup.addInitScript(() => {
    const { chrome } = globalThis as unknown as { chrome?: { tabs?: object } }
    if (chrome?.tabs) Object.assign(chrome.tabs, { getCurrent: async () => undefined })
  })
  const first = await chrome.openPopup()
  await popup.goto(first.url())
  await first.close()
  const opened = chrome.context.waitForEvent('page')
  await popup.getByRole('button', { name: 'Create a wallet' }).click()
  const tab = await opened
  await expect(tab).toHaveURL(/popup\.html#\/begin\/create$/)
  await expect(tab.getByText('Step 1 of 4')).toBeVisible()
})

test('creates a wallet after the user has verified three words of the phrase', async ({
  chrome,
  localnet,
  service,
}) => {
  const page = await chrome.openPopup()
  const look = createLook(page)
  await useLocalnet(page, localnet, service.url)
  await page.getByRole('button', { name: 'Create a wallet' }).click()
  await page.getByText('24 words').click()
  await typePassword(page)
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  const phrase = await readWords(page)
  expect(phrase.split(' ')).toHaveLength(24)
  await look('phrase')

  // The words are hidden when the window loses focus.
  await page.evaluate(() => window.dispatchEvent(new Event('blur')))
  await expect(page.locator('.phrase')).not.toContainText(phrase.split(' ')[0] ?? '')
  await page.getByRole('button', { name: 'Show phrase' }).click()
  await page.getByRole('button', { name: 'I’ve written it down' }).click()

  for (const group of await page.getByRole('group', { name: /^Word \d+$/ }).all()) {
    const number = Number((await group.locator('legend').textContent())?.replace('Word ', ''))
    const right = phrase.split(' ')[number - 1] ?? ''
    await group
      .locator('label')
      .filter({ hasNotText: new RegExp(`^${right}$`) })
      .first()
      .click()
  }
  await page.getByRole('button', { name: 'Verify', exact: true }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'At least one word was wrong' })).toBeVisible()
  await expect(page.getByRole('radio', { checked: true })).toHaveCount(0)
  await look('quiz')
  await fillSeedWords(page, phrase)

  // The network has an RPC already.
  await expect(page.getByText('then pin Sluice.')).toBeVisible()
  await page.getByRole('button', { name: 'Keep popup' }).click()
  await expect(page.getByText('then pin Sluice.')).toHaveCount(0)
  await expect(page.getByText('Write down your recovery phrase')).toHaveCount(0)
  expect(await addressesOf(page)).toEqual([firstOf(phrase)])
})

test('reminds the user of a postponed backup until three words are verified', async ({
  chrome,
  localnet,
  service,
}) => {
  const page = await chrome.openPopup()
  await useLocalnet(page, localnet, service.url)
  const phrase = await createWallet(page)
  await page.getByRole('button', { name: 'Later' }).click()
  await expect(page.getByText('Write down your recovery phrase')).toBeVisible()
  await page.reload()
  await page.getByRole('button', { name: 'Back up' }).click()
  await showWords(page)
  expect(await readWords(page)).toBe(phrase)
  await page.getByRole('button', { name: 'I’ve written it down' }).click()
  await fillSeedWords(page, phrase)
  await expect(page.getByRole('heading', { name: 'Wallet' })).toBeAttached()
  await expect(page.getByText('Write down your recovery phrase')).toHaveCount(0)
})

test('returns to the phrase, protected by the password, after a reload before verification', async ({
  chrome,
  localnet,
  service,
}) => {
  const page = await chrome.openPopup()
  await useLocalnet(page, localnet, service.url)
  const phrase = await createWallet(page)
  await page.getByRole('button', { name: 'I’ve written it down' }).click()
  await page.getByText('Step 3 of 3').waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Recovery phrase' }).waitFor()
  await showWords(page)
  expect(await readWords(page)).toBe(phrase)
  await page.getByRole('button', { name: 'I’ve written it down' }).click()
  await fillSeedWords(page, phrase)
  await expect(page.getByText('then pin Sluice.')).toBeVisible()
  await expect(page.getByText('Write down your recovery phrase')).toHaveCount(0)
})

test('shows the typed password on request and hides it again when it is submitted', async ({
  wallet: { page },
}) => {
  await lock(page)
  const field = page.getByLabel('Password', { exact: true })
  const show = page.getByRole('button', { name: 'Show text' })
  await field.fill('not the password')
  await expect(field).toHaveAttribute('type', 'password')
  await expect(show).toHaveAttribute('aria-pressed', 'false')
  await field.press('Tab')
  await expect(show).toBeFocused()
  await page.keyboard.press('Space')
  await expect(field).toHaveAttribute('type', 'text')
  // The browser does not store the phrase.
  await expect(field).toHaveAttribute('autocomplete', 'off')
  await expect(show).toHaveAttribute('aria-pressed', 'true')
  await createLook(page)('unlock-shown')
  await page.evaluate(() => window.dispatchEvent(new Event('blur')))
  await expect(field).toHaveAttribute('type', 'password')
  await show.click()
  await expect(field).toHaveAttribute('type', 'text')
  await page.getByRole('button', { name: 'Unlock' }).click()
  await expect(page.getByText('Incorrect password.')).toBeVisible()
  await expect(field).toHaveAttribute('type', 'password')
  await expect(field).toHaveValue('not the password')
})

test('creates a wallet by keyboard alone', async ({ chrome }) => {
  const page = await chrome.openPopup()
  const focused = page.locator(':focus')
  const tabTo = async (name: string | RegExp) => {
    for (let presses = 0; presses < 30; presses++) {
      await page.keyboard.press('Tab')
      if (typeof name === 'string' ? (await nameOf(page)) === name : name.test(await nameOf(page))) return
    }
    throw new Error(`No press of Tab leads to ${name}.`)
  }
  await page.getByRole('button', { name: 'Create a wallet' }).waitFor()
  await tabTo('Create a wallet')
  await page.keyboard.press('Enter')
  await page.getByText('Step 1 of 4').waitFor()
  await tabTo('Password')
  await page.keyboard.type(password)
  await tabTo('Confirm password')
  await page.keyboard.type(password)
  await expect(page.getByRole('button', { name: 'Create', exact: true })).toBeEnabled()
  await page.keyboard.press('Enter')
  const words = (await readWords(page)).split(' ')
  await tabTo('I’ve written it down')
  await page.keyboard.press('Enter')
  await page.getByText('Step 3 of 4').waitFor()
  for (const group of await page.getByRole('group', { name: /^Word \d+$/ }).all()) {
    const number = Number((await group.locator('legend').textContent())?.replace('Word ', ''))
    const choices = await group.getByRole('radio').evaluateAll((radios) => radios.length)
    await page.keyboard.press('Tab')
    while (!(await group.evaluate((one) => one.contains(document.activeElement))))
      await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    for (let presses = 0; presses < choices; presses++) {
      if ((await nameOf(page)) === words[number - 1]) break
      await page.keyboard.press('ArrowDown')
    }
    await expect(focused).toBeChecked()
  }
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Where do you want to swap?' }).waitFor()
  await tabTo('Set up later')
  await page.keyboard.press('Enter')
  await tabTo('Choose where to swap')
  expect(await addressesOf(page)).toEqual([firstOf(words.join(' '))])
})

test.describe('wallet import', () => {
  for (const phrase of phrases) {
    const count = phrase.split(' ').length
    test(`imports a phrase of ${count} words pasted into one cell`, async ({ chrome }) => {
      const page = await begin(chrome.openPopup(), 'Recovery phrase')
      await paste(
        page,
        'Word 5',
        phrase
          .split(' ')
          .map((word, index) => `${index + 1}. ${word}`)
          .join('\n'),
      )
      await expect(page.getByLabel(`Word ${count}`, { exact: true })).toHaveValue(/./)
      expect(await page.locator('.words input:not([type="password"])').count()).toBe(0)
      await finish(page)
      expect(await addressesOf(page)).toEqual([firstOf(phrase)])
      await expect(page.getByText('Write down your recovery phrase')).toHaveCount(0)
    })
  }

  test('imports a private key', async ({ chrome }) => {
    const page = await begin(chrome.openPopup(), 'Private key')
    const look = createLook(page)
    const field = page.getByLabel('Private key', { exact: true })
    await field.fill(privateKey.slice(0, -2))
    await expect(page.getByText('62 of 64 characters')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Continue' })).toBeDisabled()
    await field.fill(privateKey)
    const { address } = privateKeyToAccount(privateKey)
    await expect(page.getByText(address.toLowerCase())).toBeVisible()
    await look('import-key')
    // The field is a password field again when the page is hidden.
    await page.getByRole('button', { name: 'Show text' }).click()
    await expect(field).toHaveAttribute('type', 'text')
    await page.evaluate(() => window.dispatchEvent(new Event('pagehide')))
    await expect(field).toHaveAttribute('type', 'password')
    await finish(page)
    expect(await addressesOf(page)).toEqual([address.toLowerCase()])
  })

  test('imports a keystore with its own password and rejects invalid keystores', async ({ chrome }) => {
    const page = await begin(chrome.openPopup(), 'Keystore file')
    const look = createLook(page)
    const text = JSON.stringify(keystores.scrypt)
    await page.getByLabel('File', { exact: true }).setInputFiles({
      name: 'key.json',
      mimeType: 'application/json',
      buffer: Buffer.from(text),
    })
    await expect(page.getByLabel('Or paste its contents')).toHaveValue(text)
    const refused = async (file: string, why: string) => {
      await page.getByLabel('Or paste its contents').fill(file)
      await page.getByRole('button', { name: 'Continue' }).click()
      await expect(page.getByRole('alert').filter({ hasText: why })).toBeVisible()
    }
    await refused('{"version":3}', 'This isn’t a keystore file. Choose the JSON file')
    await refused(text.replace('"scrypt"', '"bcrypt"'), 'This keystore’s encryption isn’t supported. Export')
    await refused(text.replace('"mac":"', '"mac":"0'), 'This keystore file is corrupted. Export it again')
    await page.getByLabel('Or paste its contents').fill(text)
    await expect(page.getByText('This keystore file is corrupted.')).toHaveCount(0)
    await page.getByLabel('Keystore password').fill('another')
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByText('Incorrect keystore password. Use the password')).toBeVisible()
    await look('import-keystore')
    await page.getByLabel('Keystore password').fill(keystores.password)
    await finish(page)
    expect(await addressesOf(page)).toEqual([`0x${keystores.address}`])
  })

  test('imports a watch-only address after showing it in full', async ({ chrome }) => {
    const page = await begin(chrome.openPopup(), 'Watch an address')
    const { address } = privateKeyToAccount(privateKey)
    await page.getByLabel('Address', { exact: true }).fill(address.slice(0, -1))
    await expect(page.getByText('Enter a valid address: 0x and 40 characters (0–9, a–f).')).toBeVisible()
    const mistyped = address.replace(/[a-f]/i, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    )
    await page.getByLabel('Address', { exact: true }).fill(`0x${mistyped.slice(2)}`)
    await expect(page.getByText('Invalid checksum')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Continue' })).toBeDisabled()
    await paste(page, 'Address', address)
    await expect(page.getByText(address.toLowerCase())).toBeVisible()
    await createLook(page)('import-watched')
    await finish(page)
    expect(await addressesOf(page)).toEqual([address.toLowerCase()])
    await expect(page.getByText(/ · Watch-only$/)).toBeVisible()
  })
})

test('suggests words, marks unknown ones and verifies the checksum of the phrase', async ({ chrome }) => {
  const page = await begin(chrome.openPopup(), 'Recovery phrase')
  const cell = (number: number) => page.getByLabel(`Word ${number}`, { exact: true })
  const options = page.getByRole('option')
  await cell(1).pressSequentially('lega')
  await expect(options).toHaveText(['legal'])
  await page.keyboard.press('Tab')
  await expect(cell(1)).toHaveValue('legal')
  await expect(cell(2)).toBeFocused()
  await page.keyboard.type('wi')
  await expect(options).toHaveText(['wide', 'width', 'wife', 'wild'])
  // The first cell was validated meanwhile: a partial word is no error.
  await expect(cell(1)).not.toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByRole('alert').filter({ hasText: 'in the word list' })).toHaveCount(0)
  // Leaving the cell does not accept one of several suggestions.
  await expect(page.getByRole('option', { selected: true })).toHaveCount(0)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expect(page.getByRole('option', { selected: true })).toHaveText('wife')
  await page.keyboard.press('Enter')
  await expect(cell(2)).toHaveValue('wife')
  await page.keyboard.type('zzz')
  await page.keyboard.press('Tab')
  await expect(cell(3)).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByText('Word 3 isn’t in the word list.')).toBeVisible()
  await createLook(page)('import-phrase')

  await paste(page, 'Word 1', phrases[0]?.replace('winner thank', 'thank winner') ?? '')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Invalid recovery phrase.' })).toBeVisible()
  await paste(page, 'Word 1', `${phrases[2]} more`)
  await expect(page.getByText('You entered 25 words.')).toBeVisible()
})

test('keeps a word that is typed faster than suggestions appear', async ({ chrome }) => {
  const page = await begin(chrome.openPopup(), 'Recovery phrase')
  await page.getByLabel('Word 1', { exact: true }).pressSequentially('worth')
  await expect(page.getByRole('option')).toHaveText(['worth'])
  // All keys in one task: only microtasks and animation frames run in between.
  await page.evaluate(async () => {
    for (const letter of ' useful ') {
      const cell = document.activeElement as HTMLInputElement
      const key = new KeyboardEvent('keydown', { key: letter, bubbles: true, cancelable: true })
      if (cell.dispatchEvent(key)) {
        cell.value += letter
        cell.dispatchEvent(new InputEvent('input', { bubbles: true }))
      }
      for (let turn = 0; turn < 5; turn += 1) await Promise.resolve()
    }
  })
  await expect(page.getByLabel('Word 3', { exact: true })).toBeFocused()
  await expect(page.getByLabel('Word 2', { exact: true })).toHaveValue('useful')
})

async function begin(opening: Promise<Page>, way: string): Promise<Page> {
  const page = await opening
  await page.getByRole('button', { name: 'I already have a wallet' }).click()
  await page.getByRole('button', { name: new RegExp(`^${way}`) }).click()
  await page.getByText('Step 1 of 3').waitFor()
  return page
}

/** Reveals the phrase by password, the alternative to holding. */
async function showWords(page: Page): Promise<void> {
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Can’t press and hold?' }).click()
  await page.getByLabel('No one else can see my screen').check()
  await page.getByRole('button', { name: 'Show phrase' }).click()
}

/** Completes onboarding from the import to the overview. */
async function finish(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Continue' }).click()
  await typePassword(page)
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByRole('button', { name: 'Set up later' }).click()
  await page.getByRole('button', { name: 'Choose where to swap' }).waitFor()
}

/** Creates a wallet up to the backup and returns its phrase. */
async function createWallet(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Create a wallet' }).click()
  await typePassword(page)
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  return readWords(page)
}

async function typePassword(page: Page): Promise<void> {
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password').fill(password)
}

/** Simulates a paste event; a plain field handles it natively. */
async function paste(page: Page, label: string, text: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).evaluate((field, pasted) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', pasted)
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    if (!field.dispatchEvent(event)) return
    ;(field as HTMLInputElement).value = pasted
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }, text)
}

async function addressesOf(page: Page): Promise<string[]> {
  const status = await callWallet(page, 'status')
  return status.vault === 'unlocked' ? status.accounts.map(({ address }) => address) : []
}

/** Returns the accessible name of the focused control. */
function nameOf(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement as HTMLInputElement | null
    const text =
      element?.getAttribute('aria-label') ?? element?.labels?.[0]?.textContent ?? element?.textContent
    return (text ?? '').trim()
  })
}
