import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { type Browser, launchBrowser, onboardingTab } from '../../dev/browser/browser.ts'
import { callWallet, password } from '../../dev/browser/popupPage.ts'
import { type Anvil, startAnvil } from '../../dev/chain/anvil.ts'
import { createLook } from '../helpers/e2e/looks.ts'
import { phrases } from '../helpers/e2e/phrases.ts'
import { extension, test } from '../helpers/e2e/wallet.ts'

// The choice of a network, in the build as released: it has neither a local network nor an RPC.

// Requests are routed, and the worker's own functions replaced.
test.use({ isAlone: true })

const choice = 'Where do you want to swap?'

test('lists ten networks in order of use, finds one by name, and contacts no host', async ({ chrome }) => {
  const hosts = await watchHosts(chrome)
  const page = await importWallet(chrome)
  const look = createLook(page)
  await page.getByRole('heading', { name: choice }).waitFor()
  await expect(page.getByText('Step 3 of 3')).toBeVisible()
  await expect(page.getByRole('listitem').locator('.place-name')).toHaveText([
    ...['Base', 'Ethereum', 'Arbitrum', 'BNB Chain', 'Polygon'],
    ...['Optimism', 'Avalanche', 'Unichain', 'Linea', 'Gnosis'],
  ])
  await look('first-network')
  await page.getByRole('searchbox').fill('nothing like it')
  await expect(page.getByText('No networks found')).toBeVisible()
  await page.getByRole('searchbox').fill('bnb')
  await expect(page.getByRole('listitem')).toHaveCount(1)
  await page.getByRole('searchbox').press('Enter')
  await expect(page.getByRole('heading', { name: 'RPC for BNB Chain' })).toBeVisible()
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await page.getByRole('button', { name: /^Polygon/ }).click()
  await expect(page.getByRole('button', { name: 'Use PublicNode’s public RPC' })).toBeVisible()
  await look('first-rpc')
  expect(hosts).toEqual([])
  const { chainId, networks } = await callWallet(page, 'settings')
  expect(chainId).toBe(8453)
  expect(networks.filter(({ rpcUrl, faucetUrl }) => rpcUrl !== '' || faucetUrl !== undefined)).toEqual([])
})

test('postpones the choice without an error, and leads to it from home and the swap form', async ({
  chrome,
}) => {
  const page = await importWallet(chrome)
  const look = createLook(page)
  await page.getByRole('button', { name: 'Set up later' }).click()
  const card = page.getByRole('region', { name: 'Finish setting up' })
  await expect(card.getByRole('listitem')).toContainText(['Wallet ready', 'Swaps ready'])
  await expect(card.getByText('To do')).toHaveCount(2)
  await expect(page.getByRole('alert')).toHaveCount(0)
  await look('home-unset')
  for (const tab of ['Swap', 'Activity']) {
    await page.getByRole('navigation').getByRole('link', { name: tab }).click()
    await page.getByRole('heading', { name: tab }).waitFor()
    await look(`${tab.toLowerCase()}-unset`)
    await expect(page.getByRole('alert')).toHaveCount(0)
  }
  await page.getByRole('navigation').getByRole('link', { name: 'Swap' }).click()
  await page.getByRole('button', { name: 'Choose where to swap' }).click()
  await page.getByRole('heading', { name: choice }).waitFor()
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await page.getByRole('navigation').getByRole('link', { name: 'Wallet' }).click()
  await card.getByRole('button', { name: 'Choose where to swap' }).click()
  await expect(page.getByRole('heading', { name: choice })).toBeVisible()
})

