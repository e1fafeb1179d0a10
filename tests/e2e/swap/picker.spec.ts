import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { getAddress } from 'viem'
import { callWallet, setLocalNetwork } from '../../../dev/browser/popupPage.ts'
import { serveSite } from '../../../dev/browser/site.ts'
import { listedAt, longList } from '../../../dev/pools/fakeTokenList.ts'
import type { Address } from '../../../src/domain/token/token.ts'
import { createLook } from '../../helpers/e2e/looks.ts'
import { deployToken, test } from '../../helpers/e2e/wallet.ts'
import { startHttpServer } from '../../helpers/httpServer.ts'

test('lists held tokens first, and marks and selects tokens by keyboard', async ({ wallet: { page } }) => {
  const places = page.getByRole('navigation')
  await places.getByRole('link', { name: 'Wallet' }).click()
  const rows = page.locator('main.overview .group').first().locator('.who-name')
  await expect(rows).toHaveCount(9)
  // The most valuable.
  await expect(rows.first()).toHaveText('WBTC')
  const shown = await rows.allTextContents()
  await places.getByRole('link', { name: 'Swap' }).click()
  const picker = await openPicker(page, 'buy')
  const search = picker.getByRole('combobox')
  await expect(search).toBeFocused()
  await expect(picker.getByRole('group', { name: 'Your tokens' }).getByRole('option')).toHaveCount(9)
  await expect(picker.getByRole('option').first()).toContainText('WBTC')
  // Same order as on the overview.
  const held = picker.getByRole('group', { name: 'Your tokens' }).locator('[role=option] strong')
  expect(await held.allTextContents()).toEqual(shown)
  await expect(picker.getByText('List updated', { exact: false })).toBeVisible()

  // `aria-activedescendant` names the highlighted row, which includes its favourite state.
  await search.fill('link')
  await expect(picker.getByRole('status').last()).toContainText('1 token')
  await search.press('*')
  await expect.poll(() => activeOption(page)).toMatch(/LINK.*favorite/s)
  await expect(search).toHaveValue('link')
  await search.press('*')
  await expect(picker.getByText('LINK removed from favorites')).toBeAttached()
  await search.fill('')
  const first = await activeOption(page)
  await search.press('ArrowDown')
  await search.press('ArrowDown')
  await search.press('ArrowUp')
  expect(await activeOption(page)).not.toBe(first)
  const symbol = await picker.locator('[role=option][aria-selected=true] strong').textContent()
  await search.press('Enter')
  await expect(picker).toHaveCount(0)
  await expect(page.getByRole('button', { name: `Token to buy: ${symbol}` })).toBeVisible()
  await expect.poll(async () => (await callWallet(page, 'tokenPreferences', 31337)).recents).toHaveLength(1)
})

test('passes accessibility checks in the token list, the search and the token warnings', async ({
  wallet: { page },
  localnet,
}) => {
  const look = createLook(page)
  const fake = await deployToken(localnet, 'USD Coin', 'USDС')
  const { LINK, DAI, WBTC } = localnet.tokens
  await callWallet(page, 'importToken', 31337, fake)
  await callWallet(page, 'updateTokenPreferences', 31337, { marked: [LINK], used: [DAI, WBTC, fake] })
  await page.reload()
  const picker = await openPicker(page, 'buy')
  await expect(picker.getByRole('button', { name: 'WBTC' })).toBeVisible()
  await expect(picker.getByRole('button', { name: /looks like USDC/ })).toBeVisible()
  await expect(picker.getByRole('group', { name: 'Your tokens' }).getByRole('option').nth(3)).toBeVisible()
  await look('picker-list')
  await picker.getByRole('combobox').fill('usd')
  await look('picker-search')
  await picker.getByRole('option', { name: /looks like USDC/ }).click()
  await picker.getByRole('button', { name: 'Use this token anyway' }).waitFor()
  await look('picker-doubtful')
  await picker.getByRole('button', { name: 'Back to list' }).click()
  await picker.getByRole('combobox').fill(fake.replace(/.{4}$/, '0000'))
  await expect(picker.getByText('No token found at this address.')).toBeVisible()
  await look('picker-no-token')
})

