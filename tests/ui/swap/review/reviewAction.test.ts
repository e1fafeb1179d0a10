import { describe, expect, it } from 'vitest'
import type { SimulationVerdict } from '../../../../src/domain/activity/simulation.ts'
import { type ErrorCode, type ErrorDetails, WalletError } from '../../../../src/errors.ts'
import type { Plan } from '../../../../src/state/swap/swapFlow.ts'
import { priceAction, reviewAction } from '../../../../src/ui/swap/review/reviewAction.ts'
import { eth, reviewOf, swapOf, tradeOfAmount, usdc } from '../../../helpers/state/fakes.ts'

const account = `0x${'1'.repeat(40)}` as const
const plain: Plan = { account, trade: tradeOfAmount(100n), slippageBps: 50 }
const plan: Plan = { ...plain, atLeast: 2_000_000n }
const accepted = { ...plain, atLeast: 995_000n, isAccepted: true }
const accepts = { label: 'Accept new price (min 0.995 USDC)', does: 'prepare', plan: accepted }

const seen = { changes: [], grants: [] }
const below = { status: 'below-floor', received: 1_000_000n, seen } as const
const reviewed = (verdict: SimulationVerdict, changes: Partial<Plan> = {}) => {
  const review = reviewOf(plan.trade, { verdict })
  return reviewAction({ at: 'review', id: 'a', plan: { ...plan, ...changes }, review }, review, false, usdc)
}
const unprepared = (code: ErrorCode, facts: ErrorDetails = {}, changes: Partial<Plan> = {}) => {
  const error = new WalletError(code, 'No.', facts)
  return reviewAction({ at: 'unprepared', plan: { ...plan, ...changes }, error }, undefined, false, usdc)
}
const moved = { expected: '2000000', found: '1000000', returns: '1000000' }

describe('reviewAction after a price change', () => {
  it('offers to accept the new price when the simulation is below the minimum', () => {
    expect(reviewed(below)).toEqual(accepts)
    expect(reviewed({ ...below, status: 'matches' })).toEqual({ label: 'Swap', does: 'confirm' })
  })

  it('offers to accept the new price when the review could not be prepared', () => {
    expect(unprepared('below-floor', moved)).toEqual(accepts)
    expect(
      unprepared('below-floor', { serviceCode: 'INSUFFICIENT_RETURN', dstAmount: '1000000', minReturn: '2' }),
    ).toEqual(accepts)
  })

  it('offers to accept the new price when the worker rejected the confirmed swap', () => {
    const review = reviewOf(plan.trade)
    const { intent } = swapOf()
    const error = new WalletError('below-floor', 'No.', moved)
    expect(reviewAction({ at: 'refused', plan, review, intent, error }, review, false, usdc)).toEqual(accepts)
  })

  it('scales the received amount of a partial fill to the full trade', () => {
    const sold = { token: eth, amount: -50n }
    const half: SimulationVerdict = { ...below, received: 500_000n, seen: { ...seen, changes: [sold] } }
    const isPart = { allowPartialFill: true } as const
    expect(reviewed(half, isPart)).toEqual({ ...accepts, plan: { ...accepted, ...isPart } })
  })

  it('leads to the form when the site’s minimum is above the new price', () => {
    const request = { id: 'a', floor: 1_000_001n }
    const leave = { label: 'Edit swap', does: 'leave' }
    expect(reviewed(below, { request })).toEqual(leave)
    expect(unprepared('below-floor', moved, { request })).toEqual(leave)
    expect(unprepared('below-floor', {}, { request, atLeast: request.floor })).toEqual(leave)
  })

  it('never accepts less than the site’s minimum', () => {
    const request = { id: 'a', floor: 1_000_000n }
    expect(reviewed(below, { request })).toEqual({
      ...accepts,
      label: 'Accept new price (min 1 USDC)',
      plan: { ...accepted, request, atLeast: request.floor },
    })
  })

  it('reviews by slippage alone when the new price is unknown or zero', () => {
    const now = { label: 'Review at new price', does: 'prepare', plan: plain }
    expect(unprepared('below-floor')).toEqual(now)
    expect(unprepared('below-floor', { returns: 'plenty' })).toEqual(now)
    expect(reviewed({ ...below, received: 0n })).toEqual(now)
    expect(reviewed({ status: 'below-floor', seen })).toEqual(now)
  })

  it('repeats a stale review and retries after any other error', () => {
    expect(unprepared('stale-review')).toEqual({ label: 'Review again', does: 'prepare', plan })
    expect(unprepared('service-timeout', moved)).toEqual({ label: 'Try again', does: 'prepare', plan })
  })

  it('confirms nothing while another review is being prepared', () => {
    const review = reviewOf(plan.trade, { verdict: below })
    const act = reviewAction({ at: 'preparing', id: 'a', plan }, review, false, usdc)
    expect(act).toEqual({ label: 'Checking swap…', does: 'nothing' })
  })
})

describe('priceAction after a failed swap', () => {
  it('offers to accept the new price when the price caused the failure', () => {
    expect(priceAction({ code: 'below-floor', facts: moved }, plan, usdc)).toEqual(accepts)
    const facts = { error: 'ReturnTooLow', returned: '1000000', minimum: '2000000', step: 'swap' }
    expect(priceAction({ code: 'reverted', facts }, plan, usdc)).toEqual(accepts)
  })

  it('offers nothing when another step failed or the cause is not the price', () => {
    const facts = { error: 'ReturnTooLow', returned: '1000000', minimum: '2000000', step: 'approve' }
    expect(priceAction({ code: 'reverted', facts }, plan, usdc)).toBeUndefined()
    expect(
      priceAction({ code: 'reverted', facts: { reason: 'paused', step: 'swap' } }, plan, usdc),
    ).toBeUndefined()
    expect(priceAction({ code: 'node-timeout', facts: {} }, plan, usdc)).toBeUndefined()
  })
})
