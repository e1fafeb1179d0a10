import { type BrowserContext, expect, type Page } from '@playwright/test'
import { type Hex, parseUnits, toHex } from 'viem'
import type { Browser } from '../../../dev/browser/browser.ts'
import {
  callWallet,
  chooseToken,
  confirm,
  fillSeedWords,
  lock,
  password,
  readShownState,
  readWords,
  requestWindow,
  review,
  sellAmount,
  waitUntilDone,
} from '../../../dev/browser/popupPage.ts'
import type { Localnet } from '../../../dev/localnet.ts'
import { parseAmount } from '../../../src/domain/token/amount.ts'
import { type Address, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { askSwap, followMarket, moveMarket } from '../../helpers/e2e/market.ts'
import {
  type Answer,
  approve,
  connect,
  countRejections,
  leave,
  lookAway,
  openSite,
  reject,
  rejectedJustNow,
  request,
  test,
} from '../../helpers/e2e/pages.ts'
import { balanceOf, useLocalnet } from '../../helpers/e2e/wallet.ts'

// `wallet_swap` from the page's request to the chain and back.

type Swapped = {
  receipt: { status: Hex; transactionHash: Hex; logs: unknown[] }
  id: string
  chainId: Hex
  transactions: Hex[]
}

test('shows no zero while the quote of a requested swap loads', async ({
  chrome: { context },
  wallet: _,
  localnet,
  site,
  service,
}) => {
  const { DAI, WBTC } = localnet.tokens
  const page = await openSite(context, site.url, localnet.rpcUrl)
  await connect(context, page)
  service.set('silence')
  const asked = request(page, 'wallet_swap', [{ token: DAI, pairToken: WBTC, amount: '100.5' }])
  const window = await requestWindow(context)
  await expect(sellAmount(window)).toHaveValue('100.5')
  const bought = window.locator('#buy-amount')
  const bone = window.locator('.figure-bone')
  await expect(bone).toBeVisible()
  await expect(bought).toHaveAttribute('placeholder', '')
  await expect(bought).toHaveValue('')
  service.set('none')
  await expect(bought).toHaveValue(/^0\.\d+$/)
  await expect(bone).toHaveCount(0)
  await reject(window)
  expect(codeOf(await asked)).toBe(4001)
})

test('executes a requested swap and reports its status to the dapp', async ({
  chrome,
  wallet,
  localnet,
  site,
}) => {
  const { context } = chrome
  const { DAI, WBTC, USDC } = localnet.tokens
  const page = await openSite(context, site.url, localnet.rpcUrl)
  const stranger = await openSite(context, site.other, localnet.rpcUrl)
  await connect(context, page)

  const wanted = { token: DAI, pairToken: WBTC, amount: '100.5', slippage: 0.002, id: 'first' }
  const asked = request(page, 'wallet_swap', [wanted])
  const first = await requestWindow(context)
  await expect(sellAmount(first)).toHaveValue('100.5')
  await expect(first.locator('.origin-host')).toHaveText(site.url)
  await expect(first.getByRole('button', { name: /^Token to sell.*DAI/ })).toBeVisible()
  await expect(first.getByRole('button', { name: /^Token to buy.*WBTC/ })).toBeVisible()
  await expect(first.getByRole('button', { name: /^Max slippage 0.2%/ })).toBeVisible()
  await expect(first.locator('.request-who')).toContainText('Account 1')
  // Keys meant for the page have no effect.
  await expect(first.getByRole('heading', { name: /^Swap on .+\?$/ })).toBeFocused()

  // An identical request joins the first. Any other waits, or reuses an id that is taken.
  const joined = request(page, 'wallet_swap', [wanted])
  expect(codeOf(await request(page, 'wallet_swap', [{ token: DAI }]))).toBe(-32002)
  expect(codeOf(await request(page, 'wallet_swap', [{ ...wanted, amount: '1' }]))).toBe(5720)
  expect(await callsStatus(page, 'first')).toBe(100)
  expect(codeOf(await request(stranger, 'wallet_getCallsStatus', ['first']))).toBe(5730)
  expect(windows(context)).toHaveLength(1)

  const before = await holdings(localnet, wallet.address)
  const floor = await reviewed(first, 8)
  await confirm(first)
  await waitUntilDone(first)
  const { result } = (await asked) as { result: Swapped }
  expect(await joined).toEqual({ result })
  expect(result).toMatchObject({ id: 'first', chainId: '0x7a69', receipt: { status: '0x1' } })
  expect(result.transactions).toHaveLength(2)
  expect(result.receipt.transactionHash).toBe(result.transactions[1])
  const [approval] = await Promise.all(
    result.transactions.map((hash) => localnet.client.getTransaction({ hash })),
  )
  expect(approval?.to).toBe(DAI)
  const after = await holdings(localnet, wallet.address)
  expect(before.DAI - after.DAI).toBe(parseUnits('100.5', 18))
  expect(after.WBTC - before.WBTC).toBeGreaterThanOrEqual(floor)

  expect(await callsStatus(page, 'first')).toBe(200)
  expect(codeOf(await request(page, 'wallet_swap', [wanted]))).toBe(5720)
  const told = await statusEvents(page)
  expect(told.at(-1)).toEqual({ id: 'first', status: 200, hash: result.transactions[1] })
  // Two identical requests may report the status twice.
  expect(told.map(({ status }) => status).join()).toMatch(/^(100,)+200(,200)?$/)
  expect(await statusEvents(stranger)).toEqual([])
  await leave(first, 'Done')

  // Through viem, with an exact output. Slippage above the user's own limit is ignored.
  const bought = page.evaluate(
    async ({ token, pairToken }) => {
      const { swapWithViem } = await window.site
      return swapWithViem({ token, pairToken, type: 'buy', amount: '250', slippage: 0.9 })
    },
    { token: USDC, pairToken: DAI },
  )
  const second = await requestWindow(context)
  await expect(second.getByText('The site wants you to receive 250 USDC')).toBeVisible()
  await expect(second.getByRole('button', { name: /^Max slippage Auto 0.1%/ })).toBeVisible()
  const least = await reviewed(second, 6)
  expect(least).toBeGreaterThanOrEqual(parseUnits('250', 6))
  await confirm(second)
  const { receipt } = await bought
  expect((receipt as { status: string }).status).toBe('0x1')
  const end = await holdings(localnet, wallet.address)
  expect(end.USDC - after.USDC).toBeGreaterThanOrEqual(least)
  expect(after.DAI - end.DAI).toBeLessThan(parseUnits('252', 18))
})

test('enforces the minimum of a dapp, blocks an unreachable one and drops it for the user’s own trade', async ({
  chrome,
  wallet,
  localnet,
  site,
}) => {
  const { context } = chrome
  const { DAI, WBTC, USDC } = localnet.tokens
  const page = await openSite(context, site.url, localnet.rpcUrl)
  await connect(context, page)

  // The user allows 0.5% below the quote; the page requires more.
  const kept = request(page, 'wallet_swap', [
    { token: USDC, pairToken: DAI, amount: '100', minReceived: '99.9', id: 'kept' },
  ])
  const window = await requestWindow(context)
  await expect(window.getByText('The site requires at least 99.9 DAI, regardless of slippage.')).toBeVisible()
  await expect(window.getByRole('region', { name: 'Price' })).toContainText('Minimum received99.9 DAI')
  expect(await reviewed(window, 18)).toBe(parseUnits('99.9', 18))
  await confirm(window)
  await waitUntilDone(window)
  const { transactions } = (await kept).result as Swapped
  const swap = await localnet.client.getTransaction({ hash: transactions.at(-1) as Hex })
  expect(swap.input).toContain(toHex(parseUnits('99.9', 18), { size: 32 }).slice(2))
  await leave(window, 'Done')

  const greedy = request(page, 'wallet_swap', [
    { token: USDC, pairToken: DAI, amount: '100', minReceived: '150', id: 'greedy' },
  ])
  const second = await requestWindow(context)
  await expect(second.getByText('The site requires at least 150 DAI, regardless of slippage.')).toBeVisible()
  await expect(second.getByRole('button', { name: 'Below the site’s minimum' })).toBeDisabled()
  await expect(second.getByRole('button', { name: 'Review swap' })).toHaveCount(0)

  // Changed amount and token make it the user's own trade.
  await sellAmount(second).fill('70')
  await chooseToken(second, 'buy', 'WBTC')
  const before = await holdings(localnet, wallet.address)
  const floor = await reviewed(second, 8)
  await confirm(second)
  await waitUntilDone(second)
  expect((await greedy).result).toMatchObject({ id: 'greedy', receipt: { status: '0x1' } })
  const after = await holdings(localnet, wallet.address)
  expect(before.USDC - after.USDC).toBe(parseUnits('70', 6))
  expect(after.WBTC - before.WBTC).toBeGreaterThanOrEqual(floor)
  expect(await balanceOf(localnet, WBTC, wallet.address)).toBe(after.WBTC)
})

test('returns errors for rejected, expired, invalid and repeated requests', async ({
  chrome,
  wallet,
  localnet,
  site,
}) => {
  const { context } = chrome
  const { DAI, WBTC } = localnet.tokens
  const wanted = { token: DAI, pairToken: WBTC, amount: '10' }
  const page = await openSite(context, site.url, localnet.rpcUrl)
  const swap = (ask: object) => request(page, 'wallet_swap', [ask])

  expect(codeOf(await swap(wanted))).toBe(4100)
  await connect(context, page)
  expect(codeOf(await swap({ ...wanted, from: DAI }))).toBe(4100)
  expect(codeOf(await swap({ ...wanted, chainId: 4242 }))).toBe(5710)
  for (const [wrong, field] of [
    [{ ...wanted, receiver: DAI }, 'receiver'],
    [{ ...wanted, pairToken: DAI }, 'pairToken'],
    [{ ...wanted, amount: '1e3' }, 'amount'],
    [{ ...wanted, slippage: 2 }, 'slippage'],
    [{ ...wanted, expiry: 1 }, 'expiry'],
    [{ ...wanted, type: 'buy', minReceived: '1' }, 'minReceived'],
  ] as const) {
    const { error } = await swap(wrong)
    expect(error, field).toMatchObject({ code: -32602, message: expect.stringContaining(field) })
  }
  expect(windows(context)).toHaveLength(0)

  // The request expires without a rejection, and its review is not reused for the next one.
  const other = await openSite(context, site.other, localnet.rpcUrl)
  await connect(context, other)
  const late = swap({ ...wanted, id: 'late', expiry: inTenMinutes() })
  const first = await requestWindow(context)
  const next = request(other, 'wallet_swap', [{ ...wanted, amount: '4' }])
  await review(first)
  await endSoon(chrome, wallet.page, site.url)
  expect((await late).error).toMatchObject({ code: 4001, data: { reason: 'expired' } })
  expect(await callsStatus(page, 'late')).toBe(400)
  await expect(first.getByRole('heading', { name: /^Swap on .+\?$/ })).toBeVisible()
  await expect(first.locator('.origin-host')).toHaveText(site.other)
  await expect(sellAmount(first)).toHaveValue('4')
  await reject(first)
  expect(codeOf(await next)).toBe(4001)

  // The window closes with its last request.
  const alone = swap({ ...wanted, expiry: inTenMinutes() })
  const gone = (await requestWindow(context)).waitForEvent('close')
  await endSoon(chrome, wallet.page, site.url)
  expect((await alone).error).toMatchObject({ code: 4001, data: { reason: 'expired' } })
  await gone

  // Above the balance: shown in the window, unknown to the page.
  let heard = false
  const poor = swap({ ...wanted, amount: '1000000' }).finally(() => {
    heard = true
  })
  const second = await requestWindow(context)
  await expect(second.getByRole('button', { name: 'Not enough DAI' })).toBeDisabled()
  expect(heard).toBe(false)
  const known = await countRejections(wallet.page)
  await rejectedJustNow(wallet.page, known)
  await second.close()
  expect((await poor).error).toMatchObject({ code: 4001, data: { reason: 'closed' } })
  await rejectedJustNow(wallet.page, known + 1)

  // At most four in half a minute; requests closed soon after opening count too.
  let turns = 0
  for (; turns < 5; turns++) {
    const asked = swap({ ...wanted, id: `turn ${turns}` })
    const window = await Promise.race([
      requestWindow(context).catch(() => undefined),
      asked.then(() => undefined),
    ])
    if (window === undefined) break
    await reject(window)
    expect((await asked).error).toMatchObject({ code: 4001, data: { reason: 'rejected' } })
    await rejectedJustNow(wallet.page, known + 2 + turns)
  }
  expect([1, 2, 3, 4]).toContain(turns)
  expect(await callsStatus(page, 'turn 0')).toBe(400)
  expect(codeOf(await swap({ ...wanted, id: 'turn 0' }))).toBe(5720)
  expect(codeOf(await swap(wanted))).toBe(4100)

  const settings = await callWallet(wallet.page, 'settings')
  await callWallet(wallet.page, 'saveSettings', { ...settings, pageSwaps: false })
  expect(codeOf(await request(other, 'wallet_swap', [wanted]))).toBe(4200)
  expect((await request(other, 'wallet_getCapabilities', [wallet.address])).result).not.toHaveProperty([
    '0x7a69',
    'swap',
  ])
  expect(windows(context)).toHaveLength(0)
})

test('answers a dapp identically for a funded and an empty account before the user acts', async ({
  chrome,
  wallet,
  localnet,
  site,
}) => {
  const { context } = chrome
  const { DAI, WBTC } = localnet.tokens
  const empty = (await callWallet(wallet.page, 'addAccount')).address
  const rich = await openSite(context, site.url, localnet.rpcUrl)
  const poor = await openSite(context, site.other, localnet.rpcUrl)
  await connect(context, rich)
  await connect(context, poor)
  await showOnly(wallet.page, site.other, empty)
  const sides = [
    { page: rich, address: wallet.address },
    { page: poor, address: empty },
  ]
  // Public chain data is no secret of the wallet and not requested here.
  const answers: unknown[][] = [[], []]
  const times: number[][] = [[], []]
  for (let round = 0; round < 4; round++) {
    for (const [side, { page, address }] of sides.entries()) {
      // Stays below the worker's rate limit of ten per second.
      await page.waitForTimeout(800)
      const all = await page.evaluate(probe, { from: address, DAI, WBTC })
      answers[side]?.push(...all.map(({ answer }) => answer))
      times[side]?.push(...all.map(({ tookMs }) => tookMs))
    }
  }
  const waits: number[][] = [[], []]
  for (const ask of [
    { method: 'wallet_swap', params: [{ token: DAI, pairToken: WBTC, amount: '1000' }] },
    { method: 'eth_sendTransaction', params: [{ to: DAI, value: toHex(parseUnits('5', 18)) }] },
  ]) {
    for (const [side, { page }] of sides.entries()) {
      const started = performance.now()
      let heard = false
      const asked = request(page, ask.method, ask.params).finally(() => {
        heard = true
      })
      const window = await requestWindow(context)
      waits[side]?.push(performance.now() - started)
      // Waits until the window knows the account's balance.
      const act =
        ask.method === 'wallet_swap' ? (side === 0 ? 'Review swap' : /Get test funds|Not enough/) : /Send/
      await window.getByRole('button', { name: act }).waitFor()
      answers[side]?.push({ heard, events: await statusEvents(page) })
      await reject(window)
      answers[side]?.push(await asked)
    }
  }
  console.log(
    `median answer: rich ${median(times[0])} ms, empty ${median(times[1])} ms; until the window is there: ` +
      `rich ${median(waits[0])} ms, empty ${median(waits[1])} ms`,
  )
  expect(answers[0]).toEqual(answers[1])
  expect(JSON.stringify(answers)).not.toMatch(/balance|fund|enough/i)
})

/** Returns the immediate answers and their durations. Runs in the page. */
async function probe({ from, DAI, WBTC }: { from: Address; DAI: Address; WBTC: Address }) {
  const { provider } = await window.site
  const ask = provider.request as (ask: { method: string; params: unknown }) => Promise<unknown>
  const asks = [
    ['wallet_swap', [{ token: DAI, pairToken: WBTC, amount: '0.0000000000000000001' }]],
    ['wallet_swap', [{ token: DAI, pairToken: WBTC, amount: '1000', from: DAI }]],
    ['wallet_swap', [{ token: DAI, pairToken: WBTC, amount: '1000', chainId: 4242 }]],
    ['eth_sendTransaction', [{ from, to: DAI, value: '0x', gas: '0x5208' }]],
    ['eth_sendTransaction', [{ from: DAI, to: DAI, value: '0x1' }]],
    ['wallet_getCapabilities', [from]],
    ['wallet_getCallsStatus', ['nothing']],
  ] as const
  const all: { answer: unknown; tookMs: number }[] = []
  for (const [method, params] of asks) {
    const started = performance.now()
    const answer = await ask({ method, params }).catch(({ code, message, data }) => ({ code, message, data }))
    all.push({ answer, tookMs: performance.now() - started })
  }
  return all
}

test('reports a failed swap as an error before sending, and with its receipt when reverted on chain', async ({
  chrome,
  wallet: _,
  localnet,
  service,
  site,
}) => {
  const { context } = chrome
  const { WBTC, LINK } = localnet.tokens
  const page = await openSite(context, site.url, localnet.rpcUrl)
  await connect(context, page)

  const unlucky = request(page, 'wallet_swap', [
    { token: nativeTokenAddress, pairToken: LINK, amount: '1', id: 'too late' },
  ])
  const first = await requestWindow(context)
  await review(first)
  // A visible review is simulated again with each block and would be blocked before confirmation.
  await lookAway(first)
  await moveMarket(localnet, service.url, LINK, parseUnits('300', 18))
  await confirm(first)
  expect((await unlucky).error).toMatchObject({
    code: -32003,
    data: { id: 'too late', reason: 'belowMinimum', transactions: [] },
  })
  expect(await callsStatus(page, 'too late')).toBe(400)
  await expect(readShownState(first, 'Failed')).toBeVisible()
  await expect(first.getByRole('alert')).toContainText('less than the minimum')
  await leave(first, 'Close')

  const asked = request(page, 'wallet_swap', [
    { token: nativeTokenAddress, pairToken: WBTC, amount: '2', slippage: 0.001, id: 'bad luck' },
  ])
  const window = await requestWindow(context)
  await review(window)
  await localnet.client.setAutomine(false)
  try {
    await confirm(window)
    await expect
      .poll(async () => (await statusEvents(page)).some(({ hash }) => hash !== undefined))
      .toBe(true)
    expect(await callsStatus(page, 'bad luck')).toBe(100)
    await outbid(localnet, service.url, WBTC)
    await localnet.client.mine({ blocks: 1 })
  } finally {
    await localnet.client.setAutomine(true)
  }
  await followMarket(localnet, WBTC)
  const { result } = (await asked) as { result: Swapped }
  expect(result).toMatchObject({ id: 'bad luck', receipt: { status: '0x0' } })
  expect(result.transactions).toEqual([result.receipt.transactionHash])
  expect(await callsStatus(page, 'bad luck')).toBe(500)
  expect((await statusEvents(page)).at(-1)).toMatchObject({ status: 500 })
  await expect(readShownState(window, 'Failed')).toBeVisible()
  await leave(window, 'Close')
})

test('guides the user through wallet creation and through unlocking in the request window', async ({
  chrome,
  localnet,
  service,
  site,
}) => {
  const { context } = chrome
  const popup = await chrome.openPopup()
  await useLocalnet(popup, localnet, service.url)
  const page = await openSite(context, site.url, localnet.rpcUrl)
  const asked = request(page, 'eth_requestAccounts')
  const window = await requestWindow(context)
  await window.getByRole('button', { name: 'Create a wallet' }).click()
  await window.getByLabel('Password', { exact: true }).fill(password)
  await window.getByLabel('Confirm password').fill(password)
  await window.getByRole('button', { name: 'Create', exact: true }).click()
  const phrase = await readWords(window)
  await window.getByRole('button', { name: 'I’ve written it down' }).click()
  await fillSeedWords(window, phrase)
  await approve(window, 'Connect')
  expect((await asked).result).toHaveLength(1)

  await lock(popup)
  const { DAI, WBTC } = localnet.tokens
  const swap = request(page, 'wallet_swap', [{ token: DAI, pairToken: WBTC, amount: '3.25' }])
  const locked = await requestWindow(context)
  await expect(locked.getByText('sent a request. Unlock to view it.')).toBeVisible()
  await locked.getByLabel('Password', { exact: true }).fill(password)
  await locked.getByRole('button', { name: 'Unlock' }).click()
  await expect(sellAmount(locked)).toHaveValue('3.25')
  await expect(locked.locator('.origin-host')).toHaveText(site.url)
  await reject(locked)
  expect((await swap).error).toMatchObject({ code: 4001, data: { reason: 'rejected' } })
})

/** Limits a connected site to this account. */
async function showOnly(popup: Page, origin: string, account: Address): Promise<void> {
  const known = (await callWallet(popup, 'sites')).find((site) => site.origin === origin)
  if (known === undefined) throw new Error(`${origin} is not connected.`)
  await callWallet(popup, 'updateSite', { ...known, accounts: [account] })
}

/** Moves the stored expiry of a site's request to the next second; a restarted worker reads it. */
async function endSoon(chrome: Browser, popup: Page, origin: string): Promise<void> {
  await popup.evaluate(
    async ({ origin, at }) => {
      type Area = { get(key: null): Promise<Record<string, unknown>>; set(items: object): Promise<void> }
      const { session } = (globalThis as unknown as { chrome: { storage: { session: Area } } }).chrome.storage
      const open = Object.entries(await session.get(null)).filter(
        ([key, text]) => key.startsWith('approval.') && String(text).includes(`"origin":"${origin}"`),
      )
      const ended = open.map(([key, text]) => [
        key,
        String(text).replace(/"expiresAt":\d+/, `"expiresAt":${at}`),
      ])
      await session.set(Object.fromEntries(ended))
    },
    { origin, at: Date.now() + 1_000 },
  )
  await chrome.killWorker()
}

/** Opens the review and returns the minimum shown, in base units. */
async function reviewed(window: Page, decimals: number): Promise<bigint> {
  const { floor } = await review(window)
  const amount = parseAmount(floor.split(' ')[0]?.replaceAll(',', '') ?? '', decimals)
  if (typeof amount !== 'bigint') throw new Error(`The review shows no amount: ${floor}`)
  return amount
}

function codeOf({ error }: Answer): number | undefined {
  return error?.code
}

async function callsStatus(page: Page, id: string): Promise<unknown> {
  const { result, error } = await request(page, 'wallet_getCallsStatus', [id])
  return (result as { status: number } | undefined)?.status ?? error
}

type StatusEvent = { id: string; status: number; hash?: Hex }

/** Returns the swap status events of the page. */
function statusEvents(page: Page): Promise<StatusEvent[]> {
  return page.evaluate(async () =>
    (await window.site).events.flatMap(({ event, data }) => {
      const { type, data: said } = data as { type?: string; data: StatusEvent }
      return event === 'message' && type === 'wallet_swapStatus' ? [said] : []
    }),
  )
}

function windows(context: BrowserContext): Page[] {
  return context.pages().filter((page) => page.url().endsWith('/popup.html#requests'))
}

async function holdings(localnet: Localnet, owner: Address) {
  const { DAI, WBTC, USDC } = localnet.tokens
  const [dai, wbtc, usdc] = await Promise.all(
    [DAI, WBTC, USDC].map((token) => balanceOf(localnet, token, owner)),
  )
  return { DAI: dai ?? 0n, WBTC: wbtc ?? 0n, USDC: usdc ?? 0n }
}

/** Sends a large competing purchase with a higher priority fee, to come first in the next block. */
async function outbid(localnet: Localnet, serviceUrl: string, buy: Address): Promise<void> {
  const whale = localnet.accounts[6]?.address
  if (whale === undefined) throw new Error('The localnet has no seventh account.')
  const coins = parseUnits('400', 18)
  await localnet.client.setBalance({ address: whale, value: coins * 2n })
  await localnet.client.impersonateAccount({ address: whale })
  const query = new URLSearchParams({
    src: nativeTokenAddress,
    dst: buy,
    amount: coins.toString(),
    from: whale,
  })
  query.set('origin', whale)
  query.set('slippage', '50')
  const tx = await askSwap(`${serviceUrl}/v6.1/${localnet.chainId}/swap?${query}`)
  await localnet.client.sendTransaction({
    account: whale,
    to: tx.to,
    data: tx.data,
    value: BigInt(tx.value),
    gas: 3_000_000n,
    maxFeePerGas: parseUnits('500', 9),
    maxPriorityFeePerGas: parseUnits('400', 9),
  })
}

/** Returns seconds since 1970, as pages do. */
function inTenMinutes(): number {
  return Math.ceil(Date.now() / 1_000) + 600
}

function median(times: number[] = []): number {
  const sorted = [...times].sort((one, other) => one - other)
  return Math.round((sorted[sorted.length >> 1] ?? 0) * 10) / 10
}
