import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { type Hex, parseUnits } from 'viem'
import { type Browser, whenActivated } from '../../dev/browser/browser.ts'
import { callWallet, confirm, password, requestWindow, review } from '../../dev/browser/popupPage.ts'
import { type Address, nativeTokenAddress } from '../../src/domain/token/token.ts'
import { accept, mineEvery, swapsOf } from '../helpers/e2e/intents.ts'
import { approve, test as base, connect, openSite, request } from '../helpers/e2e/pages.ts'
import { allowanceOf, extension, pending, stand, useBrowser } from '../helpers/e2e/wallet.ts'

// Updates the extension during swaps and open requests. Its pages close, its session area is cleared, and its
// content scripts are orphaned. The browser loads it from a folder in which `update` writes the next version.

const next = '99.0.0'

type Updated = {
  folder: string
  /** Returns a page of the new version that sends the worker nothing. */
  update(): Promise<Page>
}

const test = base.extend<Updated>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures from the pattern.
  folder: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-update-'))
    cpSync(extension, folder, { recursive: true })
    await use(folder)
    rmSync(folder, { recursive: true, force: true })
  },
  chrome: async ({ service, folder }, use) => {
    service.set('none')
    await useBrowser(async (chrome) => {
      await allowFolders(chrome)
      await use(chrome)
    }, folder)
  },
  update: async ({ chrome, folder }, use) => {
    await use(async () => {
      const { context } = chrome
      const manifest = join(folder, 'manifest.json')
      const stated = JSON.parse(readFileSync(manifest, 'utf8'))
      writeFileSync(manifest, JSON.stringify({ ...stated, version: next }))
      // Chromium may keep a running worker whose script has not changed; that of a real update has.
      appendFileSync(join(folder, stated.background.service_worker), `\n// ${next}`)
      const page = await chrome.openFile('icon/16.png')
      expect(await versionOf(page)).not.toBe(next)
      // The page may be gone before it answers.
      await page
        .evaluate(() => (globalThis as unknown as OfBrowser).chrome.runtime.reload())
        .catch(() => undefined)
      // The window's last tab is not closed but shows another page.
      const isOurs = (one: Page) => one.url().startsWith('chrome-extension:')
      await expect.poll(() => context.pages().filter(isOurs)).toEqual([])
      await whenActivated(context, next)
      const fresh = await chrome.openFile('icon/16.png')
      expect(await versionOf(fresh)).toBe(next)
      return fresh
    })
  },
})

test('finishes a swap after unlock when an update interrupts it after the approval, and disconnects pages', async ({
  chrome,
  wallet: { page: popup, address },
  update,
  localnet,
  service,
  site,
}) => {
  const { context } = chrome
  const { DAI } = localnet.tokens
  const trade = { chainId: 31337, sell: DAI, buy: nativeTokenAddress, amount: parseUnits('20', 18) }
  const before = await stand(localnet, address, localnet.tokens.DAI)
  const page = await openSite(context, site.url, localnet.rpcUrl)
  await connect(context, page)
  // Another tab of the site, without requests so far.
  const idle = await openSite(context, site.url, localnet.rpcUrl)

  const intent = await accept(popup, address, trade)
  await localnet.client.setAutomine(false)
  try {
    await callWallet(popup, 'swap', intent)
    await expect.poll(() => pending(localnet)).toBe(1)
    const asked = service.asked.length
    service.set('silence')
    const signing = request(page, 'personal_sign', ['0x68656c6c6f', address])
    await requestWindow(context)
    await localnet.client.mine({ blocks: 1 })
    // The approval is mined and the swap requested from the service, but not signed.
    await expect.poll(() => service.asked.slice(asked).join()).toContain('/swap?')
    expect(await stepsOf(popup)).toEqual(['approve mined', 'swap waiting'])

    // A slow page learns of the update late, when its relay could connect to the new worker.
    const cdp = await context.newCDPSession(page)
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: 30 })
    const fresh = await update()
    service.set('none')
    await localnet.client.setAutomine(true)
    expect(await signing).toEqual(over)
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: 1 })
    await cdp.detach()
    expect(await request(page, 'eth_chainId')).toEqual(over)
    expect(await request(idle, 'eth_accounts')).toEqual(over)
    for (const one of [page, idle]) expect(await goodbyes(one)).toBe(1)

    // Signing the rest needs an unlock, which the wallet reports.
    await expect.poll(() => outcomeOf(fresh)).toBe('needs-unlock')
    expect(await callWallet(fresh, 'status')).toEqual({ vault: 'locked' })
    expect(await pending(localnet)).toBe(0)
    const view = await chrome.openPopup()
    await expect(view.getByText('Unlock to view your swap.')).toBeVisible()
    await unlock(view)
    await expect.poll(() => outcomeOf(fresh)).toBe('done')
    expect(await stepsOf(fresh)).toEqual(['approve mined', 'swap mined'])

    expect(await callWallet(fresh, 'approvals')).toEqual([])
    await works(page, address)
    const signed = request(page, 'personal_sign', ['0x68656c6c6f', address])
    await approve(await requestWindow(context), 'Sign')
    expect((await signed).result).toMatch(/^0x[0-9a-f]{130}$/)
  } finally {
    await mineEvery(localnet, 'transaction')
  }
  const after = await stand(localnet, address, localnet.tokens.DAI)
  expect(before.held - after.held).toBe(trade.amount)
  expect(after.nonce - before.nonce).toBe(2)
  expect(await swapsOf(localnet, address)).toHaveLength(1)
  expect(await allowanceOf(localnet, DAI, address)).toBe(0n)
})

