import { describe, expect, it } from 'vitest'
import type { SwapIntent } from '../../../../src/domain/swap/swap.ts'
import type { Plan } from '../../../../src/state/swap/swapFlow.ts'
import { atCurrentPrice, toPlan } from '../../../../src/ui/swap/review/requote.ts'
import { tradeOfAmount } from '../../../helpers/state/fakes.ts'

const account = `0x${'1'.repeat(40)}` as const
const plan: Plan = { account, trade: tradeOfAmount(100n), slippageBps: 50 }
const shown = { returns: 200n, networkFee: 7n }

describe('toPlan', () => {
  it('keeps the accepted minimum and all other choices of the swap', () => {
    const chosen = { ...plan, receiver: account }
    const intent: SwapIntent = { ...chosen, id: 'a', floor: 199n, router: account, feeCap: 9n, shown }
    expect(toPlan(intent)).toEqual({ ...chosen, atLeast: 199n })
  })
})

describe('atCurrentPrice', () => {
  const typed = { ...plan, atLeast: 200n }

  it('drops the user’s minimum and leaves the slippage', () => {
    expect(atCurrentPrice(typed)).toEqual(plan)
    const request = { id: 'a' }
    expect(atCurrentPrice({ ...typed, request })).toEqual({ ...plan, request })
  })

  it('uses the site’s minimum when it is lower', () => {
    const request = { id: 'a', floor: 150n }
    expect(atCurrentPrice({ ...typed, request })).toEqual({ ...plan, request, atLeast: 150n })
  })

  it('returns undefined when the site’s minimum is equal or there is none to drop', () => {
    expect(atCurrentPrice({ ...typed, request: { id: 'a', floor: 200n } })).toBeUndefined()
    expect(atCurrentPrice(plan)).toBeUndefined()
  })
})