test('adds a token by address, warns when it imitates a listed token, and removes it', async ({
  wallet: { page },
  localnet,
}) => {
  const { USDC } = localnet.tokens
  // С is Cyrillic; bidi overrides are removed.
  const fake = await deployToken(localnet, '\u202eniocdsu', 'U\u202eSDС')
  const honest = await deployToken(localnet, 'Alder', 'ALDER')

  let picker = await openPicker(page, 'buy')
  await picker.getByRole('combobox').fill(` ${getAddress(honest)} `)
  await expect(picker.getByText('Not on Sluice’s token list.', { exact: false })).toBeVisible()
  await expect(picker.getByText(honest)).toBeVisible()
  await expect(picker.getByText('18 decimals')).toBeVisible()
  await picker.getByRole('button', { name: 'Use this token' }).click()
  await expect(page.getByRole('button', { name: 'Token to buy: ALDER' })).toBeVisible()

  // The imitated token is listed first.
  picker = await openPicker(page, 'sell')
  await picker.getByRole('combobox').fill(fake)
  await expect(picker.getByText(USDC)).toBeVisible()
  await expect(picker.getByText(fake)).toBeVisible()
  await picker.getByRole('button', { name: 'Use listed USDC' }).click()
  await expect(page.getByRole('button', { name: 'Token to sell: USDC' })).toBeVisible()
  picker = await openPicker(page, 'sell')
  await picker.getByRole('combobox').fill(fake)
  await picker.getByRole('button', { name: 'Use this token anyway' }).click()
  await expect(page.getByRole('button', { name: /Token to sell: USDС/ })).toBeVisible()

  // Both added tokens survive a restart, found from three characters; the fake is reviewed each time.
  await page.reload()
  picker = await openPicker(page, 'buy')
  const search = picker.getByRole('combobox')
  await expect(picker.getByRole('group', { name: 'Your tokens' }).getByRole('option').first()).toBeVisible()
  await expect(picker.getByRole('group', { name: 'Unlisted tokens' })).toHaveCount(0)
  await search.fill('al')
  await expect(picker.getByRole('option')).toHaveCount(0)
  await search.fill('ald')
  await expect(picker.getByRole('group', { name: 'Unlisted tokens' }).getByRole('option')).toHaveText(/ALDER/)
  await search.fill(fake.slice(0, 12))
  await expect(picker.getByRole('option')).toContainText('looks like USDC')
  await search.press('Enter')
  await expect(picker.getByText(USDC)).toBeVisible()
  await picker.getByRole('button', { name: 'Back to list' }).click()
  await expect(search).toBeFocused()

  await search.fill(fake.slice(0, 12))
  await search.press('Shift+Delete')
  await expect(picker.getByText(' removed', { exact: false })).toBeVisible()
  await expect(picker.getByRole('option')).toHaveCount(0)
  expect(await importedBy(page)).toEqual([honest])
  await picker.getByRole('button', { name: 'Undo' }).click()
  await expect(picker.getByRole('option')).toContainText('looks like USDC')
  expect(await importedBy(page)).toEqual([honest, fake])
})

