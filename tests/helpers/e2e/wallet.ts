import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test as base, type Page } from '@playwright/test'
import { encodeDeployData, erc20Abi, parseAbi } from 'viem'
import { readArtifact } from '../../../contracts/artifact.ts'
import { type Browser, launchBrowser } from '../../../dev/browser/browser.ts'
import {
  callWallet,
  openSwap,
  type PageRunner,
  password,
  setLocalNetwork,
} from '../../../dev/browser/popupPage.ts'
import { send } from '../../../dev/chain/client.ts'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import { startService } from '../../../service/server.ts'
import { type Address, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { createKey } from '../../../src/vault/password.ts'
import type { NewKey } from '../../../src/vault/storage/records.ts'
import { newSecret, showPhrase } from '../../../src/vault/words/phrase.ts'
import { type FaultProxy, startFaultProxy } from './faultProxy.ts'

export const extension = resolve(import.meta.dirname, '../../../.output/chrome-mv3')

/** Shared by all tests of a worker: the localnet, the service, and a fault proxy in front of it. */
type Shared = { localnet: Localnet; service: FaultProxy; key: NewKey; launched: Browser }

/** A browser in its initial state and a funded wallet, open at the swap form. */
type Own = {
  /** Uses a separate browser, for changes that last as long as it, such as a moved clock. */
  isAlone: boolean
  chrome: Browser
  wallet: Wallet
}

export type Wallet = { page: Page; address: Address; phrase: string }

export const test = base.extend<Own, Shared>({
  localnet: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures from the pattern.
    async ({}, use) => {
      const localnet = await createLocalnet({ faucetPort: 0 })
      await use(localnet)
      await localnet.stop()
    },
    { scope: 'worker' },
  ],
  service: [
    async ({ localnet }, use) => {
      // No time limit: a search cut short on a busy machine would find another route the second time.
      const searchMs = Number.POSITIVE_INFINITY
      const real = await startService({ config: localnet.config, rpcUrl: localnet.rpcUrl, port: 0, searchMs })
      const proxy = await startFaultProxy(real.url)
      await use(proxy)
      await proxy.stop()
      await real.stop()
    },
    { scope: 'worker' },
  ],
  // The password's key, slow to derive by design. The vault it locks is new for each test.
  key: [
    // biome-ignore lint/correctness/noEmptyPattern: as above.
    async ({}, use) => use(await createKey(password)),
    { scope: 'worker' },
  ],
  launched: [
    // biome-ignore lint/correctness/noEmptyPattern: as above.
    async ({}, use) => useBrowser(use),
    { scope: 'worker' },
  ],
  isAlone: [false, { option: true }],
  chrome: async ({ service, launched, isAlone }, use, info) => {
    service.set('none')
    const useAndReport = async (browser: Browser) => {
      await use(browser)
      if (info.status !== info.expectedStatus) await report(browser)
    }
    if (isAlone) return useBrowser(useAndReport)
    await renew(launched)
    await useAndReport(launched)
  },
  // Same result as the screens, which onboarding.spec.ts tests.
  wallet: async ({ chrome, localnet, service, key }, use) => {
    // An empty page that can call the worker, so that the popup first opens on the finished setup.
    const setUp = await chrome.openFile('icon/16.png')
    await setUp.setViewportSize({ width: 360, height: 600 })
    await useLocalnet(setUp, localnet, service.url)
    const secret = await newSecret(12)
    await callWallet(setUp, 'create', key, secret)
    await callWallet(setUp, 'confirmBackup')
    const status = await callWallet(setUp, 'status')
    const address = status.vault === 'unlocked' ? status.accounts[0]?.address : undefined
    if (address === undefined) throw new Error('The new wallet has no account.')
    await localnet.fund(address)
    await setUp.goto(setUp.url().replace(/icon\/.*$/, 'popup.html'))
    await openSwap(setUp)
    await use({ page: setUp, address, phrase: await showPhrase(secret.entropy) })
  },
})

/** Runs with a separate browser and the built extension, or one from another folder. */
export async function useBrowser(
  use: (browser: Browser) => Promise<void>,
  folder = extension,
): Promise<void> {
  const profile = mkdtempSync(join(tmpdir(), 'sluice-e2e-'))
  const browser = await launchBrowser({ extension: folder, profile, headless: true, isStill: true })
  await use(browser)
  await browser.close()
  rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
}

