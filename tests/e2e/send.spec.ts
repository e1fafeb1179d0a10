import { expect, type Page } from '@playwright/test'
import { encode } from 'uqr'
import { getAddress, parseEther } from 'viem'
import { callWallet, click, readShownState, waitUntilDone } from '../../dev/browser/popupPage.ts'
import { acceptReplacement } from '../../src/domain/activity/replacement.ts'
import { type Address, nativeTokenAddress } from '../../src/domain/token/token.ts'
import { createLook } from '../helpers/e2e/looks.ts'
import { balanceOf, test } from '../helpers/e2e/wallet.ts'
import { createNames } from '../helpers/node/ensNames.ts'

const friend: Address = `0x${'f1'.repeat(19)}a2`
const other: Address = `0x${'c3'.repeat(19)}b4`
/** Same first and last digits as the friend's address. */
const fake: Address = `0xf1f1${'0'.repeat(32)}f1a2`

async function openSend(page: Page): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name: 'Wallet' }).click()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('heading', { name: 'Send' }).waitFor()
}

async function chooseToSend(page: Page, symbol: string): Promise<void> {
  await page.getByRole('button', { name: /^Token to send/ }).click()
  const picker = page.getByRole('dialog', { name: 'Token to send' })
  await picker.getByRole('combobox').fill(symbol)
  await picker.getByRole('option').filter({ hasText: symbol }).first().click()
  await picker.waitFor({ state: 'detached' })
}

const amount = (page: Page) => page.getByLabel('You send')
const to = (page: Page) => page.getByLabel('To', { exact: true })

async function review(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Review' }).click()
  await page.getByRole('heading', { name: 'Estimated changes' }).waitFor()
}

/** Presses the review's only button once it is enabled. */
async function confirm(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Send', exact: true })
  await expect(button).toHaveAttribute('aria-disabled', 'false')
  await click(button)
}

/** Returns the fee of the newest transfer, in wei. */
async function paid(page: Page): Promise<bigint> {
  const [newest] = await callWallet(page, 'callBatches')
  return newest?.paid ?? 0n
}

const groups = (page: Page) => page.locator('.person .groups')

test('sends native tokens to a pasted address shown in full, and warns only the first time', async ({
  chrome,
  wallet: { page, address },
  localnet,
}) => {
  const before = await balanceOf(localnet, nativeTokenAddress, friend)
  await openSend(page)
  await expect(page.getByRole('button', { name: 'Enter an amount' })).toBeDisabled()
  await amount(page).fill('1.25')
  await chrome.context.grantPermissions(['clipboard-write'])
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), getAddress(friend))
  await to(page).press('Control+v')
  await expect(groups(page)).toHaveText(getAddress(friend))
  await expect(page.getByText('First time sending to this address.')).toBeVisible()
  await review(page)
  await expect(page.getByText('1.25 ETH', { exact: true })).toBeVisible()
  await expect(groups(page)).toHaveText(getAddress(friend))
  await expect(page.getByRole('list', { name: 'Balance changes' })).toHaveText(/−1.25 ETH/)
  // A button just shown ignores presses.
  const button = page.getByRole('button', { name: 'Send', exact: true })
  await expect(button).toHaveAttribute('aria-disabled', 'false')
  await click(button)
  await waitUntilDone(page)
  await expect(groups(page)).toHaveText(getAddress(friend))
  expect((await balanceOf(localnet, nativeTokenAddress, friend)) - before).toBe(parseEther('1.25'))
  expect(await balanceOf(localnet, nativeTokenAddress, address)).toBe(
    parseEther('10') - parseEther('1.25') - (await paid(page)),
  )
  await expect(page.getByRole('button', { name: 'Add to contacts' })).toBeVisible()
  // The form is finished, so Back does not return to it.
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await page.getByRole('navigation').waitFor()

  await openSend(page)
  await expect(amount(page)).toHaveValue('')
  await page.getByRole('list', { name: 'Suggested recipients' }).getByText('Recent').click()
  await expect(groups(page)).toHaveText(getAddress(friend))
  await expect(page.getByText('First time sending to this address.')).toBeHidden()
})

