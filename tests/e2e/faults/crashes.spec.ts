import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { parseUnits } from 'viem'
import { type Browser, launchBrowser } from '../../../dev/browser/browser.ts'
import { callWallet } from '../../../dev/browser/popupPage.ts'
import { crash } from '../../../dev/processes.ts'
import type { Trade } from '../../../src/domain/swap/quote.ts'
import type { Swap } from '../../../src/domain/swap/swap.ts'
import { nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { newSecret } from '../../../src/vault/words/phrase.ts'
import { accept, mineEvery, pause, swapsOf, unanswered, untilOver } from '../../helpers/e2e/intents.ts'
import { balanceOf, extension, test, useLocalnet } from '../../helpers/e2e/wallet.ts'
import { figure } from '../../helpers/figures.ts'
import { newSeed, randomFrom } from '../../helpers/random.ts'
import { runs } from '../../helpers/runs.ts'

// Kills the browser during a swap, as by a crash or power cut, and restarts it on the same profile.

const crashes = runs(2, 50)
/** Maximum failed swaps, as on a slow machine. */
const mostFailed = runs(1, 5)

test(`completes each of ${crashes} swaps once and opens the vault after browser crashes while sending`, async ({
  localnet,
  service,
  key,
}) => {
  test.setTimeout(60_000 * crashes + 120_000)
  const seed = newSeed()
  service.set('none')
  const random = randomFrom(seed)
  const profile = mkdtempSync(join(tmpdir(), 'sluice-crash-'))
  const amount = parseUnits('20', 18)
  const trade: Trade = { chainId: 31337, sell: localnet.tokens.DAI, buy: nativeTokenAddress, amount }
  let chrome = await launchBrowser({ extension, profile, headless: true })
  let page = await quietPage(chrome)
  await useLocalnet(page, localnet, service.url)
  await callWallet(page, 'create', key, await newSecret(12))
  const status = await callWallet(page, 'status')
  const account = status.vault === 'unlocked' ? status.accounts[0]?.address : undefined
  if (account === undefined) throw new Error('The new wallet has no account.')
  await localnet.fund(account)
  const before = await balanceOf(localnet, trade.sell, account)
  const ended: Swap[] = []
  const done = () => ended.filter(({ outcome }) => outcome.status === 'done')
  let rounds = 0
  let cut = 0
  let resumed = 0

  for (; done().length < crashes && rounds < crashes + mostFailed; rounds++) {
    const round = rounds
    await mineEvery(localnet, round % 2 === 0 ? 'transaction' : 'second')
    const intent = await accept(page, account, trade)
    const swapping = untilOver(page, intent).then(
      () => 'over',
      () => 'cut',
    )
    // Half of the rounds do not retry: the wallet must finish alone. Two of four covers both mining modes.
    const isLeft = round % 4 === 1 || round % 4 === 2
    if (isLeft) await expect.poll(() => isTakenOn(page, intent.id)).toBe(true)
    await pause(random() * 1_200)
    const gone = new Promise((resolve) => chrome.context.once('close', resolve))
    crash(profile)
    await gone
    if ((await swapping) === 'cut') cut++

    chrome = await launchBrowser({ extension, profile, headless: true })
    page = await quietPage(chrome)
    expect(await callWallet(page, 'status')).toEqual({ vault: 'locked' })
    await callWallet(page, 'unlock', key.dataKey)
    // The other rounds retry the same intent, as a user without a result does.
    const swap = isLeft ? await endOf(page, intent.id) : await untilOver(page, intent)
    ended.push(swap)
    if (isLeft && swap.outcome.status === 'done') resumed++
  }
  await mineEvery(localnet, 'transaction')

  // Failures allowed: RPC or service errors of an overloaded machine after all retries, and a risen fee.
  for (const { outcome } of ended) {
    if (outcome.status === 'failed' && !outcome.message.startsWith('The network fee rose'))
      expect(outcome.code, outcome.message).toMatch(unanswered)
  }
  expect(done()).toHaveLength(crashes)
  expect(before - (await balanceOf(localnet, trade.sell, account))).toBe(amount * BigInt(crashes))
  expect(await swapsOf(localnet, account)).toHaveLength(crashes)
  const swaps = await callWallet(page, 'swaps')
  expect(swaps).toHaveLength(rounds)
  expect(await localnet.client.getTransactionCount({ address: account })).toBe(
    swaps.flatMap(({ steps }) => steps).filter(({ state }) => state === 'mined' || state === 'final').length,
  )
  figure(
    '71',
    `${rounds} browsers killed, ${cut} of them in the midst of a swap: 0 doubled, 0 lost, ${resumed} ended without being asked for again, the vault opened ${rounds} times (seed ${seed})`,
  )
  await chrome.close()
  rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
})

/** Returns the swap once it has ended without a retry. */
async function endOf(page: Page, id: string): Promise<Swap> {
  const find = async () => (await callWallet(page, 'swaps')).find(({ intent }) => intent.id === id)
  await expect.poll(async () => (await find())?.outcome.status).toMatch(/^(done|failed)$/)
  return (await find())!
}

/** True if the wallet has stored the swap. */
async function isTakenOn(page: Page, id: string): Promise<boolean> {
  return (await callWallet(page, 'swaps')).some(({ intent }) => intent.id === id)
}

/** Opens an extension page that sends the worker nothing. */
function quietPage(chrome: Browser): Promise<Page> {
  return chrome.openFile('icon/16.png')
}
