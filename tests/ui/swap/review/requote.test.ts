import { describe, expect, it } from 'vitest'
import type { SwapIntent } from '../../../../src/domain/swap/swap.ts'
import type { Plan } from '../../../../src/state/swap/swapFlow.ts'
import { atCurrentPrice, toPlan } from '../../../../src/ui/swap/review/requote.ts'
import { tradeOfAmount } from '../../../helpers/state/fakes.ts'

const account = `0x${'1'.repeat(40)}` as const
const plan: Plan = { account, trade: tradeOfAmount(100n), slippageBps: 50 }
const shown = { returns: 200n, networkFee: 7n }

describe('a swap that failed', () => {
  it('is reviewed again by the number that was accepted, and by all else that was chosen', () => {
    const chosen = { ...plan, receiver: account }
    const intent: SwapIntent = { ...chosen, id: 'a', floor: 199n, router: account, feeCap: 9n, shown }
    expect(toPlan(intent)).toEqual({ ...chosen, atLeast: 199n })
  })
})

describe('a review that promises too little', () => {
  const typed = { ...plan, atLeast: 200n }

  it('goes by the slippage alone without the number that was typed or shown', () => {
    expect(atCurrentPrice(typed)).toEqual(plan)
    const request = { id: 'a' }
    expect(atCurrentPrice({ ...typed, request })).toEqual({ ...plan, request })
  })

  it('goes by what the page wants where that is less', () => {
    const request = { id: 'a', floor: 150n }
    expect(atCurrentPrice({ ...typed, request })).toEqual({ ...plan, request, atLeast: 150n })
  })

  it('has nothing to leave out where the page wants as much, or nobody has a number', () => {
    expect(atCurrentPrice({ ...typed, request: { id: 'a', floor: 200n } })).toBeUndefined()
    expect(atCurrentPrice(plan)).toBeUndefined()
  })
})
