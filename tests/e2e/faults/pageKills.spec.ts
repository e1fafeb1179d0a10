import { type BrowserContext, expect, type Page } from '@playwright/test'
import { type Hex, parseUnits, toHex } from 'viem'
import { callWallet, click, confirm, requestWindow, review } from '../../../dev/browser/popupPage.ts'
import type { Localnet } from '../../../dev/localnet.ts'
import { type Address, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { insist, pause } from '../../helpers/e2e/intents.ts'
import { type Answer, connect, leave, openSite, request, test } from '../../helpers/e2e/pages.ts'
import { balanceOf, pending, stand, type Wallet } from '../../helpers/e2e/wallet.ts'
import { figure } from '../../helpers/figures.ts'
import { newSeed, randomFrom } from '../../helpers/random.ts'
import { runs } from '../../helpers/runs.ts'

// Stops the worker and closes pages while a request is open: one answer and one execution each.

const rounds = runs(6, 60)

const somebody: Address = '0x00000000000000000000000000000000000000dd'

/** Above the fee, as a smaller amount requires a checkbox. */
const gift = 10n ** 15n

test('executes and answers each request once when the worker stops at any stage', async ({
  chrome,
  wallet,
  localnet,
  site,
}) => {
  const { context } = chrome
  const page = await openSite(context, site.url, localnet.rpcUrl)
  await connect(context, page)
  const { WBTC } = localnet.tokens
  const before = await stand(localnet, wallet.address, nativeTokenAddress, somebody)

  // While the window is open, and during approval.
  const signing = request(page, 'personal_sign', ['0x68656c6c6f', wallet.address])
  await seen(context, 'Sign')
  expect(await chrome.killWorker()).toBe(true)
  await sayYes(context, 'Sign', chrome.killWorker)
  expect((await signing).result).toMatch(/^0x[0-9a-f]{130}$/)

  const sending = send(page, wallet, gift)
  await seen(context, 'Send')
  expect(await chrome.killWorker()).toBe(true)
  await sayYes(context, 'Send', chrome.killWorker)
  expect(await isMined(localnet, await sending)).toBe(true)

  // Between approval and the block.
  const swapping = request(page, 'wallet_swap', [
    { token: nativeTokenAddress, pairToken: WBTC, amount: '0.5', id: 'slow' },
  ])
  await seen(context, 'Review swap')
  const window = await requestWindow(context)
  await chrome.killWorker()
  await review(window)
  await localnet.client.setAutomine(false)
  let late: Promise<Answer> | undefined
  try {
    await confirm(window)
    await expect.poll(() => pending(localnet)).toBe(1)
    await chrome.killWorker()
    // Another request arrives in the same window.
    late = send(page, wallet, 2n * gift)
    await expect(window.getByText('1 pending request')).toBeVisible()
    expect(windows(context)).toHaveLength(1)
    await chrome.killWorker()
  } finally {
    await localnet.client.setAutomine(true)
    await localnet.client.mine({ blocks: 1 })
  }
  const { result } = (await swapping) as { result: { receipt: { status: Hex }; transactions: Hex[] } }
  expect(result).toMatchObject({ id: 'slow', receipt: { status: '0x1' } })
  expect(result.transactions).toHaveLength(1)
  await window.getByRole('button', { name: 'Show' }).click()
  await click(window.getByRole('button', { name: 'Send', exact: true }))
  expect(await isMined(localnet, (await late) ?? {})).toBe(true)
  await leaveProgress(context)

  const after = await stand(localnet, wallet.address, nativeTokenAddress, somebody)
  expect(after.nonce - before.nonce).toBe(3)
  expect(after.held - before.held).toBe(3n * gift)
  expect(await insist(wallet.page, () => callWallet(wallet.page, 'approvals'))).toEqual([])
})

test(`executes and answers ${rounds} requests once each while the worker is stopped at random`, async ({
  chrome,
  wallet,
  localnet,
  site,
}) => {
  test.setTimeout(1_200_000)
  const seed = newSeed()
  const random = randomFrom(seed)
  const { context } = chrome
  const page = await openSite(context, site.url, localnet.rpcUrl)
  await connect(context, page)
  const { DAI } = localnet.tokens
  const before = await stand(localnet, wallet.address, nativeTokenAddress, somebody)
  const coins = parseUnits('0.1', 18)
  let answers = 0
  let kills = 0
  let most = 0

  for (let round = 0; round < rounds; round++) {
    const isSwap = round % 2 === 1
    let isAnswered = false
    const asked = (
      isSwap
        ? request(page, 'wallet_swap', [
            { token: nativeTokenAddress, pairToken: DAI, amount: '0.1', id: `round ${round}` },
          ])
        : send(page, wallet, gift)
    ).finally(() => {
      isAnswered = true
      answers += 1
    })
    const killing = (async () => {
      for (let kill = 0; kill < 1 + (round % 3); kill++) {
        await pause(random() * 900)
        if (await chrome.killWorker()) kills += 1
      }
    })()
    while (!isAnswered) {
      most = Math.max(most, windows(context).length)
      await pressOn(context)
      await pause(60)
    }
    await killing
    const { result, error } = await asked
    expect(error, `round ${round}`).toBeUndefined()
    if (isSwap) expect(result).toMatchObject({ id: `round ${round}`, receipt: { status: '0x1' } })
    else expect(await isMined(localnet, { result })).toBe(true)
    await leaveProgress(context)
  }

  expect(answers).toBe(rounds)
  expect(most).toBe(1)
  expect(kills).toBeGreaterThanOrEqual(rounds)
  const after = await stand(localnet, wallet.address, nativeTokenAddress, somebody)
  // On chain: one transaction per request, and no others.
  expect(after.nonce - before.nonce).toBe(rounds)
  expect(after.held - before.held).toBe(BigInt(Math.ceil(rounds / 2)) * gift)
  const swaps = await insist(wallet.page, () => callWallet(wallet.page, 'swaps'))
  expect(swaps.map(({ intent }) => intent.trade.amount)).toEqual(Array(Math.floor(rounds / 2)).fill(coins))
  figure(
    '70',
    `${rounds} requests of a page, ${kills} kills of the worker: ${answers} answered, ${after.nonce - before.nonce} transactions on chain (seed ${seed})`,
  )
  expect(await insist(wallet.page, () => callWallet(wallet.page, 'approvals'))).toEqual([])
})

test(`answers every open request when the worker is stopped, in ${rounds} rounds, and prints the delay`, async ({
  chrome,
  wallet,
  localnet,
  site,
}) => {
  test.setTimeout(1_200_000)
  const seed = newSeed()
  const random = randomFrom(seed)
  const { context } = chrome
  const page = await openSite(context, site.url, localnet.rpcUrl)
  await connect(context, page)
  const before = await stand(localnet, wallet.address, nativeTokenAddress, somebody)
  /** Milliseconds from the stop to each answer due then. */
  const reads: number[] = []
  const yeses: number[] = []

  for (let round = 0; round < rounds; round++) {
    // After a reload the page's provider has no cached answers.
    await page.reload()
    await page.evaluate(async () => void (await window.site))
    // Stops the starting worker before it has answered everything.
    await chrome.killWorker()
    const asked = Promise.all([
      timed(request(page, 'eth_chainId')),
      timed(request(page, 'eth_accounts')),
      timed(request(page, 'eth_getBalance', [somebody, 'latest'])),
    ])
    await pause(random() * 100)
    const readsKill = Date.now()
    await chrome.killWorker()
    const answers = await asked
    const given = toHex(await balanceOf(localnet, nativeTokenAddress, somebody))
    expect(answers.map(({ result }) => result)).toEqual(['0x7a69', [wallet.address], given])
    reads.push(...answers.filter(({ at }) => at > readsKill).map(({ at }) => at - readsKill))

    const label = round % 2 === 0 ? 'Sign' : 'Send'
    const wanted = timed(
      label === 'Sign'
        ? request(page, 'personal_sign', ['0x68656c6c6f', wallet.address])
        : send(page, wallet, gift),
    )
    await seen(context, label)
    let yesKill = 0
    await sayYes(context, label, () => {
      yesKill = Date.now()
      return chrome.killWorker()
    })
    const { at, result } = await wanted
    if (label === 'Sign') expect(result).toMatch(/^0x[0-9a-f]{130}$/)
    // The hash is returned before its block.
    else expect(await isMined(localnet, { result })).toBe(true)
    yeses.push(at - yesKill)
  }

  const [read, yes] = [Math.max(0, ...reads), Math.max(...yeses)]
  figure(
    '70',
    `${reads.length} reads open when the worker was stopped, answered ${read} ms after it at the latest; ${yeses.length} requests just agreed to, ${yes} ms (seed ${seed})`,
  )
  const after = await stand(localnet, wallet.address, nativeTokenAddress, somebody)
  expect(after.nonce - before.nonce).toBe(Math.floor(rounds / 2))
  expect(after.held - before.held).toBe(BigInt(Math.floor(rounds / 2)) * gift)
  expect(await insist(wallet.page, () => callWallet(wallet.page, 'approvals'))).toEqual([])
})

test('completes a swap after its page has closed, and reports the status to the site’s next page', async ({
  chrome,
  wallet,
  localnet,
  site,
}) => {
  const { context } = chrome
  const page = await openSite(context, site.url, localnet.rpcUrl)
  await connect(context, page)
  const ask = { token: nativeTokenAddress, pairToken: localnet.tokens.DAI, amount: '0.25' }

  // Reloaded before approval, closed between approval and the block.
  request(page, 'wallet_swap', [{ ...ask, id: 'kept' }]).catch(() => undefined)
  const approval = await requestWindow(context)
  await page.reload()
  await page.evaluate(async () => void (await window.site))
  expect(await callsStatus(page, 'kept')).toBe(100)
  await review(approval)
  await localnet.client.setAutomine(false)
  try {
    await confirm(approval)
    await expect.poll(() => pending(localnet)).toBe(1)
    await page.close()
    await chrome.killWorker()
  } finally {
    await localnet.client.setAutomine(true)
    await localnet.client.mine({ blocks: 1 })
  }
  const fresh = await openSite(context, site.url, localnet.rpcUrl)
  await expect.poll(() => callsStatus(fresh, 'kept')).toBe(200)
  const stranger = await openSite(context, site.other, localnet.rpcUrl)
  expect((await request(stranger, 'wallet_getCallsStatus', ['kept'])).error?.code).toBe(5730)
  // The id stays reserved for its site, and the swap is not repeated.
  expect((await request(fresh, 'wallet_swap', [{ ...ask, id: 'kept' }])).error?.code).toBe(5720)
  await leave(approval, 'Done')

  // A signature request ends with its page.
  request(fresh, 'personal_sign', ['0x00', wallet.address]).catch(() => undefined)
  const second = await requestWindow(context)
  const gone = second.waitForEvent('close')
  await fresh.goto(site.other)
  await gone
  expect(await insist(wallet.page, () => callWallet(wallet.page, 'approvals'))).toEqual([])
})

function send(page: Page, { address }: Wallet, value: bigint): Promise<Answer> {
  const transaction = { from: address, to: somebody, value: `0x${value.toString(16)}` }
  return request(page, 'eth_sendTransaction', [transaction])
}

/** Adds the time of the answer. */
async function timed(asked: Promise<Answer>): Promise<Answer & { at: number }> {
  const answer = await asked
  return { ...answer, at: Date.now() }
}

/** Waits until the request's button is shown. */
async function seen(context: BrowserContext, label: string): Promise<void> {
  await (await requestWindow(context)).getByRole('button', { name: label, exact: true }).waitFor()
}

/** Presses the approving button and runs `meanwhile` concurrently. */
async function sayYes(
  context: BrowserContext,
  label: string,
  meanwhile: () => Promise<unknown>,
): Promise<void> {
  const window = await requestWindow(context)
  const button = window.getByRole('button', { name: label, exact: true })
  await expect(button).toBeEnabled()
  const closed = window.waitForEvent('close')
  await Promise.all([button.click(), meanwhile()])
  await closed
}

const forth =
  /^(Sign|Send|Swap|Approve and swap|Review swap|Review again|Try again|Accept new price \(min .+\))$/

/** Presses the button that continues, if the window shows one. */
async function pressOn(context: BrowserContext): Promise<void> {
  const [window] = windows(context)
  if (window === undefined) return
  const button = window.getByRole('button', { name: forth, disabled: false }).first()
  // Does not wait for the button: another one may be due meanwhile.
  if (await button.isVisible().catch(() => false))
    await button.click({ timeout: 5_000 }).catch(() => undefined)
}

async function leaveProgress(context: BrowserContext): Promise<void> {
  const [window] = windows(context)
  if (window === undefined) return
  const closed = window.waitForEvent('close')
  // Only swap windows stay open after the end.
  await Promise.race([closed, click(window.getByRole('button', { name: 'Done' })).catch(() => undefined)])
  await closed
}

function windows(context: BrowserContext): Page[] {
  return context.pages().filter((page) => page.url().endsWith('/popup.html#requests'))
}

async function callsStatus(page: Page, id: string): Promise<unknown> {
  const { result, error } = await request(page, 'wallet_getCallsStatus', [id])
  return (result as { status: number } | undefined)?.status ?? error
}

async function isMined(localnet: Localnet, { result }: Answer): Promise<boolean> {
  return (await localnet.client.receiptOf(result as Hex)).status === 'success'
}