test('renders 5,000 tokens as a virtual list, keeps favourites and recents, and requests no images', async ({
  wallet: { page },
  chrome,
  localnet,
}) => {
  const spied: string[] = []
  const spy = await startHttpServer(({ url = '' }, response) => {
    spied.push(url)
    response.end()
  })
  const folder = mkdtempSync(join(tmpdir(), 'sluice-list-'))
  const picture = (name: string) => `${spy.url}/${name}`
  const evil = { name: 'USD Coin', decimals: 6, logoURI: picture('tracker.svg') }
  const files = longList(31337, 5_000, [
    { ...evil, symbol: 'USDC', address: localnet.tokens.USDC },
    { ...evil, symbol: 'USDС', address: `0x${'9'.repeat(40)}` },
    { ...evil, symbol: 'ET\u200bH', address: `0x${'8'.repeat(40)}` },
    { ...evil, symbol: '\u202eWOLLAM', name: `\u202e${'long '.repeat(11)}`, address: `0x${'7'.repeat(40)}` },
    { ...evil, symbol: 'SVG', address: `0x${'6'.repeat(40)}`, logoURI: 'data:image/svg+xml,<svg/>' },
  ])
  const list = await serveSite(folder, { files })
  const asked: string[] = []
  chrome.context.on('request', (request) => asked.push(request.url()))
  await setLocalNetwork(page, { serviceUrl: list.url })
  await page.reload()

  let picker = await openPicker(page, 'buy')
  const search = picker.getByRole('combobox')
  const options = picker.getByRole('option')
  await expect(options.first()).toBeVisible()
  await expect(picker.getByRole('group', { name: 'Listed tokens' })).toBeVisible()
  // Held tokens are found among 5,000.
  await expect(picker.getByRole('group', { name: 'Your tokens' }).getByRole('option')).toContainText([
    'ETH',
    'USDC',
  ])
  // Logos go by address: whatever calls itself USDC has letters.
  const namesake = picker.getByRole('option').filter({ hasText: 'USDC' }).first()
  await expect(namesake.locator('svg.token-icon text')).toHaveText('USDC')
  await expect(picker.locator('img.token-icon')).toHaveCount(0)
  expect(await options.count()).toBeLessThan(30)
  expect(await options.first().getAttribute('aria-setsize')).toBe('5006')

  // Scrolling to the end or searching adds no more rows.
  await picker.getByRole('listbox').evaluate((box) => box.scrollTo(0, box.scrollHeight))
  await expect(options.last()).toHaveAttribute('aria-posinset', '5006')
  expect(await options.count()).toBeLessThan(30)
  for (const text of ['b', 'ba', 'number 4', listedAt(4_321)]) {
    await search.fill(text)
    await expect(options.first()).toBeVisible()
    expect(await options.count(), text).toBeLessThan(30)
  }
  await expect(options).toHaveCount(1)

  // A row keeps its place when marked; a rebuilt list shows it among the favourites.
  await search.fill('number 77')
  await search.press('ArrowDown')
  await options.nth(1).locator('[data-does="mark"]').click()
  await expect(options.nth(1)).toContainText('favorite')
  await search.fill('')
  const favourites = picker.getByRole('group', { name: 'Favorites' }).getByRole('option')
  await expect(favourites).toHaveCount(1)
  const symbol = (await favourites.locator('strong').textContent()) ?? ''
  for (const number of [10, 11, 12, 13, 14, 15]) {
    await search.fill(listedAt(number))
    await search.press('Enter')
    await expect(picker).toHaveCount(0)
    picker = await openPicker(page, 'buy')
  }
  await page.reload()
  picker = await openPicker(page, 'buy')
  await expect(favourites.locator('strong')).toHaveText(symbol)
  await expect(picker.getByRole('list', { name: 'Recent tokens' }).getByRole('button')).toHaveCount(5)
  const { recents } = await callWallet(page, 'tokenPreferences', 31337)
  expect(recents).toEqual([15, 14, 13, 12, 11].map(listedAt))

  // Listed tokens may imitate well-known ones, too.
  await search.fill('9999')
  await expect(options).toContainText('looks like USDC')
  await options.click()
  await picker.getByRole('button', { name: 'Use listed USDC' }).click()
  await expect(page.getByRole('button', { name: 'Token to buy: USDC' })).toBeVisible()
  picker = await openPicker(page, 'buy')
  await search.fill('8888')
  await expect(options).toContainText('looks like ETH')
  await search.press('Enter')
  await picker.getByRole('button', { name: 'Use native ETH' }).click()
  await expect(page.getByRole('button', { name: 'Token to buy: ETH' })).toBeVisible()

  picker = await openPicker(page, 'buy')
  await search.fill('7777')
  await expect(options).toContainText('WOLLAM')
  expect(await options.textContent()).not.toMatch(/[\u200b\u202e]/)
  await search.fill('6666')
  await expect(options).toContainText('SVG')
  await expect(picker.locator('img, image')).toHaveCount(0)
  expect(spied).toEqual([])
  const hosts = new Set(
    asked.filter((url) => !url.startsWith('chrome-extension:')).map((url) => new URL(url).host),
  )
  expect(hosts).not.toContain(new URL(spy.url).host)
  await list.stop()
  await spy.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('shows the age of a cached token list while the swap service is down, and refreshes it later', async ({
  wallet: { page },
  service,
}) => {
  let picker = await openPicker(page, 'buy')
  await expect(picker.getByText(/^List updated/)).toBeVisible()
  service.set('500')
  await ageList(page, 15)
  await page.reload()
  picker = await openPicker(page, 'buy')
  await expect(picker.getByText('List updated 15 hours ago')).toBeVisible()
  await picker.getByRole('combobox').fill('dai')
  await expect(picker.getByRole('option')).toHaveText(/DAI/)
  const asked = () => service.asked.filter((url) => url.endsWith('/tokens')).length
  const before = asked()
  await picker.getByRole('button', { name: 'Refresh' }).click()
  // Two retries: a list that arrived in between would be noticed.
  await expect.poll(() => asked() - before).toBe(3)
  await expect(picker.getByText('List updated 15 hours ago')).toBeVisible()
  service.set('none')
  await picker.getByRole('button', { name: 'Refresh' }).click()
  await expect(picker.getByText('List updated just now')).toBeVisible()
  await expect(picker.getByRole('button', { name: 'Refresh' })).toHaveCount(0)
})

async function openPicker(page: Page, side: 'sell' | 'buy') {
  await page.getByRole('button', { name: new RegExp(`^Token to ${side}`) }).click()
  const picker = page.getByRole('dialog', { name: `Token to ${side}` })
  await picker.getByRole('combobox').waitFor()
  return picker
}

/** Returns the text of the highlighted option. */
function activeOption(page: Page): Promise<string> {
  return page.evaluate(() => {
    const id = document.activeElement?.getAttribute('aria-activedescendant') ?? ''
    return document.getElementById(id)?.textContent ?? ''
  })
}

async function importedBy(page: Page): Promise<Address[]> {
  const tokens = await callWallet(page, 'tokens', 31337)
  return tokens.filter(({ listed }) => !listed).map(({ address }) => address)
}

/** Backdates the stored token list by `hours`. */
function ageList(page: Page, hours: number): Promise<void> {
  return page.evaluate(async (hours) => {
    const { chrome } = globalThis as unknown as {
      chrome: {
        storage: {
          local: {
            get(key: string): Promise<Record<string, object>>
            set(items: object): Promise<void>
          }
        }
      }
    }
    const kept = (await chrome.storage.local.get('tokens.31337'))['tokens.31337']
    const at = Date.now() - hours * 3_600_000
    await chrome.storage.local.set({ 'tokens.31337': { ...kept, at } })
  }, hours)
}