test.describe('with an RPC', () => {
  let node: Anvil
  test.beforeAll(async () => {
    node = await startAnvil({ chainId: 8453, port: 0 })
  })
  test.afterAll(() => node.stop())
  test('takes the first public RPC and its backup by one press, and opens the swap form', async ({
    chrome,
  }) => {
    await permitHosts(chrome)
    const hosts = await watchHosts(chrome, node.rpcUrl)
    const page = await importWallet(chrome)
    await page.getByRole('button', { name: /^Base/ }).click()
    await page.getByRole('button', { name: 'Use Base’s public RPC' }).click()
    await expect(page.getByRole('heading', { name: 'Swap' })).toBeAttached()
    await expect(page.getByText('You’re all set.')).toBeVisible()
    await createLook(page)('first-swap')
    expect(await page.evaluate(() => (globalThis as unknown as { asked: unknown }).asked)).toEqual([
      ['https://mainnet.base.org/*', 'https://base-rpc.publicnode.com/*'],
    ])
    const { chainId, networks } = await callWallet(page, 'settings')
    expect(chainId).toBe(8453)
    expect(networks.find((one) => one.chainId === 8453)).toMatchObject({
      rpcUrl: 'https://mainnet.base.org',
      spareRpcUrl: 'https://base-rpc.publicnode.com',
    })
    expect(new Set(hosts)).toEqual(new Set(['mainnet.base.org', 'base-rpc.publicnode.com']))

    await page.getByRole('button', { name: 'Keep popup' }).click()
    await page.getByRole('navigation').getByRole('link', { name: 'Wallet' }).click()
    await expect(page.getByText('0 ETH', { exact: true })).toBeVisible()
  })

  test('says why an RPC was not taken, and offers another one and a custom URL', async ({ chrome }) => {
    await permitHosts(chrome)
    await watchHosts(chrome)
    const page = await importWallet(chrome)
    await page.getByRole('button', { name: /^Base/ }).click()
    await page.getByRole('button', { name: 'Use Base’s public RPC' }).click()
    await expect(page.getByText('This RPC isn’t responding. Nothing was saved.')).toBeVisible()
    await page.getByText('Other RPCs').click()
    await expect(page.getByRole('button', { name: /^base\.drpc\.org/ })).toBeEnabled()
    await page.getByRole('button', { name: 'Enter an RPC URL' }).click()
    await page.getByRole('form', { name: 'Base' }).getByLabel('RPC URL', { exact: true }).fill(node.rpcUrl)
    await page.getByRole('form', { name: 'Base' }).getByRole('button', { name: /^Save/ }).click()
    await expect.poll(async () => (await baseOf(page))?.rpcUrl).toBe(node.rpcUrl)
    await page.getByRole('button', { name: 'Back', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Swap' })).toBeAttached()
    await page.getByRole('navigation').getByRole('link', { name: 'Wallet' }).click()
    await expect(page.getByText('0 ETH', { exact: true })).toBeVisible()
  })
})

test('continues with a network whose RPC was set elsewhere, and makes it the current one', async ({
  chrome,
  localnet,
}) => {
  const page = await importWallet(chrome)
  await page.getByRole('button', { name: /^Arbitrum/ }).click()
  await page.getByRole('heading', { name: 'RPC for Arbitrum' }).waitFor()
  const { networks } = await callWallet(page, 'settings')
  const arbitrum = networks.find((one) => one.chainId === 42161)
  if (arbitrum === undefined) throw new Error('The wallet does not know Arbitrum.')
  await callWallet(page, 'saveSettings', { networks: [{ ...arbitrum, rpcUrl: localnet.rpcUrl }] })
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('heading', { name: 'Swap' })).toBeAttached()
  expect((await callWallet(page, 'settings')).chainId).toBe(42161)
})

test('opens onboarding in a tab when installed, and continues its step in another view', async () => {
  const profile = mkdtempSync(join(tmpdir(), 'sluice-install-'))
  const chrome = await launchBrowser({ extension, profile, headless: true, isStill: true, keepsTab: true })
  try {
    const isTab = (page: Page) => page.url().endsWith(onboardingTab)
    await expect.poll(() => chrome.context.pages().filter(isTab).length).toBe(1)
    const tab = chrome.context.pages().find(isTab) as Page
    await tab.getByRole('button', { name: 'I already have a wallet' }).click()
    await bringPhrase(tab)
    await tab.getByRole('button', { name: /^Arbitrum/ }).click()
    await tab.getByRole('heading', { name: 'RPC for Arbitrum' }).waitFor()
    await tab.close()
    const popup = await chrome.openPopup()
    await expect(popup.getByRole('heading', { name: 'RPC for Arbitrum' })).toBeVisible()
    await expect(popup.getByText('Step 3 of 3')).toBeVisible()
    await popup.getByRole('button', { name: 'Back', exact: true }).click()
    await popup.getByRole('button', { name: 'Set up later' }).click()
    await popup.close()
    const next = await chrome.openPopup()
    await expect(next.getByRole('button', { name: 'Choose where to swap' })).toBeVisible()
  } finally {
    await chrome.close()
    rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  }
})

test('offers the side panel after onboarding, and a setting reverts it', async ({ wallet: { page } }) => {
  await page.goto('about:blank')
  await page.addInitScript(() => {
    const { chrome } = globalThis as unknown as { chrome?: { sidePanel?: object } }
    // Opens no panel without a window.
    if (chrome?.sidePanel) Object.assign(chrome.sidePanel, { open: async () => undefined })
  })
  await page.goBack()
  const behavior = () =>
    page.evaluate(() =>
      (
        globalThis as unknown as { chrome: typeof import('wxt/browser').browser }
      ).chrome.sidePanel.getPanelBehavior(),
    )
  expect(await behavior()).toMatchObject({ openPanelOnActionClick: false })
  await page.evaluate(() => location.assign('#/overview/welcome'))
  await page.reload()
  await page.getByRole('button', { name: 'Use side panel' }).click()
  await expect(page.getByText('You’re all set.')).toHaveCount(0)
  expect(await behavior()).toMatchObject({ openPanelOnActionClick: true })

  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  const opens = page.getByRole('switch', { name: 'Icon opens the side panel' })
  await expect(opens).toBeChecked()
  await opens.click()
  await expect(opens).not.toBeChecked()
  expect(await behavior()).toMatchObject({ openPanelOnActionClick: false })
})

/** Imports a wallet up to the choice of a network. */
async function importWallet(chrome: Browser): Promise<Page> {
  const page = await chrome.openPopup()
  await page.getByRole('button', { name: 'I already have a wallet' }).click()
  await bringPhrase(page)
  return page
}

async function bringPhrase(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Recovery phrase/ }).click()
  const words = phrases[0]?.split(' ') ?? []
  for (const [index, word] of words.entries()) {
    await page.getByLabel(`Word ${index + 1}`, { exact: true }).fill(word)
  }
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password').fill(password)
  await page.getByRole('button', { name: 'Import', exact: true }).click()
}

