import { expect, type Page } from '@playwright/test'
import { parseAbiItem, parseUnits } from 'viem'
import { askWallet } from '../../dev/popup.ts'
import type { World } from '../../dev/world.ts'
import type { Swap, SwapIntent } from '../../src/domain/swap/swap.ts'
import type { Trade } from '../../src/domain/swap/trade.ts'
import { type Address, native } from '../../src/domain/token/token.ts'
import { randomFrom } from './random.ts'
import { balanceOf, test } from './wallet.ts'

// The worker is stopped at random moments while it approves and swaps, and the user asks again whenever nothing answers.

const runs = 30
/** The codes of a node or a service that did not answer in time. */
const unanswered = /^(node|service)-(unreachable|timeout|busy|failed)$/
/** Printed, and taken from the environment to repeat a run. */
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)

test(`${runs} swaps with the worker killed at random moments: none lost, none doubled`, async ({
  wallet: { page, address },
  chrome,
  world,
}) => {
  // For what hangs: thirty swaps take a slow machine five minutes and more.
  test.setTimeout(1_200_000)
  console.log(`seed ${seed}`)
  const random = randomFrom(seed)
  const trade: Trade = {
    chainId: 31337,
    sell: world.tokens.DAI,
    buy: native,
    amount: parseUnits('20', 18),
  }
  const before = await balanceOf(world, trade.sell, address)
  const swaps: Swap[] = []
  const done = () => swaps.filter(({ outcome }) => outcome.status === 'done')
  let kills = 0

  for (let run = 0; done().length < runs && run < 2 * runs; run++) {
    // Every other run waits for its blocks, so that kills also fall between sending and mining.
    await mineEvery(world, run % 2 === 0 ? 'transaction' : 'second')
    const intent = await accept(page, address, trade)
    const swapping = untilOver(page, intent)
    for (let kill = 0; kill < 1 + (run % 3); kill++) {
      await pause(random() * 700)
      if (await chrome.killWorker()) kills++
    }
    swaps.push(await swapping)
  }
  await mineEvery(world, 'transaction')

  // None forgotten, and none told otherwise afterwards.
  const ends = (list: Swap[]) => list.map(({ intent, outcome }) => [intent.id, outcome.status])
  const now = await askWallet(page, 'swaps')
  expect(ends(now)).toEqual(ends(swaps).reverse())
  for (const { intent, outcome } of swaps) {
    if (outcome.status === 'done') expect(outcome.received).toBeGreaterThanOrEqual(intent.floor)
    // What a starved node or service leaves undone after all tries is told, and asked for anew.
    else expect(outcome).toMatchObject({ status: 'failed', code: expect.stringMatching(unanswered) })
  }
  expect(done()).toHaveLength(runs)
  // What the chain says: each amount left once, in one swap of its own, and no other transaction was sent.
  expect(before - (await balanceOf(world, trade.sell, address))).toBe(trade.amount * BigInt(runs))
  expect(await swapsOf(world, address)).toHaveLength(runs)
  expect(await world.client.getTransactionCount({ address })).toBe(
    now.flatMap(({ steps }) => steps).filter(({ state }) => state === 'mined' || state === 'final').length,
  )
  expect(kills).toBeGreaterThanOrEqual(runs)
})

test('a wallet stays open when its worker restarts, and is locked when the browser does', async ({
  wallet: { page },
  chrome,
}) => {
  await chrome.killWorker()
  expect(await insist(page, () => askWallet(page, 'status'))).toMatchObject({ vault: 'unlocked' })
  const session = await page.evaluate(() => {
    const { chrome } = globalThis as unknown as {
      chrome: { storage: { session: { clear(): Promise<void> } } }
    }
    // What the end of a browser leaves of the session area: nothing.
    return chrome.storage.session.clear()
  })
  expect(session).toBeUndefined()
  await chrome.killWorker()
  expect(await insist(page, () => askWallet(page, 'status'))).toEqual({ vault: 'locked' })
})

/** What the review screen does up to the press of the button. */
async function accept(page: Page, account: Address, trade: Trade): Promise<SwapIntent> {
  const id = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('hex')
  const ask = { id, account, trade, slippageBps: 500 }
  const { floor, router, feeCap, permission } = await insist(page, () => askWallet(page, 'review', ask))
  return { ...ask, floor, router, feeCap, ...(permission && { permission }) }
}

/** Hands the intent over, again and again under the same id, until it is over. */
async function untilOver(page: Page, intent: SwapIntent): Promise<Swap> {
  for (;;) {
    const swap = await insist(page, () => askWallet(page, 'swap', intent))
    if (swap.outcome.status === 'done' || swap.outcome.status === 'failed') return swap
    await pause(150)
  }
}

/** Asks until somebody answers: a stopped worker answers nothing, and the next message starts another. */
async function insist<Answer>(page: Page, ask: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    try {
      return await ask()
    } catch (error) {
      if (tries === 20 || page.isClosed()) throw error
      await pause(50)
    }
  }
}

const swapped = parseAbiItem(
  'event Swapped(address indexed sender, address srcToken, address dstToken, address dstReceiver, uint256 spentAmount, uint256 returnAmount)',
)

function swapsOf(world: World, sender: Address) {
  const { router } = world.contracts
  return world.client.getLogs({ address: router, event: swapped, args: { sender }, fromBlock: 0n })
}

/** anvil mines in one way at a time: an interval ends automining, and no interval ends mining altogether. */
async function mineEvery(world: World, what: 'transaction' | 'second'): Promise<void> {
  if (what === 'second') return world.client.setIntervalMining({ interval: 1 })
  await world.client.setIntervalMining({ interval: 0 })
  await world.client.setAutomine(true)
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
