import { describe, expect, it } from 'vitest'
import type { SimulationVerdict } from '../../../../src/domain/activity/simulation.ts'
import { isSignable, type Review } from '../../../../src/domain/swap/swap.ts'
import type { Plan } from '../../../../src/state/swap/swapFlow.ts'
import {
  externalReceiver,
  keepValid,
  requiredConsents,
  reviewedSwap,
  toAccepted,
} from '../../../../src/ui/swap/review/risks.ts'
import { quoteOf, tradeOfAmount, usdc } from '../../../helpers/state/fakes.ts'

const account = `0x${'1'.repeat(40)}` as const
const other = `0x${'2'.repeat(40)}` as const
const plan: Plan = { account, trade: tradeOfAmount(100n), slippageBps: 50 }
const seen = { changes: [], grants: [] }
const fees = { networkFee: 7n, expectedFee: 3n, maxFeePerGas: 2n, maxPriorityFeePerGas: 1n }
const review: Review = {
  quote: quoteOf(plan.trade),
  floor: 199n,
  router: other,
  steps: ['swap'],
  permissions: [],
  verdict: { status: 'matches', received: 200n, seen },
  gas: 150_000n,
  expectedGas: 120_000n,
  baseFeePerGas: 1n,
  expectedFee: 3n,
  networkFee: 7n,
  speeds: { slow: fees, normal: fees, fast: fees },
  l1Fee: 0n,
  feeCap: 9n,
  impactBps: 20,
}

describe('requiredConsents', () => {
  const { impactBps: _, ...unknown } = review

  it('requires no consent for a swap to the own account at a good price, or without a review', () => {
    expect(requiredConsents(plan, review)).toEqual([])
    expect(requiredConsents({ ...plan, receiver: account }, undefined)).toEqual([])
  })

  it('asks for consent to an unknown price impact', () => {
    const words = 'I understand the price impact is unknown, and so is how much I may lose.'
    expect(requiredConsents(plan, unknown)).toEqual([{ id: 'unknown', words, needs: 'tick' }])
  })

  it('asks for consent to an unusual network fee, rounded up to two digits', () => {
    const feeDoubt = { kind: 'more-than-moved', fee: 17_110n * 10n ** 15n } as const
    const words = 'The network fee may be up to 18 ETH, which is more than the amount being moved.'
    expect(requiredConsents(plan, { ...review, feeDoubt }, undefined, 'ETH')).toEqual([
      { id: words, words, needs: 'tick' },
    ])
  })

  it('asks for consent to each other recipient separately, by the whole address', () => {
    const alike = `${other.slice(0, 20)}3${other.slice(21)}` as typeof other
    const [one] = requiredConsents({ ...plan, receiver: other }, review)
    const [two] = requiredConsents({ ...plan, receiver: alike }, review)
    expect(one).toMatchObject({
      needs: 'tick',
      words: 'The tokens will go to 0x2222…2222, not to my account.',
    })
    expect(one?.words).toBe(two?.words)
    expect(one?.id).not.toBe(two?.id)
    expect(externalReceiver({ ...plan, receiver: account })).toBeUndefined()
  })

  it('asks for a tick from 5% price impact and the typed amount from 15%, separately for each percent', () => {
    const at = (impactBps: number) => requiredConsents(plan, { ...review, impactBps })
    expect(at(499)).toEqual([])
    expect(at(650)).toEqual([
      { id: 'tick 7%', words: 'I understand I may lose up to 7% of this trade’s value.', needs: 'tick' },
    ])
    expect(at(650)).toEqual(at(699))
    expect(at(701)).not.toEqual(at(699))
    expect(at(1_500)[0]?.needs).toBe('amount')
    expect([500, 501, 600].map((bps) => at(bps)[0]?.words)).toEqual([
      'I understand I may lose up to 5% of this trade’s value.',
      'I understand I may lose up to 6% of this trade’s value.',
      'I understand I may lose up to 6% of this trade’s value.',
    ])
  })

  it('asks for consent to a loss once the minimum is more than 10% below the market price', () => {
    const at = (returns: bigint) => ({ ...review, market: { source: 'pool' as const, returns } })
    expect(requiredConsents(plan, at(221n), usdc)).toEqual([])
    const [risk] = requiredConsents(plan, at(400n), { ...usdc, decimals: 0 })
    expect(risk).toEqual({
      id: 'market tick 51%',
      words: 'You would receive about 200 USDC less than at the market price.',
      needs: 'tick',
      accepts: { acceptedLossBps: 5_100 },
    })
    // The quote is 9.9% below market; only its minimum is over 10% below.
    expect(requiredConsents(plan, at(222n), { ...usdc, decimals: 0 })[0]?.words).toBe(
      'You may receive up to 23 USDC less than at the market price.',
    )
  })

  it('lists NFTs that leave with the sold token, and accepts exactly those', () => {
    const at = (count: number, amount = -1n): Review => {
      const companions = Array.from({ length: count }, (_, index) => ({
        token: usdc,
        nft: BigInt(index),
        amount,
      }))
      return { ...review, verdict: { status: 'matches', received: 200n, seen, companions } }
    }
    expect(requiredConsents(plan, at(0))).toEqual([])
    const [two] = requiredConsents(plan, at(2))
    expect(two?.words).toBe('These NFTs will leave my account with the tokens I sell: USDC #0, USDC #1.')
    expect(toAccepted(requiredConsents(plan, at(2)), [two!.id])).toEqual({
      acceptedCompanions: [
        { token: usdc.address, nft: 0n, amount: 1n },
        { token: usdc.address, nft: 1n, amount: 1n },
      ],
    })
    expect(toAccepted(requiredConsents(plan, at(2)), [])).toEqual({})
    expect(requiredConsents(plan, at(1, -3n))[0]?.words).toContain(': 3 × USDC #0.')
    expect(requiredConsents(plan, at(40))[0]?.words).toContain(', USDC #4 and 35 more.')
    expect(keepValid([two!.id], requiredConsents(plan, at(3)))).toEqual([])
    expect(reviewedSwap(plan, at(2))).not.toBe(reviewedSwap(plan, at(3)))
  })

  it('merges price impact and market loss into one consent', () => {
    const market = { source: 'oracle' as const, returns: 300n }
    expect(requiredConsents(plan, { ...review, market, impactBps: 700 }, usdc)).toHaveLength(1)
    const [typed] = requiredConsents(plan, { ...review, market, impactBps: 2_000 }, usdc)
    expect(typed).toMatchObject({ needs: 'amount', accepts: { acceptedLossBps: 3_400 } })
  })

  it('omits the unknown price impact when the market price is known', () => {
    expect(requiredConsents(plan, { ...unknown, market: { source: 'pool', returns: 200n } }, usdc)).toEqual(
      [],
    )
  })

  it('does not accept a tick at 14.99% in place of the typed amount at 15%', () => {
    const [ticked] = requiredConsents(plan, { ...review, impactBps: 1_499 })
    const typed = requiredConsents(plan, { ...review, impactBps: 1_500 })
    expect(keepValid([ticked?.id ?? ''], typed)).toEqual([])
  })

  it('drops a consent when its risk disappears, and asks again when the risk returns', () => {
    const at = (impactBps: number) => requiredConsents({ ...plan, receiver: other }, { ...review, impactBps })
    const all = at(1_600).map(({ id }) => id)
    expect(keepValid(all, at(1_600))).toEqual(all)
    expect(keepValid(keepValid(all, at(1_700)), at(1_600))).toEqual([other])
  })
})