test('repeats a transfer from the activity', async ({ wallet: { page }, localnet }) => {
  await openSend(page)
  await chooseToSend(page, 'DAI')
  await amount(page).fill('12.5')
  await to(page).fill(other)
  await review(page)
  await confirm(page)
  await waitUntilDone(page)
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  const before = await balanceOf(localnet, localnet.tokens.DAI, other)

  await page.getByRole('navigation').getByRole('link', { name: 'Activity' }).click()
  await page.getByRole('button', { name: /Sent DAI/ }).click()
  await page.getByRole('button', { name: 'Repeat' }).click()
  await expect(amount(page)).toHaveValue('12.5')
  await expect(groups(page)).toHaveText(getAddress(other))
  await review(page)
  await confirm(page)
  await waitUntilDone(page)
  expect((await balanceOf(localnet, localnet.tokens.DAI, other)) - before).toBe(parseEther('12.5'))
})

test('sends a token with a custom fee, and its whole balance with “Send max”', async ({
  wallet: { page, address },
  localnet,
}) => {
  const { USDC } = localnet.tokens
  await page.getByRole('navigation').getByRole('link', { name: 'Wallet' }).click()
  await page.getByRole('link', { name: /USDC/ }).click()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('button', { name: 'Token to send: USDC' }).waitFor()
  await amount(page).fill('0,000001')
  await to(page).fill(other)
  await review(page)
  await page.getByTitle('Edit network fee').click()
  await page.getByLabel('Max fee (gwei)').fill('7')
  await page.getByLabel('Priority fee (gwei)').fill('2')
  await page.getByRole('button', { name: /^Apply \(≈ .+, max .+\)$/ }).click()
  await expect(page.getByTitle('Edit network fee')).toHaveText(/Custom/)
  // An amount of a millionth of a dollar, below its fee.
  await page.getByRole('checkbox').check()
  await confirm(page)
  await waitUntilDone(page)
  expect(await balanceOf(localnet, USDC, other)).toBe(1n)
  const [newest] = await callWallet(page, 'callBatches')
  const transaction = await localnet.client.getTransaction({ hash: newest?.steps[0]?.hash ?? '0x' })
  expect(transaction).toMatchObject({ maxFeePerGas: 7n * 10n ** 9n, maxPriorityFeePerGas: 2n * 10n ** 9n })
  await page.getByRole('button', { name: 'Close', exact: true }).click()

  const all = await balanceOf(localnet, USDC, address)
  await openSend(page)
  await chooseToSend(page, 'USDC')
  await page.getByRole('button', { name: 'Send max' }).click()
  await to(page).fill(other)
  await review(page)
  await confirm(page)
  await waitUntilDone(page)
  expect(await balanceOf(localnet, USDC, address)).toBe(0n)
  expect(await balanceOf(localnet, USDC, other)).toBe(all + 1n)
})

