import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test as base, type Page } from '@playwright/test'
import { encodeDeployData, erc20Abi, parseAbi } from 'viem'
import { readArtifact } from '../../contracts/artifact.ts'
import { type Browser, launchBrowser } from '../../dev/browser.ts'
import { send } from '../../dev/client.ts'
import { createLocalnet, type Localnet } from '../../dev/localnet.ts'
import { callWallet, openSwap, type PageRunner, password, setLocalNetwork } from '../../dev/popupPage.ts'
import { startService } from '../../service/server.ts'
import { type Address, nativeTokenAddress } from '../../src/domain/token/token.ts'
import { createKey } from '../../src/vault/password.ts'
import { newSecret, showPhrase } from '../../src/vault/phrase.ts'
import type { NewKey } from '../../src/vault/records.ts'
import { type FaultProxy, startFaultProxy } from './faultProxy.ts'

export const extension = resolve(import.meta.dirname, '../../.output/chrome-mv3')

/** One world for all tests of a worker: the chain, the service, and a proxy before it that can be told to fail. */
type Shared = { world: Localnet; service: FaultProxy; key: NewKey; launched: Browser }

/** A browser as it was first installed, and a wallet with test funds, open at the swap form. */
type Own = {
  /** `test.use({ isAlone: true })`: for what lasts as long as a browser does, as a clock that is moved. */
  isAlone: boolean
  chrome: Browser
  wallet: Wallet
}

export type Wallet = { page: Page; address: Address; phrase: string }

export const test = base.extend<Own, Shared>({
  world: [
    // biome-ignore lint/correctness/noEmptyPattern: playwright reads which fixtures are wanted from the pattern.
    async ({}, use) => {
      const world = await createLocalnet({ faucetPort: 0 })
      await use(world)
      await world.stop()
    },
    { scope: 'worker' },
  ],
  service: [
    async ({ world }, use) => {
      // A search that a busy machine cuts short finds another route the second time.
      const searchMs = Number.POSITIVE_INFINITY
      const real = await startService({ config: world.config, rpcUrl: world.rpcUrl, port: 0, searchMs })
      const proxy = await startFaultProxy(real.url)
      await use(proxy)
      await proxy.stop()
      await real.stop()
    },
    { scope: 'worker' },
  ],
  // The password's own lock, which is slow to make on purpose: what is locked by it is new for each test.
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
  chrome: async ({ service, launched, isAlone }, use) => {
    service.set('none')
    if (isAlone) return useBrowser(use)
    await renew(launched)
    await use(launched)
  },
  // As the screens make one, which have tests of their own (onboarding.spec.ts).
  wallet: async ({ chrome, world, service, key }, use) => {
    // A page that shows nothing, and may ask the worker: the popup opens once, on what is there then.
    const setUp = await chrome.openFile('icon/16.png')
    await setUp.setViewportSize({ width: 360, height: 600 })
    await useWorld(setUp, world, service.url)
    const secret = await newSecret(12)
    await callWallet(setUp, 'create', key, secret)
    await callWallet(setUp, 'confirmBackup')
    const status = await callWallet(setUp, 'status')
    const address = status.vault === 'unlocked' ? status.accounts[0]?.address : undefined
    if (address === undefined) throw new Error('The new wallet has no account.')
    await world.fund(address)
    await setUp.goto(setUp.url().replace(/icon\/.*$/, 'popup.html'))
    await openSwap(setUp)
    await use({ page: setUp, address, phrase: await showPhrase(secret.entropy) })
  },
})

/** A browser of its own, with the extension as it was built, or one from another folder. */
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

/** Leaves nothing of the test before: no page, no worker, nothing stored or allowed. To start a browser takes longer than many a test. */
async function renew({ context, killWorker, openFile }: Browser): Promise<void> {
  const before = context.pages()
  // A page of the extension that asks its worker nothing.
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
  // It may have been started by what it heard of that.
  await killWorker()
  await page.goto('about:blank')
}

export function useWorld(page: PageRunner, world: Localnet, serviceUrl: string): Promise<void> {
  return setLocalNetwork(page, {
    rpcUrl: world.rpcUrl,
    faucetUrl: world.faucetUrl ?? '',
    serviceUrl,
    stable: world.tokens.USDC,
    wrapped: world.tokens.WETH,
    market: { v2Factory: world.contracts.v2Factory, v3Factory: world.contracts.v3Factory },
  })
}

/**
 * Makes a block every second, as other people's transactions do on any chain. ethers looks for a receipt and then waits for the next
 * block: of one that came in between it never hears, and here there might be no other. Answers what ends it.
 */
export function keepBlocksComing({ client }: Localnet): () => void {
  const timer = setInterval(() => client.mine({ blocks: 1 }).catch(() => undefined), 1_000)
  return () => clearInterval(timer)
}

/** What an account holds on chain. */
export function balanceOf(world: Localnet, token: Address, owner: Address): Promise<bigint> {
  if (token === nativeTokenAddress) return world.client.getBalance({ address: owner })
  return world.client.readContract({
    address: token,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [owner],
  })
}

/** What the router may still take. */
export function allowanceOf(world: Localnet, token: Address, owner: Address): Promise<bigint> {
  return world.client.readContract({
    address: token,
    abi: erc20Abi,
    functionName: 'allowance',
    args: [owner, world.contracts.router],
  })
}

/** Lets any account mint a token of `deployToken`. */
export const mintAbi = parseAbi(['function mint(address to, uint256 value)'])

/** Deploys a token of 18 decimals. Answers its address. */
export async function deployToken({ client }: Localnet, name: string, symbol: string): Promise<Address> {
  const { abi, bytecode } = readArtifact('Token')
  const data = encodeDeployData({ abi, bytecode, args: [name, symbol, 18] })
  return (await send(client, { data })).contractAddress?.toLowerCase() as Address
}

/** How many transactions wait for a block. */
export async function pending(world: Localnet): Promise<number> {
  return (await world.client.getTxpoolStatus()).pending
}

/** What the chain knows of an account: how often it sent, and how much of a token `holder` has. */
export async function stand(
  world: Localnet,
  address: Address,
  token: Address,
  holder = address,
): Promise<{ nonce: number; held: bigint }> {
  const [nonce, held] = await Promise.all([
    world.client.getTransactionCount({ address }),
    balanceOf(world, token, holder),
  ])
  return { nonce, held }
}
