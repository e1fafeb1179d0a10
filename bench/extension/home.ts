import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { encodeAbiParameters, keccak256, numberToHex, parseEther } from 'viem'
import { type Browser, launchBrowser } from '../../dev/browser/browser.ts'
import { callWallet, openSwap, password } from '../../dev/browser/popupPage.ts'
import { serveSite } from '../../dev/browser/site.ts'
import { createPublicLocalnet, type PublicLocalnet } from '../../dev/chain/publicChain.ts'
import { listedAt, longList } from '../../dev/pools/fakeTokenList.ts'
import type { Address } from '../../src/domain/token/token.ts'
import { createKey } from '../../src/vault/password.ts'
import { newSecret } from '../../src/vault/words/phrase.ts'
import { type HttpServer, startHttpServer } from '../../tests/helpers/httpServer.ts'
import { summarise, type Times } from '../stats.ts'

export type HomeTimes = {
  /** Navigation to the frame, and to the last known total. */
  frame: Times
  lastKnown: Times
  /** Round trips to the RPC from its first request to the new balance on screen. */
  roundTrips: Times
  /** Time between frames while scrolling `heldTokens` tokens. */
  scrollHome: Times
  scrollPicker: Times
}

export const heldTokens = 500

const chainId = 8453
const rounds = 10
/** Long beside the wallet's own work, so that round trips can be counted by time. */
const roundTripMs = 500
const framesPerScroll = 240
/** Slot of `balanceOf` in contracts/test/Token.sol. */
const balancesSlot = 3n

/** Home of a wallet that holds `heldTokens` tokens, all with a price from the service. */
export async function benchHome(extension: string): Promise<HomeTimes> {
  const localnet = await createPublicLocalnet({ chainId })
  const rpc = await delayRequests(localnet.rpcUrl)
  const list = longList(chainId, heldTokens)
  const addresses = Array.from({ length: heldTokens }, (_, index) => listedAt(index))
  const body = JSON.stringify(
    Object.fromEntries(addresses.map((address, index) => [address, `${index + 2}.5`])),
  )
  const service = await serveSite(tmpdir(), {
    files: { ...list, [`/price/v1.1/${chainId}`]: { type: 'application/json', body } },
  })
  const profile = mkdtempSync(join(tmpdir(), 'sluice-bench-'))
  const browser = await launchBrowser({ extension, profile, headless: true })
  try {
    const account = await setUp(browser, rpc.url, service.url)
    await localnet.client.setBalance({ address: account, value: parseEther('5') })
    await holdAll(localnet, addresses, account)
    const page = await browser.openPopup()
    await page.locator('.list-row .who-name').nth(20).waitFor()
    const scrollHome = await scroll(page, async () => {
      await page.getByRole('button', { name: /^Show all/ }).click()
      return 'main'
    })
    await openSwap(page)
    const scrollPicker = await scroll(page, async () => {
      await page.getByRole('button', { name: /^Token to buy/ }).click()
      await page.getByRole('option').nth(10).waitFor()
      return '[role=listbox]'
    })
    await page.close()
    const opened = []
    for (let round = 0; round < rounds; round++)
      opened.push(await timeOpening(browser, localnet, account, rpc, BigInt(round + 11)))
    return {
      frame: summarise(opened.map(({ frame }) => frame)),
      lastKnown: summarise(opened.map(({ total }) => total)),
      roundTrips: summarise(opened.map(({ roundTrips }) => roundTrips)),
      scrollHome,
      scrollPicker,
    }
  } finally {
    await browser.close()
    await service.stop()
    await rpc.stop()
    await localnet.stop()
    rmSync(profile, { recursive: true, force: true })
  }
}

type DelayedRpc = HttpServer & { delayMs: number; firstAskedAt: number }

/** Every answer of the RPC comes after `roundTripMs` and the RPC's own time. */
async function delayRequests(rpcUrl: string): Promise<DelayedRpc> {
  const rpc = { delayMs: 0, firstAskedAt: Number.POSITIVE_INFINITY }
  const server = await startHttpServer(async (_, response, body) => {
    rpc.firstAskedAt = Math.min(rpc.firstAskedAt, Date.now())
    const headers = { 'content-type': 'application/json' }
    const [answer] = await Promise.all([
      fetch(rpcUrl, { method: 'POST', headers, body }),
      new Promise((resolve) => setTimeout(resolve, rpc.delayMs)),
    ])
    response.writeHead(answer.status, headers).end(await answer.text())
  })
  return Object.assign(rpc, server)
}