test('takes an amount in the currency, and shows the value of the maximum', async ({
  wallet: { page, address },
  localnet,
}) => {
  const { USDC } = localnet.tokens
  const panel = page.locator('.amount')
  await openSend(page)
  await chooseToSend(page, 'USDC')
  await amount(page).fill('2.5')
  await expect(panel.getByRole('button', { name: '$2.50' })).toBeVisible()
  await panel.getByRole('button', { name: 'Enter the amount in USD' }).click()
  await expect(amount(page)).toBeFocused()
  await expect(amount(page)).toHaveValue('2.5')
  await amount(page).fill('7.25')
  await expect(panel.getByRole('button', { name: '7.25 USDC' })).toBeVisible()
  await createLook(page)('send-currency')
  await to(page).fill(other)
  const before = await balanceOf(localnet, USDC, other)
  await review(page)
  await confirm(page)
  await waitUntilDone(page)
  expect((await balanceOf(localnet, USDC, other)) - before).toBe(7_250_000n)
  await page.getByRole('button', { name: 'Close', exact: true }).click()

  await openSend(page)
  await chooseToSend(page, 'USDC')
  const all = await balanceOf(localnet, USDC, address)
  await page.getByRole('button', { name: 'Send max' }).click()
  const dollars = all / 1_000_000n
  await expect(panel.locator('.unit')).toContainText(`$${dollars.toLocaleString('en')}.`)
  await panel.getByRole('button', { name: 'Enter the amount in USD' }).click()
  await to(page).click()
  await expect(amount(page)).toHaveValue(
    new RegExp(`^${dollars.toLocaleString('en').replaceAll(',', ',?')}\\.`),
  )
  await expect(page.getByRole('button', { name: 'Send max' })).toHaveAttribute('aria-pressed', 'true')
  await createLook(page)('send-max')
})

test('closes the review when another view selects another account', async ({
  wallet: { page, address },
  localnet,
}) => {
  const had = await balanceOf(localnet, localnet.tokens.USDC, other)
  const { address: second } = await callWallet(page, 'addAccount')
  await callWallet(page, 'saveSettings', { account: address })
  await openSend(page)
  await chooseToSend(page, 'USDC')
  await amount(page).fill('1')
  await to(page).fill(other)
  await review(page)
  await expect(page.locator('.sides').first().getByRole('button')).toHaveAttribute(
    'title',
    localnet.tokens.USDC,
  )
  await expect(page.getByTitle(address)).toBeVisible()
  await callWallet(page, 'saveSettings', { account: second })
  await page.getByRole('heading', { name: 'Send', exact: true }).waitFor()
  expect(await callWallet(page, 'callBatches')).toEqual([])
  expect(await balanceOf(localnet, localnet.tokens.USDC, other)).toBe(had)
})

test('sends the maximum of the native token and leaves only the unused fee', async ({
  wallet: { page, address },
  localnet,
}) => {
  await openSend(page)
  await page.getByRole('button', { name: 'Send max' }).click()
  await expect(amount(page)).not.toHaveValue('')
  await to(page).fill(other)
  await review(page)
  await confirm(page)
  await waitUntilDone(page)
  const [newest] = await callWallet(page, 'callBatches')
  const sent = newest?.intent.calls[0]?.value ?? 0n
  const left = await balanceOf(localnet, nativeTokenAddress, address)
  const { feeCap } = newest?.intent ?? { feeCap: 0n }
  // The balance less the amount and the maximum fee was zero; the unused fee remains.
  expect(sent + feeCap).toBe(parseEther('10'))
  expect(left).toBe(feeCap - (await paid(page)))
})

