import type { WalletApi } from '../../../src/protocol.ts'
import { systemClock } from '../../../src/state/clock.ts'
import { createSwapFlow, type Plan } from '../../../src/state/swap/swapFlow.ts'
import { reviewOf, standInWallet, tradeOfAmount } from './fakes.ts'

export const account = `0x${'1'.repeat(40)}` as const
export const router = `0x${'2'.repeat(40)}` as const
export const plan: Plan = { account, trade: tradeOfAmount(100n), slippageBps: 50 }
export const review = reviewOf(plan.trade)
export const held: Plan = { ...plan, atLeast: 199n }

export function openSwapFlow(methods: Partial<WalletApi>) {
  const recheck = async () => review.verdict
  return createSwapFlow(
    standInWallet({ review: async () => review, resimulate: recheck, ...methods }),
    systemClock(),
  )
}