test('rebroadcasts a pending signed swap once after an update, without an unlock', async ({
  chrome,
  wallet: { address },
  update,
  localnet,
  site,
}) => {
  const { context } = chrome
  const before = await stand(localnet, address, localnet.tokens.DAI)
  const page = await openSite(context, site.url, localnet.rpcUrl)
  const reader = await openSite(context, site.url, localnet.rpcUrl)
  await connect(context, page)
  const ask = { token: nativeTokenAddress, pairToken: localnet.tokens.DAI, amount: '0.1', id: 'updated' }

  const swapping = request(page, 'wallet_swap', [ask])
  const window = await requestWindow(context)
  await review(window)
  await localnet.client.setAutomine(false)
  try {
    await confirm(window)
    await expect.poll(() => pending(localnet)).toBe(1)
    const reading = readOn(reader, address)
    const fresh = await update()
    expect(await swapping).toEqual(over)
    // Each request was answered or failed with 4900.
    const reads = await reading
    expect(reads).toContain('answered')
    expect(reads.filter((one) => one !== 'answered').join()).toMatch(/^4900(,4900)*$/)

    // The RPC drops the transaction and receives the same signed bytes again: a locked wallet cannot sign
    // anew.
    const [swap] = await callWallet(fresh, 'swaps')
    const hash = swap?.steps[0]?.hash as Hex
    expect(await localnet.client.request({ method: 'anvil_dropTransaction', params: [hash] })).toBe(hash)
    await expect.poll(() => pending(localnet)).toBe(1)
    expect((await localnet.client.getTransaction({ hash })).blockNumber).toBeNull()
    await localnet.client.mine({ blocks: 1 })
    await expect.poll(() => outcomeOf(fresh)).toBe('done')
    expect(await callWallet(fresh, 'status')).toEqual({ vault: 'locked' })
    expect((await localnet.client.getTransactionReceipt({ hash })).status).toBe('success')
    await mineEvery(localnet, 'transaction')

    await unlock(await chrome.openPopup())
    await expect.poll(async () => (await callWallet(fresh, 'status')).vault).toBe('unlocked')
    await works(page, address)
    // The page learns the outcome and cannot repeat the swap.
    const { result } = await request(page, 'wallet_getCallsStatus', [ask.id])
    expect(result).toMatchObject({ status: 200, receipts: [{ transactionHash: hash, status: '0x1' }] })
    expect((await request(page, 'wallet_swap', [ask])).error?.code).toBe(5720)
  } finally {
    await mineEvery(localnet, 'transaction')
  }
  const after = await stand(localnet, address, localnet.tokens.DAI)
  expect(after.nonce - before.nonce).toBe(1)
  expect(after.held).toBeGreaterThan(before.held)
  expect(await swapsOf(localnet, address)).toHaveLength(1)
})

const over = {
  error: {
    code: 4900,
    message: 'The wallet was updated or removed. Reload the page to use it again.',
    data: undefined,
  },
}

/** Enables developer mode, without which Chromium disables a reloaded unpacked extension. */
async function allowFolders({ context }: Browser): Promise<void> {
  const page = await context.newPage()
  await page.goto('chrome://extensions')
  await page.evaluate(() =>
    (globalThis as unknown as OfBrowser).chrome.developerPrivate.updateProfileConfiguration({
      inDeveloperMode: true,
    }),
  )
  await page.close()
}

type OfBrowser = {
  chrome: {
    runtime: { reload(): void; getManifest(): { version: string } }
    developerPrivate: { updateProfileConfiguration(changes: { inDeveloperMode: boolean }): Promise<void> }
  }
}

function versionOf(page: Page): Promise<string> {
  return page.evaluate(() => (globalThis as unknown as OfBrowser).chrome.runtime.getManifest().version)
}

async function unlock(view: Page): Promise<void> {
  await view.getByLabel('Password', { exact: true }).fill(password)
  await view.getByRole('button', { name: 'Unlock' }).click()
}

/** Returns the steps of the only swap with their states. */
async function stepsOf(page: Page): Promise<string[]> {
  const [swap] = await callWallet(page, 'swaps')
  return swap?.steps.map(({ kind, state }) => `${kind} ${state.replace('final', 'mined')}`) ?? []
}

async function outcomeOf(page: Page): Promise<string | undefined> {
  return (await callWallet(page, 'swaps'))[0]?.outcome.status
}

/** Returns the number of `disconnect` events of the page. */
function goodbyes(page: Page): Promise<number> {
  return page.evaluate(
    async () => (await window.site).events.filter(({ event }) => event === 'disconnect').length,
  )
}

/** Expects the page to work after a reload. */
async function works(page: Page, address: string): Promise<void> {
  await page.reload()
  await page.evaluate(async () => void (await window.site))
  expect(await request(page, 'eth_accounts')).toEqual({ result: [address] })
}

/** Sends requests until the wallet is disconnected. Returns the result of each. */
function readOn(page: Page, address: Address): Promise<unknown[]> {
  return page.evaluate(async (address) => {
    const { provider } = await window.site
    const asked: Promise<unknown>[] = []
    let isOver = false
    provider.on('disconnect', () => {
      isOver = true
    })
    while (!isOver) {
      asked.push(
        provider.request({ method: 'eth_getBalance', params: [address, 'latest'] }).then(
          () => 'answered',
          ({ code }) => code,
        ),
      )
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    return Promise.all(asked)
  }, address)
}