test('warns of an address that imitates a contact, and requires the checkbox', async ({
  wallet: { page },
  localnet,
}) => {
  await openSend(page)
  await amount(page).fill('0.5')
  await page.getByRole('button', { name: 'Contacts' }).click()
  await page.getByRole('button', { name: 'Add a contact' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Zoë')
  await page.getByLabel('Address', { exact: true }).fill(friend)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('list', { name: 'Contacts' }).getByText('Zoë').waitFor()
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  // The input is kept.
  await expect(amount(page)).toHaveValue('0.5')

  await to(page).fill(fake)
  await expect(page.getByText('this address looks like “Zoë” but isn’t')).toBeVisible()
  await review(page)
  const button = page.getByRole('button', { name: 'Send', exact: true })
  await expect(page.getByRole('alert').filter({ hasText: 'Zoë' })).toContainText(getAddress(friend))
  await expect(button).toHaveCount(0)
  // The button says what is missing, and leads there.
  await page.getByRole('button', { name: 'Tick the box to continue' }).click()
  await expect(page.getByRole('checkbox')).toBeFocused()
  await expect(page.getByRole('checkbox')).not.toBeChecked()
  expect(await callWallet(page, 'callBatches')).toEqual([])
  await page.getByRole('checkbox').check()
  await expect(button).toHaveAttribute('aria-disabled', 'false')
  await page.getByRole('button', { name: 'Back', exact: true }).click()

  // Found by name, and shown by name throughout.
  await to(page).fill('zoe')
  await page.getByRole('list', { name: 'Suggested recipients' }).getByText('Zoë').click()
  await expect(page.getByText('Possible scam: this address looks like “')).toBeHidden()
  await review(page)
  await confirm(page)
  await waitUntilDone(page)
  await expect(page.getByRole('region', { name: 'Recipient' })).toContainText('Zoë')
  expect(await balanceOf(localnet, nativeTokenAddress, fake)).toBe(0n)
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await expect(page.getByRole('button', { name: /^Sent ETH/ })).toContainText('to Zoë')
})

test('edits, finds and removes contacts, and keeps them after a reload', async ({ wallet: { page } }) => {
  await page.goto(`${page.url().split('#')[0]}#/contacts`)
  await page.reload()
  for (const [name, address] of [
    ['Ana', friend],
    ['Bob', other],
  ] as const) {
    await page.getByRole('button', { name: 'Add a contact' }).click()
    await page.getByLabel('Name', { exact: true }).fill(name)
    await page.getByLabel('Address', { exact: true }).fill(address)
    await page.getByLabel('Note', { exact: true }).fill(`Of ${name}`)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await page.getByRole('button', { name: 'Add a contact' }).click()
  await page.getByLabel('Address', { exact: true }).fill(friend)
  await expect(page.getByText('Already saved as Ana')).toBeVisible()
  // Another window adds the address typed here.
  const third: Address = `0x${'f3'.repeat(20)}`
  await page.getByLabel('Name', { exact: true }).fill('Dan')
  await page.getByLabel('Address', { exact: true }).fill(third)
  await expect(page.getByRole('button', { name: 'Save' })).toBeEnabled()
  await callWallet(page, 'saveSettings', { contacts: [{ address: third, name: 'Eve' }] })
  await expect(page.getByText('Already saved as Eve')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await callWallet(page, 'saveSettings', { forgotten: [third] })

  await page.getByRole('button', { name: /^Bob/ }).click()
  await page.getByLabel('Name', { exact: true }).fill('Bert')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.reload()
  await expect(page.getByRole('list', { name: 'Contacts' }).getByRole('listitem')).toHaveText([
    /Ana.*Of Ana/,
    /Bert/,
  ])

  await page.getByRole('button', { name: /^Ana/ }).click()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByRole('button', { name: 'Confirm removal' }).click()
  await expect(page.getByRole('list', { name: 'Contacts' }).getByRole('listitem')).toHaveText([/Bert/])
  await page.getByRole('button', { name: 'Send to Bert' }).click()
  await expect(groups(page)).toHaveText(getAddress(other))
  expect((await callWallet(page, 'settings')).contacts).toEqual([
    { address: other, name: 'Bert', note: 'Of Bob' },
  ])
})

test('resolves an on-chain name to its full address and explains names that cannot be resolved', async ({
  wallet: { page },
  localnet,
}) => {
  const names = await createNames(localnet)
  await names.register('alice.eth', other)
  await names.register('far.eth', other, 'offchain')
  await openSend(page)
  await amount(page).fill('0.1')
  await to(page).fill('far.eth')
  await expect(page.getByText('far.eth is stored off-chain at names.example')).toBeVisible()
  await to(page).fill('stranger.eth')
  await expect(page.getByText('stranger.eth has no address on this network.')).toBeVisible()
  await to(page).fill('аlice.eth')
  await expect(page.getByText('Invalid name: it mixes alphabets')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Check the recipient' })).toBeDisabled()
  await to(page).fill('Alice.eth')
  await expect(groups(page)).toHaveText(getAddress(other))
  const before = await balanceOf(localnet, nativeTokenAddress, other)
  await review(page)
  await expect(page.getByRole('region', { name: 'Recipient' })).toContainText('alice.eth')
  await confirm(page)
  await waitUntilDone(page)
  expect((await balanceOf(localnet, nativeTokenAddress, other)) - before).toBe(parseEther('0.1'))
})

test('resumes a pending transfer after the popup was closed, and sends it once', async ({
  wallet: { page, address },
  chrome,
  localnet,
}) => {
  const { client } = localnet
  const nonce = await client.getTransactionCount({ address })
  await client.setAutomine(false)
  try {
    await openSend(page)
    await amount(page).fill('0.2')
    await to(page).fill(other)
    await groups(page).waitFor()
    await to(page).press('Enter')
    await page.getByRole('heading', { name: 'Estimated changes' }).waitFor()
    await confirm(page)
    await readShownState(page, 'Pending').waitFor()
    await page.close()
    const again = await chrome.openPopup()
    await again.getByRole('navigation').getByRole('link', { name: 'Wallet' }).click()
    await again.getByText('Transfer pending').waitFor()
    await again.getByRole('button', { name: 'View', exact: true }).click()
    await readShownState(again, 'Pending').waitFor()
    await client.mine({ blocks: 1 })
    await waitUntilDone(again)
    expect(await client.getTransactionCount({ address })).toBe(nonce + 1)
  } finally {
    await client.setAutomine(true)
  }
})

test('restores the form input after the popup was closed', async ({ wallet: { page }, chrome }) => {
  await openSend(page)
  await chooseToSend(page, 'DAI')
  await amount(page).fill('12.5')
  await to(page).fill(friend)
  await expect(groups(page)).toHaveText(getAddress(friend))
  await page.close()
  const again = await chrome.openPopup()
  await openSend(again)
  await expect(amount(again)).toHaveValue('12.5')
  await expect(again.getByRole('button', { name: 'Token to send: DAI' })).toBeVisible()
  await expect(groups(again)).toHaveText(getAddress(friend))
})

test('reports a cancelled transfer, which moves no tokens', async ({ wallet: { page }, localnet }) => {
  const { client } = localnet
  const before = await balanceOf(localnet, nativeTokenAddress, friend)
  await client.setAutomine(false)
  try {
    await openSend(page)
    await amount(page).fill('0.3')
    await to(page).fill(friend)
    await review(page)
    await confirm(page)
    await readShownState(page, 'Pending').waitFor()
    // It waits for the chain only after it was sent.
    const newest = async () => (await callWallet(page, 'callBatches'))[0]
    await expect.poll(async () => (await newest())?.steps[0]?.state).toBe('sent')
    const id = (await newest())?.intent.id ?? ''
    const offer = await callWallet(page, 'replacement', id, 'cancel')
    await callWallet(page, 'replace', { id, wish: 'cancel', ...acceptReplacement(offer, offer.least) })
    await client.mine({ blocks: 1 })
    await readShownState(page, 'Cancelled').waitFor()
    expect(await balanceOf(localnet, nativeTokenAddress, friend)).toBe(before)
  } finally {
    await client.setAutomine(true)
  }
})

test('shows why a watch-only account cannot send', async ({ wallet: { page } }) => {
  const watched = await callWallet(page, 'addWatchOnly', other)
  await callWallet(page, 'saveSettings', { account: watched.address })
  await openSend(page)
  await expect(page.getByText('This is a watch-only account.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Watch-only: can’t send' })).toBeDisabled()
})

test('encodes the account’s plain address in the QR code', async ({ wallet: { page, address } }) => {
  await page.getByRole('navigation').getByRole('link', { name: 'Wallet' }).click()
  await page.getByRole('button', { name: 'Receive' }).click()
  const whole = getAddress(address)
  const code = page.getByRole('img', { name: /QR code/ })
  const { data, size } = encode(whole, { ecc: 'M', border: 0 })
  // As a camera sees it: the middle of each module in the screenshot.
  const seen = await readModules(await code.screenshot(), page, size)
  expect(seen).toEqual(data.map((row) => row.map((isDark) => (isDark ? '#' : '.')).join('')))
  await expect(page.locator('.receive .groups')).toHaveText(whole)
  await expect(page.getByText('You can receive on Local with this address.')).toBeVisible()
})

/** Returns the modules of a QR code with a margin of four, as lines of # and dots. */
function readModules(picture: Buffer, page: Page, size: number): Promise<string[]> {
  return page.evaluate(
    async ({ bytes, size }) => {
      const bitmap = await createImageBitmap(new Blob([new Uint8Array(bytes)]))
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
      const context = canvas.getContext('2d')
      if (context === null) throw new Error('No canvas.')
      context.drawImage(bitmap, 0, 0)
      const module = bitmap.width / (size + 8)
      const lines: string[] = []
      for (let y = 0; y < size; y += 1) {
        let line = ''
        for (let x = 0; x < size; x += 1) {
          const [red = 0] = context.getImageData((x + 4.5) * module, (y + 4.5) * module, 1, 1).data
          line += red < 128 ? '#' : '.'
        }
        lines.push(line)
      }
      return lines
    },
    { bytes: [...picture], size },
  )
}

test('shows a token’s contract, keeps it as a favorite and opens the swap form', async ({
  wallet: { page },
  localnet,
}) => {
  const { DAI } = localnet.tokens
  await page.getByRole('navigation').getByRole('link', { name: 'Wallet' }).click()
  await page.getByRole('link', { name: /^DAI|DAI/ }).click()
  await expect(page.locator('.contract .groups')).toHaveText(getAddress(DAI))
  const star = page.getByRole('button', { name: 'Favorite' })
  await star.click()
  await expect(star).toHaveAttribute('aria-pressed', 'true')
  expect((await callWallet(page, 'tokenPreferences', 31337)).favourites).toEqual([DAI])
  await page.reload()
  await expect(star).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('button', { name: 'Swap' }).click()
  await page.getByRole('button', { name: 'Token to sell: DAI' }).waitFor()
})

test('meets the accessibility checks on the send screens', async ({ wallet: { page } }) => {
  const look = createLook(page)
  await callWallet(page, 'addWatchOnly', other)
  await page.getByRole('navigation').getByRole('link', { name: 'Wallet' }).click()
  await page.getByRole('link', { name: /DAI/ }).waitFor()
  await look('overview')
  await page.getByRole('button', { name: 'Receive' }).click()
  await look('receive')
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await page.getByRole('link', { name: /DAI/ }).click()
  await look('token')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('button', { name: 'Contacts' }).click()
  await page.getByRole('heading', { name: 'Contacts' }).waitFor()
  await look('contacts-empty')
  await page.getByRole('button', { name: 'Add a contact' }).click()
  await page
    .getByLabel('Name', { exact: true })
    .fill('Zoë with a name that is as long as a name may be, 64 signs')
  await page.getByLabel('Address', { exact: true }).fill(friend)
  await look('contact')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('list', { name: 'Contacts' }).waitFor()
  await look('contacts')
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await to(page).fill('?')
  await look('send-fault')
  await to(page).fill('')
  await page.getByRole('list', { name: 'Suggested recipients' }).waitFor()
  await look('send')
  await page.getByRole('button', { name: 'Send max' }).click()
  await to(page).fill(fake)
  await page.getByText('Possible scam: this address looks like “').waitFor()
  await look('send-look-alike')
  await review(page)
  await look('send-review-look-alike')
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await to(page).fill(friend)
  await review(page)
  await look('send-review')
  await page.getByTitle('Edit network fee').click()
  await look('send-speed')
  await page.keyboard.press('Escape')
  await confirm(page)
  await waitUntilDone(page)
  await look('sent')
})