/** Grants hosts without the browser's prompt, which needs a window (dapps/permission.spec.ts). */
async function permitHosts({ context }: Browser): Promise<void> {
  await context.addInitScript(() => {
    const page = globalThis as unknown as { asked: string[][]; chrome?: { permissions?: object } }
    page.asked = []
    if (!page.chrome?.permissions) return
    Object.assign(page.chrome.permissions, {
      async request({ origins }: { origins: string[] }) {
        page.asked.push(origins)
        return true
      },
    })
  })
  await context.serviceWorkers()[0]?.evaluate(() => {
    const { chrome } = globalThis as unknown as { chrome: { permissions: object } }
    Object.assign(chrome.permissions, { contains: async () => true })
  })
}

/** Records the hosts of all requests, which `rpcUrl` answers; without it they fail. */
async function watchHosts({ context }: Browser, rpcUrl?: string): Promise<string[]> {
  const hosts: string[] = []
  await context.route(/^https:/, async (route) => {
    const request = route.request()
    hosts.push(new URL(request.url()).host)
    if (rpcUrl === undefined) return route.abort()
    const answer = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: request.postData() ?? '',
    })
    await route.fulfill({
      headers: { 'content-type': 'application/json', 'access-control-allow-origin': '*' },
      body: await answer.text(),
    })
  })
  return hosts
}

async function baseOf(page: Page) {
  return (await callWallet(page, 'settings')).networks.find(({ chainId }) => chainId === 8453)
}