describe('isSignable', () => {
  it('allows only a matching or unavailable simulation, not one that is too large to inspect', () => {
    const verdicts: SimulationVerdict[] = [
      { status: 'matches', received: 200n, seen },
      { status: 'unknown', reason: 'No method.' },
      { status: 'unknown', reason: 'Too much.', isCrowded: true },
      { status: 'below-floor', received: 1n, seen },
      { status: 'unexpected', seen, what: [] },
      { status: 'reverts', reason: 'No.' },
    ]
    expect(verdicts.map((verdict) => isSignable({ ...review, verdict }))).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ])
  })
})

describe('reviewedSwap', () => {
  it('stays the same when only the simulated amount changes slightly', () => {
    const again: Review = { ...review, verdict: { status: 'matches', received: 201n, seen } }
    expect(reviewedSwap(plan, again)).toBe(reviewedSwap(plan, review))
  })

  it('changes with every value that the user agrees to', () => {
    const changed: Partial<Review>[] = [
      { floor: 198n },
      { router: account },
      { feeCap: 10n },
      { steps: ['approve', 'swap'] },
      { permission: { via: 'permit' } },
      { verdict: { status: 'reverts', reason: 'No.' } },
    ]
    const contents = changed.map((change) => reviewedSwap(plan, { ...review, ...change }))
    expect(new Set([reviewedSwap(plan, review), ...contents]).size).toBe(changed.length + 1)
    expect(reviewedSwap({ ...plan, receiver: other }, review)).not.toBe(reviewedSwap(plan, review))
  })
})
