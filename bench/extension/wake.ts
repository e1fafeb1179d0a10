import type { Page } from '@playwright/test'
import type { Browser } from '../../dev/browser/browser.ts'
import { callWallet } from '../../dev/browser/popupPage.ts'
import type { Localnet } from '../../dev/localnet.ts'
import { createJournal } from '../../src/background/transactions/journal.ts'
import type { IntentRecord } from '../../src/background/transactions/schemas.ts'
import { encode } from '../../src/domain/json.ts'
import { type Address, nativeTokenAddress } from '../../src/domain/token/token.ts'
import { memoryArea } from '../../tests/helpers/background/memoryArea.ts'
import { summarise, type Times } from '../stats.ts'

/** Message to a killed worker to its answer. */
export type WakeTimes = { locked: Times; unlocked: Times; swaps: Times }

const rounds = 30

/** Leaves the wallet locked. */
export async function benchWake(browser: Browser, page: Page): Promise<WakeTimes> {
  const unlocked = await wake('status')
  const swaps = await wake('swaps')
  await callWallet(page, 'lock')
  return { unlocked, swaps, locked: await wake('status') }

  async function wake(method: 'status' | 'swaps'): Promise<Times> {
    const took: number[] = []
    for (let round = 0; round < rounds; round++) {
      await browser.killWorker()
      took.push(await ask(page, encode({ channel: 'wallet', method, args: [] })))
    }
    return summarise(took)
  }
}

/** Response time in ms. */
export function ask(page: Page, message: string): Promise<number> {
  return page.evaluate(async (message) => {
    const { chrome } = globalThis as unknown as {
      chrome: { runtime: { sendMessage(text: string): Promise<unknown> } }
    }
    const started = performance.now()
    await chrome.runtime.sendMessage(message)
    return performance.now() - started
  }, message)
}

/** Stores completed swaps in the worker's format. */
export async function fillJournal(
  page: Page,
  { tokens, contracts, chainId }: Localnet,
  account: Address,
  count: number,
) {
  const disk = memoryArea()
  const journal = createJournal(disk)
  for (let number = 1; number <= count; number++) {
    const hex = (digits: number) => number.toString(16).padStart(digits, '0')
    const step = {
      nonce: number,
      raw: `0x${'ab'.repeat(600)}`,
      deadline: 0,
      fee: 10n ** 14n,
      block: 1n,
    } as const
    const record: IntentRecord = {
      intent: {
        id: hex(32),
        account,
        trade: { chainId, sell: tokens.DAI, buy: nativeTokenAddress, amount: 10n ** 18n },
        slippageBps: 50,
        floor: 1n,
        router: contracts.router,
        feeCap: 10n ** 16n,
      },
      createdAt: Date.now() - number * 60_000,
      steps: [{ ...step, kind: 'swap', state: 'final', hash: `0x${hex(64)}` }],
      outcome: { status: 'done', received: 2n },
    }
    await journal.put(record)
  }
  const items = await disk.all()
  await page.evaluate((items) => {
    const { chrome } = globalThis as unknown as { chrome: typeof import('wxt/browser').browser }
    return chrome.storage.local.set(items)
  }, items)
}