/** Prints what the open pages show, as the report of a failed test has no page. */
async function report({ context }: Browser): Promise<void> {
  for (const page of context.pages()) {
    const shown = await page.locator('body').ariaSnapshot({ timeout: 5_000 }).catch(String)
    console.log(`${page.url()}\n${shown.replace(/^/gm, '  ')}`)
  }
}

/** Resets pages, worker, storage and permissions, as a new browser takes longer than many tests. */
async function renew({ context, killWorker, openFile }: Browser): Promise<void> {
  const before = context.pages()
  // An extension page that sends the worker nothing.
  const page = await openFile('icon/16.png')
  for (const one of before) await one.close()
  await context.clearPermissions()
  await context.clearCookies()
  await context.unrouteAll()
  await killWorker()
  await page.evaluate(async () => {
    const { chrome } = globalThis as unknown as { chrome: typeof import('wxt/browser').browser }
    const {
      optional_permissions = [],
      host_permissions = [],
      content_scripts = [],
    } = chrome.runtime.getManifest()
    const { origins = [], permissions = [] } = await chrome.permissions.getAll()
    const always = [...host_permissions, ...content_scripts.flatMap(({ matches = [] }) => matches)]
    await chrome.permissions.remove({
      origins: origins.filter((one) => !always.includes(one)),
      permissions: permissions.filter((one) => (optional_permissions as string[]).includes(one)),
    })
    await chrome.alarms.clearAll()
    localStorage.clear()
    await chrome.storage.local.clear()
    await chrome.storage.session.clear()
    for (const { name = '' } of await indexedDB.databases()) {
      await new Promise<void>((done, failed) => {
        const request = indexedDB.deleteDatabase(name)
        request.onsuccess = () => done()
        request.onerror = failed
      })
    }
  })
  // Events of the reset may have started it.
  await killWorker()
  await page.goto('about:blank')
}

export function useLocalnet(page: PageRunner, localnet: Localnet, serviceUrl: string): Promise<void> {
  const { v2Factory, v3Factory, oracle } = localnet.contracts
  return setLocalNetwork(page, {
    rpcUrl: localnet.rpcUrl,
    faucetUrl: localnet.faucetUrl ?? '',
    serviceUrl,
    stable: localnet.tokens.USDC,
    wrapped: localnet.tokens.WETH,
    market: { v2Factory, v3Factory, oracle, currencyFeeds: localnet.currencyFeeds },
  })
}

/**
 * Mines a block every second until the returned function is called. After a receipt lookup ethers waits for
 * the next block, which might never come on an idle localnet.
 */
export function keepBlocksComing({ client }: Localnet): () => void {
  const timer = setInterval(() => client.mine({ blocks: 1 }).catch(() => undefined), 1_000)
  return () => clearInterval(timer)
}

/** Returns an account's on-chain balance. */
export function balanceOf(localnet: Localnet, token: Address, owner: Address): Promise<bigint> {
  if (token === nativeTokenAddress) return localnet.client.getBalance({ address: owner })
  return localnet.client.readContract({
    address: token,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [owner],
  })
}

/** Returns the router's allowance. */
export function allowanceOf(localnet: Localnet, token: Address, owner: Address): Promise<bigint> {
  return localnet.client.readContract({
    address: token,
    abi: erc20Abi,
    functionName: 'allowance',
    args: [owner, localnet.contracts.router],
  })
}

/** Lets any account mint a token of `deployToken`. */
export const mintAbi = parseAbi(['function mint(address to, uint256 value)'])

/** Deploys a token of 18 decimals and returns its address. */
export async function deployToken({ client }: Localnet, name: string, symbol: string): Promise<Address> {
  const { abi, bytecode } = readArtifact('Token')
  const data = encodeDeployData({ abi, bytecode, args: [name, symbol, 18] })
  return (await send(client, { data })).contractAddress?.toLowerCase() as Address
}

/** Returns the number of pending transactions. */
export async function pending(localnet: Localnet): Promise<number> {
  return (await localnet.client.getTxpoolStatus()).pending
}

/** Returns an account's nonce, and the balance of `holder`. */
export async function stand(
  localnet: Localnet,
  address: Address,
  token: Address,
  holder = address,
): Promise<{ nonce: number; held: bigint }> {
  const [nonce, held] = await Promise.all([
    localnet.client.getTransactionCount({ address }),
    balanceOf(localnet, token, holder),
  ])
  return { nonce, held }
}
