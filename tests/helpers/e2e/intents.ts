import type { Page } from '@playwright/test'
import { parseAbiItem } from 'viem'
import { callWallet } from '../../../dev/browser/popupPage.ts'
import type { Localnet } from '../../../dev/localnet.ts'
import type { Trade } from '../../../src/domain/swap/quote.ts'
import type { Swap, SwapIntent } from '../../../src/domain/swap/swap.ts'
import type { Address } from '../../../src/domain/token/token.ts'

// A user who retries when nothing answers.

/** Error codes of an RPC or service that did not answer in time. */
export const unanswered = /^(node|service)-(unreachable|timeout|busy|failed)$/

/** Does what the review screen does before the button is pressed. */
export async function accept(page: Page, account: Address, trade: Trade): Promise<SwapIntent> {
  const id = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('hex')
  const ask = { id, account, trade, slippageBps: 500 }
  const { floor, router, feeCap, permission } = await insist(page, () => callWallet(page, 'review', ask))
  return { ...ask, floor, router, feeCap, ...(permission && { permission }) }
}

/** Submits the intent with the same id until it has ended. */
export async function untilOver(page: Page, intent: SwapIntent): Promise<Swap> {
  for (;;) {
    const swap = await insist(page, () => callWallet(page, 'swap', intent))
    if (swap.outcome.status === 'done' || swap.outcome.status === 'failed') return swap
    await pause(150)
  }
}

/** Retries until answered: a stopped worker answers nothing, and the next message starts another. */
export async function insist<Answer>(page: Page, ask: () => Promise<Answer>): Promise<Answer> {
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
  'event Swapped(address indexed sender, uint256 spentAmount, uint256 returnAmount)',
)

/** Returns the router's `Swapped` logs of `sender`. */
export function swapsOf(localnet: Localnet, sender: Address) {
  const { router } = localnet.contracts
  return localnet.client.getLogs({ address: router, event: swapped, args: { sender }, fromBlock: 0n })
}

/** Sets anvil's mining mode. An interval disables automine, and interval 0 stops mining. */
export async function mineEvery(localnet: Localnet, what: 'transaction' | 'second'): Promise<void> {
  if (what === 'second') return localnet.client.setIntervalMining({ interval: 1 })
  await localnet.client.setIntervalMining({ interval: 0 })
  await localnet.client.setAutomine(true)
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
