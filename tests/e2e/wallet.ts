import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test as base, type Page } from '@playwright/test'
import { erc20Abi } from 'viem'
import { type Browser, launchBrowser } from '../../dev/browser.ts'
import { askWallet, createWallet, setLocalNetwork } from '../../dev/popup.ts'
import { createWorld, type World } from '../../dev/world.ts'
import { startService } from '../../service/server.ts'
import { type Address, native } from '../../src/domain/token.ts'
import { type FaultProxy, startFaultProxy } from './faultProxy.ts'

export const extension = resolve(import.meta.dirname, '../../.output/chrome-mv3')

/** One world for all tests of a worker: the chain, the service, and a proxy before it that can be told to fail. */
type Shared = { world: World; service: FaultProxy }

/** A browser of its own for each test, and a wallet made in its popup with test funds. */
type Own = { chrome: Browser; wallet: Wallet }

export type Wallet = { page: Page; address: Address; phrase: string }

export const test = base.extend<Own, Shared>({
  world: [
    // biome-ignore lint/correctness/noEmptyPattern: playwright reads which fixtures are wanted from the pattern.
    async ({}, use) => {
      const world = await createWorld({ faucetPort: 0 })
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
  chrome: async ({ service, colorScheme }, use) => {
    service.set('none')
    const profile = mkdtempSync(join(tmpdir(), 'sluice-e2e-'))
    const theme = colorScheme === 'dark' ? 'dark' : 'light'
    const chrome = await launchBrowser({ extension, profile, headless: true, colorScheme: theme })
    await use(chrome)
    await chrome.close()
    rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  },
  wallet: async ({ chrome, world, service }, use) => {
    const page = await chrome.openPopup()
    await useWorld(page, world, service.url)
    const phrase = await createWallet(page)
    const status = await askWallet(page, 'status')
    const address = status.vault === 'unlocked' ? status.accounts[0]?.address : undefined
    if (address === undefined) throw new Error('The new wallet has no account.')
    await world.fund(address)
    await page.reload()
    await use({ page, address, phrase })
  },
})

export function useWorld(page: Page, world: World, serviceUrl: string): Promise<void> {
  return setLocalNetwork(page, {
    rpcUrl: world.rpcUrl,
    faucetUrl: world.faucetUrl ?? '',
    serviceUrl,
    stable: world.tokens.USDC,
    wrapped: world.tokens.WETH,
  })
}

/**
 * Makes a block every second, as other people's transactions do on any chain. ethers looks for a receipt and then waits for the next
 * block: of one that came in between it never hears, and here there might be no other. Answers what ends it.
 */
export function keepBlocksComing({ client }: World): () => void {
  const timer = setInterval(() => client.mine({ blocks: 1 }).catch(() => undefined), 1_000)
  return () => clearInterval(timer)
}

/** What an account holds on chain. */
export function balanceOf(world: World, token: Address, owner: Address): Promise<bigint> {
  if (token === native) return world.client.getBalance({ address: owner })
  return world.client.readContract({
    address: token,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [owner],
  })
}

/** What the router may still take. */
export function allowanceOf(world: World, token: Address, owner: Address): Promise<bigint> {
  return world.client.readContract({
    address: token,
    abi: erc20Abi,
    functionName: 'allowance',
    args: [owner, world.contracts.router],
  })
}