async function setUp(browser: Browser, rpcUrl: string, serviceUrl: string): Promise<Address> {
  const page = await browser.openFile('icon/16.png')
  const { networks } = await callWallet(page, 'settings')
  const changed = networks.flatMap((one) =>
    one.chainId === chainId ? [{ ...one, rpcUrl, serviceUrl, serviceVersion: '6.1' as const }] : [],
  )
  await callWallet(page, 'saveSettings', { networks: changed, chainId })
  await callWallet(page, 'create', await createKey(password), await newSecret(12))
  await callWallet(page, 'confirmBackup')
  const status = await callWallet(page, 'status')
  await page.close()
  const address = status.vault === 'unlocked' ? status.accounts[0]?.address : undefined
  if (address === undefined) throw new Error('The new wallet has no account.')
  return address
}

/** Gives every listed address the code of a token, and the account a balance. */
async function holdAll({ client, tokens }: PublicLocalnet, listed: Address[], owner: Address): Promise<void> {
  const bytecode = await client.getCode({ address: tokens.FERN })
  if (bytecode === undefined) throw new Error('The local chain has no token to copy.')
  const index = keccak256(
    encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [owner, balancesSlot]),
  )
  for (const address of listed) {
    await client.setCode({ address, bytecode })
    await client.setStorageAt({ address, index, value: numberToHex(parseEther('7'), { size: 32 }) })
  }
}

async function timeOpening(
  browser: Browser,
  { client }: PublicLocalnet,
  address: Address,
  rpc: DelayedRpc,
  ether: bigint,
): Promise<{ frame: number; total: number; roundTrips: number }> {
  await client.setBalance({ address, value: ether * 10n ** 18n })
  // Requests of the last opening end.
  await new Promise((resolve) => setTimeout(resolve, 3 * roundTripMs))
  Object.assign(rpc, { delayMs: roundTripMs, firstAskedAt: Number.POSITIVE_INFINITY })
  const page = await browser.context.newPage()
  await page.setViewportSize({ width: 360, height: 600 })
  await page.addInitScript(() => {
    const painted: Record<string, number> = {}
    Object.assign(window, { painted })
    new MutationObserver(() => {
      for (const [name, selector] of [
        ['frame', 'main'],
        ['total', 'button.total'],
      ] as const)
        if (document.querySelector(selector) !== null) painted[name] ??= performance.now()
    }).observe(document, { childList: true, subtree: true })
  })
  const [worker] = browser.context.serviceWorkers()
  await page.goto(new URL('popup.html#/overview', worker?.url()).href)
  const shown = await page.waitForFunction(
    (balance) => {
      const row = [...document.querySelectorAll('.holding-row')].find(
        (one) => one.querySelector('.who-name')?.textContent === 'ETH',
      )
      const isShown = row?.querySelector('.holding-figures .small')?.textContent === balance
      return (
        isShown && { at: Date.now(), ...(window as unknown as { painted: Record<string, number> }).painted }
      )
    },
    String(ether),
    { polling: 20 },
  )
  const times = (await shown.jsonValue()) as { at: number; frame: number; total: number }
  const took = times.at - rpc.firstAskedAt
  rpc.delayMs = 0
  await page.close()
  return { frame: times.frame, total: times.total, roundTrips: Math.floor(took / roundTripMs) }
}

/** Times the frames while what `open` shows is scrolled from end to end. */
async function scroll(page: Page, open: () => Promise<string>): Promise<Times> {
  const selector = await open()
  const took = await page.evaluate(
    async ({ selector, frames }) => {
      const box = document.querySelector(selector)
      if (box === null || box.scrollHeight <= box.clientHeight) throw new Error('There is nothing to scroll.')
      const step = (box.scrollHeight - box.clientHeight) / frames
      const times: number[] = []
      let last = await new Promise<number>(requestAnimationFrame)
      for (let frame = 0; frame < frames; frame++) {
        box.scrollTop += step
        const now = await new Promise<number>(requestAnimationFrame)
        times.push(now - last)
        last = now
      }
      if (box.scrollTop + box.clientHeight < box.scrollHeight - step) throw new Error('It did not scroll.')
      return times
    },
    { selector, frames: framesPerScroll },
  )
  return summarise(took)
}
