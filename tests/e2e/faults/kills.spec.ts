import { expect } from '@playwright/test'
import { parseUnits } from 'viem'
import { callWallet } from '../../../dev/browser/popupPage.ts'
import type { Trade } from '../../../src/domain/swap/quote.ts'
import type { Swap } from '../../../src/domain/swap/swap.ts'
import { nativeTokenAddress } from '../../../src/domain/token/token.ts'
import {
  accept,
  insist,
  mineEvery,
  pause,
  swapsOf,
  unanswered,
  untilOver,
} from '../../helpers/e2e/intents.ts'
import { balanceOf, test } from '../../helpers/e2e/wallet.ts'
import { figure } from '../../helpers/figures.ts'
import { newSeed, randomFrom } from '../../helpers/random.ts'
import { runs } from '../../helpers/runs.ts'

// Stops the worker at random moments of approvals and swaps while the user retries.

// 1,000 swaps in the long form: ten wallets, each with its own seed.
const wallets = runs(1, 10)
const swapsOfEach = runs(8, 100)
/** Maximum failed swaps, as on a slow machine. */
const mostFailed = runs(2, 10)

for (let wallet = 1; wallet <= wallets; wallet++) {
  test(`completes ${swapsOfEach} swaps once each while the worker is killed at random, wallet ${wallet}`, async ({
    wallet: { page, address },
    chrome,
    localnet,
  }) => {
    // Guards against hangs: on a slow machine a swap takes more than ten seconds.
    test.setTimeout(40_000 * swapsOfEach)
    const seed = newSeed()
    const random = randomFrom(seed)
    const trade: Trade = {
      chainId: 31337,
      sell: localnet.tokens.DAI,
      buy: nativeTokenAddress,
      amount: parseUnits('20', 18),
    }
    const before = await balanceOf(localnet, trade.sell, address)
    const swaps: Swap[] = []
    const done = () => swaps.filter(({ outcome }) => outcome.status === 'done')
    let kills = 0

    for (let run = 0; done().length < swapsOfEach && run < swapsOfEach + mostFailed; run++) {
      // Alternates mining modes, so that kills also fall between sending and mining.
      await mineEvery(localnet, run % 2 === 0 ? 'transaction' : 'second')
      const intent = await accept(page, address, trade)
      const swapping = untilOver(page, intent)
      for (let kill = 0; kill < 1 + (run % 3); kill++) {
        await pause(random() * 700)
        if (await chrome.killWorker()) kills++
      }
      swaps.push(await swapping)
    }
    await mineEvery(localnet, 'transaction')

    // No swap is lost or changes its outcome later.
    const ends = (list: Swap[]) => list.map(({ intent, outcome }) => [intent.id, outcome.status])
    const now = await callWallet(page, 'swaps')
    expect(ends(now)).toEqual(ends(swaps).reverse())
    for (const { intent, outcome } of swaps) {
      if (outcome.status === 'done') expect(outcome.received).toBeGreaterThanOrEqual(intent.floor)
      // RPC or service errors of an overloaded machine are reported after all retries, and retried as a new
      // swap.
      else expect(outcome).toMatchObject({ status: 'failed', code: expect.stringMatching(unanswered) })
    }
    expect(done()).toHaveLength(swapsOfEach)
    // On chain: each amount left once, in its own swap, without further transactions.
    expect(before - (await balanceOf(localnet, trade.sell, address))).toBe(trade.amount * BigInt(swapsOfEach))
    expect(await swapsOf(localnet, address)).toHaveLength(swapsOfEach)
    expect(await localnet.client.getTransactionCount({ address })).toBe(
      now.flatMap(({ steps }) => steps).filter(({ state }) => state === 'mined' || state === 'final').length,
    )
    expect(kills).toBeGreaterThanOrEqual(swapsOfEach)
    figure(
      '63, 64',
      `${swapsOfEach} swaps, ${kills} kills of the worker, ${swaps.length - swapsOfEach} more ended in words: 0 doubled, 0 lost, 0 stuck (seed ${seed})`,
    )
  })
}

test('keeps the wallet unlocked after a worker restart and locks it with a new browser session', async ({
  wallet: { page },
  chrome,
}) => {
  await chrome.killWorker()
  expect(await insist(page, () => callWallet(page, 'status'))).toMatchObject({ vault: 'unlocked' })
  const session = await page.evaluate(() => {
    const { chrome } = globalThis as unknown as {
      chrome: { storage: { session: { clear(): Promise<void> } } }
    }
    // A browser's end clears the session area.
    return chrome.storage.session.clear()
  })
  expect(session).toBeUndefined()
  await chrome.killWorker()
  expect(await insist(page, () => callWallet(page, 'status'))).toEqual({ vault: 'locked' })
})
