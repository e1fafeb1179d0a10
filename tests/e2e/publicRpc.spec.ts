import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect } from '@playwright/test'
import type { Page as PuppeteerPage, Target } from 'puppeteer-core'
import { launchBrowser } from '../../dev/browser/browser.ts'
import { find, press, toPageRunner } from '../../dev/browser/firefox.ts'
import { callWallet, leavePages, openSettings, password } from '../../dev/browser/popupPage.ts'
import { type HeadedBrowser, launchHeaded } from '../../dev/browser/realPopup.ts'
import { createPublicLocalnet, type PublicLocalnet } from '../../dev/chain/publicChain.ts'
import { findPublicChain } from '../../src/domain/network/chains.ts'
import { isReachable } from '../../src/state/settings.ts'
import { createKey } from '../../src/vault/password.ts'
import { newSecret } from '../../src/vault/words/phrase.ts'
import { see } from '../helpers/e2e/headed.ts'
import { etherBalance } from '../helpers/e2e/home.ts'
import { isBrowsersOwn } from '../helpers/e2e/logProxy.ts'
import { copyWithHosts, type PublicRpc, startPublicRpc } from '../helpers/e2e/publicRpc.ts'
import { extension } from '../helpers/e2e/wallet.ts'

const presets = (findPublicChain(8453)?.rpcs ?? []).map(({ url }) => new URL(url).host)
const [first = '', second = ''] = presets

const test = base.extend<{ localnet: PublicLocalnet; rpc: PublicRpc; folder: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures from the pattern.
  localnet: async ({}, use) => {
    const localnet = await createPublicLocalnet({ chainId: 8453 })
    await use(localnet)
    await localnet.stop()
  },
  rpc: async ({ localnet }, use) => {
    const rpc = await startPublicRpc(Object.fromEntries(presets.map((host) => [host, localnet.rpcUrl])))
    await use(rpc)
    await rpc.stop()
  },
  // biome-ignore lint/correctness/noEmptyPattern: as above.
  folder: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-public-'))
    await use(folder)
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  },
})

test('connects to Base by a public RPC and its backup, and contacts no other host', async ({
  localnet,
  rpc,
  folder,
}) => {
  const chrome = await launchBrowser({
    extension: copyWithHosts(extension, presets, join(folder, 'extension')),
    profile: join(folder, 'profile'),
    headless: true,
    isStill: true,
    args: rpc.args,
  })
  const setUp = await chrome.openFile('icon/16.png')
  await callWallet(setUp, 'create', await createKey(password), await newSecret(12))
  const page = await chrome.openPopup()
  // The setup goes on if its tab was still open when the wallet was made.
  const later = page.getByRole('button', { name: 'Set up later' })
  await later
    .or(page.getByRole('button', { name: 'Choose where to swap' }))
    .first()
    .waitFor()
  if (await later.isVisible()) await later.click()
  expect(publicHosts(rpc)).toEqual([])

  await openSettings(page, 'Networks', 'Base')
  await page.getByRole('button', { name: new RegExp(`^${first}`) }).click()
  const height = await localnet.client.getBlockNumber()
  for (const part of ['node', 'spare']) {
    await expect(page.locator(`[data-part="${part}"]`)).toContainText(`block ${height}`)
  }
  for (const host of [first, second]) {
    expect(rpc.requests).toContainEqual({ host, method: 'eth_chainId' })
  }
  const status = await callWallet(page, 'status')
  const address = status.vault === 'unlocked' ? status.accounts[0]?.address : undefined
  await localnet.fund(address ?? '0x')
  await leavePages(page)
  await page.getByRole('navigation').getByRole('link', { name: 'Wallet' }).click()
  await expect(etherBalance(page)).toHaveText('10')
  expect(publicHosts(rpc)).toEqual([`${second}:443`, `${first}:443`].toSorted())

  rpc.takeDown(first)
  await openSettings(page, 'Networks', 'Base')
  await expect(page.locator('[data-part="node"]')).toContainText('Can’t reach the RPC.')
  await expect(page.locator('[data-part="spare"]')).toContainText('Connected')
  expect(publicHosts(rpc)).toEqual([`${second}:443`, `${first}:443`].toSorted())

  // The proxy would have recorded another host.
  const site = await chrome.context.newPage()
  await site.goto('https://unchosen.example').catch(() => undefined)
  expect(publicHosts(rpc)).toContain('unchosen.example:443')
  await chrome.close()
})

test('contacts public RPCs once the user has allowed their hosts, and quotes in popup and side panel', async ({
  localnet,
  rpc,
}) => {
  const headed = await launchHeaded({ extension, args: rpc.args })
  try {
    let popup = await headed.openPopup()
    const runs = toPageRunner(popup)
    await callWallet(runs, 'create', await createKey(password), await newSecret(12))
    await callWallet(runs, 'confirmBackup')
    await headed.closePopup()

    popup = await headed.openPopup()
    // Where home and the swap form lead to.
    await popup.evaluate(() => location.assign('#/begin'))
    await press(popup, /^Base/)
    await see(popup, 'button.main', '^Use Base’s public RPC$')
    expect(publicHosts(rpc)).toEqual([])
    // The prompt closes the popup during the press.
    await popup.focus('button.main')
    await popup.keyboard.press('Enter').catch(() => undefined)
    await headed.answerPrompt('allow')

    popup = await headed.openPopup()
    await see(popup, 'button[aria-label]', '^')
    await expect
      .poll(
        async () => (await callWallet(toPageRunner(popup), 'settings')).networks.filter(isReachable).length,
      )
      .toBe(1)
    const { networks } = await callWallet(toPageRunner(popup), 'settings')
    const saved = networks.find(({ chainId }) => chainId === localnet.chainId)
    expect(saved).toMatchObject({ rpcUrl: `https://${first}`, spareRpcUrl: `https://${second}` })
    const status = await callWallet(toPageRunner(popup), 'status')
    await localnet.fund(status.vault === 'unlocked' ? (status.accounts[0]?.address ?? '0x') : '0x')
    await headed.closePopup()

    popup = await headed.openPopup()
    await press(popup, /^Swap$/, 'nav a')
    await press(popup, /^Use 50% of balance$/)
    await see(popup, '.quote .rate', '^1 ETH = ')
    await press(popup, /^Settings$/)
    const panel = await openSidePanel(headed, popup)
    await see(panel, '.quote .rate', '^1 ETH = ')
    expect(publicHosts(rpc)).toEqual([`${second}:443`, `${first}:443`].toSorted())
  } finally {
    await headed.close()
  }
})

/** A key press is a user gesture, which the browser requires. */
async function openSidePanel({ browser }: HeadedBrowser, popup: PuppeteerPage): Promise<PuppeteerPage> {
  const before = new Set(browser.targets())
  const button = await find(popup, 'button', /^Open in side panel$/)
  await button.focus()
  await popup.keyboard.press('Enter').catch(() => undefined)
  const isPanel = (target: Target) =>
    !before.has(target) && /^chrome-extension:.*\/popup\.html/.test(target.url())
  return (await browser.waitForTarget(isPanel, { timeout: 60_000 })).asPage()
}

/** Without those that the browser contacts by itself, and the build's network on this machine. */
function publicHosts({ hosts }: PublicRpc): string[] {
  return [...hosts].filter((host) => !isBrowsersOwn.test(host) && !host.startsWith('127.0.0.1:')).toSorted()
}
