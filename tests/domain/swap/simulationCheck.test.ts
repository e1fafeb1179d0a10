import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type {
  AllowanceChange,
  BalanceChange,
  Companion,
  Simulation,
} from '../../../src/domain/activity/simulation.ts'
import {
  evaluateSimulation,
  getCompanions,
  type SwapExpectations,
} from '../../../src/domain/swap/simulationCheck.ts'
import { type Address, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import {
  account,
  agreed,
  bought,
  change,
  dai,
  friend,
  grant,
  permit2,
  router,
  sold,
  succeeds,
  thief,
  unlimited,
  usdc,
  weth,
} from '../../helpers/samples/simulations.ts'

describe('evaluateSimulation', () => {
  it('matches a swap that returns the minimum for the amount', () => {
    expect(evaluateSimulation(succeeds([sold, bought]), agreed)).toEqual({
      status: 'matches',
      received: 500n,
      seen: { changes: [sold, bought], grants: [] },
    })
  })

  it('reports a return one unit below the minimum and a return of nothing', () => {
    expect(evaluateSimulation(succeeds([sold, change(weth, 499n)]), agreed)).toMatchObject({
      status: 'below-floor',
      received: 499n,
    })
    expect(evaluateSimulation(succeeds([sold]), agreed)).toMatchObject({
      status: 'below-floor',
      received: 0n,
    })
    expect(evaluateSimulation(succeeds([sold, change(weth, 500n, 7n)]), agreed).status).toBe('below-floor')
  })

  it('separates outgoing items of the sold token and its mirror from other items', () => {
    const items = [change(dai, -1n, 7n), change(dai, -2n, 8n)]
    const verdict = evaluateSimulation(succeeds([sold, bought, ...items, change(dai, 1n, 9n)]), agreed)
    expect(verdict).toMatchObject({ status: 'matches', companions: items })
    expect(getCompanions(verdict)).toEqual([
      { token: dai, nft: 7n, amount: 1n },
      { token: dai, nft: 8n, amount: 2n },
    ])
    const mirrored = change(usdc, -1n, 7n)
    expect(evaluateSimulation(succeeds([sold, bought, mirrored]), agreed)).toMatchObject({
      status: 'unexpected',
      what: [{ kind: 'leaves', change: mirrored }],
    })
    expect(evaluateSimulation(succeeds([sold, bought, mirrored]), agreed, usdc)).toMatchObject({
      status: 'matches',
      companions: [mirrored],
    })
    // Mirror balances are not NFTs, nor the bought token's NFTs the sold one's.
    for (const other of [change(usdc, -1n), change(weth, -1n, 7n), change(nativeTokenAddress, -1n)])
      expect(evaluateSimulation(succeeds([sold, bought, other]), agreed, usdc).status).toBe('unexpected')
  })

  it('reports outgoing items as unexpected when none of their token is sold', () => {
    const item = change(dai, -1n, 7n)
    expect(evaluateSimulation(succeeds([bought, item]), agreed).status).toBe('unexpected')
    expect(evaluateSimulation(succeeds([change(dai, 5n), bought, item]), agreed).status).toBe('unexpected')
  })

  it('lists no items when the return is below the minimum', () => {
    const verdict = evaluateSimulation(succeeds([sold, change(weth, 499n), change(dai, -1n, 7n)]), agreed)
    expect(verdict.status).toBe('below-floor')
    expect(getCompanions(verdict)).toEqual([])
  })

  it('passes on reverted and unknown simulations', () => {
    const answers: Simulation[] = [
      { status: 'reverts', reason: 'no', facts: { error: 'No' } },
      { status: 'unknown', reason: 'no', isCrowded: true },
    ]
    for (const answer of answers) expect(evaluateSimulation(answer, agreed)).toEqual(answer)
  })

  it('reports that only some tokens were checked', () => {
    const verdict = evaluateSimulation(succeeds([sold, bought], [], { isNarrow: true }), agreed)
    expect(verdict).toMatchObject({ status: 'matches', seen: { isNarrow: true } })
  })

  it.each<[string, BalanceChange]>([
    ['more of what is sold', change(dai, -1_001n)],
    ['another token', change(usdc, -1n)],
    ['the coin', change(nativeTokenAddress, -1n)],
    ['what is bought', change(weth, -1n)],
    ['an item of a collection', change(usdc, -1n, 3n)],
    ['an item in the contract that is bought', change(weth, -1n, 3n)],
  ])('reports %s leaving the account as unexpected', (_name, unexpected) => {
    const others = [sold, bought].filter(
      (one) => one.token.address !== unexpected.token.address || unexpected.nft,
    )
    const verdict = evaluateSimulation(succeeds([...others, unexpected]), agreed)
    expect(verdict).toMatchObject({ status: 'unexpected', what: [{ kind: 'leaves', change: unexpected }] })
  })

  it('accepts additional incoming tokens and a smaller sold amount', () => {
    const more = [
      change(nativeTokenAddress, 5n),
      change(usdc, 1n),
      change(usdc, 1n, 9n),
      change(dai, -990n),
      bought,
    ]
    expect(evaluateSimulation(succeeds(more), agreed).status).toBe('matches')
  })

  it('compares sold native tokens with the exact amount', () => {
    const coins = { ...agreed, trade: { ...agreed.trade, sell: nativeTokenAddress } }
    expect(evaluateSimulation(succeeds([change(nativeTokenAddress, -1_000n), bought]), coins).status).toBe(
      'matches',
    )
    expect(evaluateSimulation(succeeds([change(nativeTokenAddress, -1_001n), bought]), coins).status).toBe(
      'unexpected',
    )
  })

  describe('swaps with a recipient', () => {
    const paid = { ...agreed, receiver: friend }

    it('counts the amount that arrives at the recipient', () => {
      expect(evaluateSimulation(succeeds([sold], [], { arrived: 500n }), paid)).toMatchObject({
        status: 'matches',
        received: 500n,
      })
      expect(evaluateSimulation(succeeds([sold, bought], [], { arrived: 499n }), paid).status).toBe(
        'below-floor',
      )
    })

    it('reports an outflow of the bought token from the account as unexpected', () => {
      const verdict = evaluateSimulation(succeeds([sold, change(weth, -1n)], [], { arrived: 500n }), paid)
      expect(verdict.status).toBe('unexpected')
    })

    it('returns unknown when the recipient’s balance was not read', () => {
      expect(evaluateSimulation(succeeds([sold, bought]), paid).status).toBe('unknown')
      const self = { ...agreed, receiver: account }
      expect(evaluateSimulation(succeeds([sold, bought]), self).status).toBe('matches')
    })
  })

  describe('partial fills', () => {
    const partly = { ...agreed, allowPartialFill: true }

    it('compares the price of the sold part', () => {
      expect(evaluateSimulation(succeeds([change(dai, -3n), change(weth, 2n)]), partly).status).toBe(
        'matches',
      )
      expect(evaluateSimulation(succeeds([change(dai, -3n), change(weth, 1n)]), partly).status).toBe(
        'below-floor',
      )
      expect(evaluateSimulation(succeeds([change(dai, -3n), change(weth, 2n)]), agreed).status).toBe(
        'below-floor',
      )
    })

    it('requires a positive sold amount', () => {
      expect(evaluateSimulation(succeeds([]), partly).status).toBe('below-floor')
      expect(evaluateSimulation(succeeds([change(dai, 3n), change(weth, 2n)]), partly).status).toBe(
        'below-floor',
      )
    })

    it('reports an outflow above the whole amount as unexpected', () => {
      expect(evaluateSimulation(succeeds([change(dai, -1_001n), change(weth, 501n)]), partly).status).toBe(
        'unexpected',
      )
    })
  })

  describe('remaining allowances', () => {
    const left = (grants: AllowanceChange[], more: Partial<SwapExpectations> = {}, spent = sold) =>
      evaluateSimulation(succeeds([spent, bought], grants), { ...agreed, ...more }).status
    const approve = (amount: bigint): Partial<SwapExpectations> => ({
      permission: { via: 'approve', amount },
    })
    const byPermit2 = (amount: bigint): Partial<SwapExpectations> => ({
      permission: { via: 'permit2', amount },
    })

    it('expects no allowance after an approval of exactly the amount', () => {
      expect(left([grant(router, 1n)])).toBe('unexpected')
      expect(left([grant(router, 1n)], approve(1_000n))).toBe('unexpected')
      expect(left([grant(router, 1n)], { permission: { via: 'permit' } })).toBe('unexpected')
    })

    it('expects the allowance beyond the sold amount and no more', () => {
      expect(left([grant(router, 4_000n)], approve(5_000n))).toBe('matches')
      expect(left([grant(router, 4_001n)], approve(5_000n))).toBe('unexpected')
      expect(left([grant(router, unlimited)], approve(5_000n))).toBe('unexpected')
    })

    it('expects the allowance that a partial fill leaves', () => {
      const partly = { ...approve(1_000n), allowPartialFill: true }
      expect(left([grant(router, 400n)], partly, change(dai, -600n))).toBe('matches')
      expect(left([grant(router, 401n)], partly, change(dai, -600n))).toBe('unexpected')
    })

    it('expects an unlimited allowance after an unlimited approval or permit', () => {
      expect(left([grant(router, unlimited)], approve(unlimited))).toBe('matches')
      const dais: Partial<SwapExpectations> = { permission: { via: 'permit' }, isUnlimited: true }
      expect(left([grant(router, unlimited)], dais)).toBe('matches')
    })

    it('expects up to the allowance that existed before', () => {
      expect(left([grant(router, 7_000n)], { allowed: 8_000n })).toBe('matches')
      expect(left([grant(router, 8_001n)], { allowed: 8_000n })).toBe('unexpected')
      expect(left([grant(thief, 1n)], { allowed: 8_000n })).toBe('unexpected')
    })

    it('expects the remaining allowance of Permit2 and no direct one of the router', () => {
      expect(left([grant(permit2, 4_000n)], byPermit2(5_000n))).toBe('matches')
      expect(left([grant(permit2, 4_001n)], byPermit2(5_000n))).toBe('unexpected')
      expect(left([grant(permit2, unlimited)], byPermit2(unlimited))).toBe('matches')
      expect(left([grant(permit2, 9_000n)], { ...byPermit2(5_000n), allowed: 10_000n })).toBe('matches')
      expect(left([grant(router, 1n)], { ...byPermit2(unlimited), allowed: 10_000n })).toBe('unexpected')
      expect(left([grant(permit2, 1n)], approve(unlimited))).toBe('unexpected')
    })

    it.each<[string, AllowanceChange]>([
      ['to somebody else', grant(thief, 1n)],
      ['to the token itself', grant(dai, 1n)],
      ['of another token', grant(router, 1n, weth)],
      ['of one item', grant(router, 1n, dai, 5n)],
      ['of a collection', grant(router, 'all')],
    ])('does not expect an allowance %s', (_name, unexpected) => {
      const verdict = evaluateSimulation(succeeds([sold, bought], [unexpected]), {
        ...agreed,
        ...approve(unlimited),
      })
      expect(verdict).toMatchObject({ status: 'unexpected', what: [{ kind: 'grants', grant: unexpected }] })
    })
  })

  it('evaluates a wrap like any trade', () => {
    const wrap = {
      ...agreed,
      trade: { ...agreed.trade, sell: nativeTokenAddress, buy: weth },
      floor: 1_000n,
      router: weth,
    }
    expect(
      evaluateSimulation(succeeds([change(nativeTokenAddress, -1_000n), change(weth, 1_000n)]), wrap).status,
    ).toBe('matches')
    expect(
      evaluateSimulation(succeeds([change(nativeTokenAddress, -1_000n), change(weth, 999n)]), wrap).status,
    ).toBe('below-floor')
  })
})

const addresses = fc.constantFrom(dai, weth, usdc, nativeTokenAddress)
const amounts = fc.oneof(
  fc.bigInt(-1_100n, 1_100n),
  fc.constantFrom(-1_001n, -1_000n, 0n, 499n, 500n, 1_000n, -unlimited, unlimited),
)
const item = fc.option(fc.bigInt(0n, 3n), { nil: undefined, freq: 4 })
const changes = fc
  .array(fc.tuple(addresses, amounts, item), { maxLength: 4 })
  // As RPCs report: each asset once, none zero.
  .map((all) =>
    all.filter(([address, amount, nft], index) => {
      const first = all.findIndex(([a, , n]) => a === address && n === nft)
      return amount !== 0n && first === index
    }),
  )
  .map((all) => all.map(([address, amount, nft]) => change(address, amount, nft)))
const grants = fc
  .array(
    fc.tuple(
      fc.constantFrom(router, permit2, thief),
      fc.oneof(fc.bigInt(1n, 6_000n), fc.constantFrom<bigint | 'all'>(unlimited, 'all', 1n, 4_000n)),
      fc.oneof({ weight: 4, arbitrary: fc.constant(dai) }, { weight: 1, arbitrary: addresses }),
      item,
    ),
    { maxLength: 2 },
  )
  .map((all) => all.map(([spender, amount, address, nft]) => grant(spender, amount, address, nft)))
const agreements = fc
  .record({
    floor: fc.oneof(fc.constant(500n), fc.bigInt(1n, 1_000n)),
    receiver: fc.constantFrom(undefined, undefined, account, friend),
    allowPartialFill: fc.boolean(),
    permission: fc.constantFrom<SwapExpectations['permission']>(
      undefined,
      { via: 'permit' },
      { via: 'approve', amount: 1_000n },
      { via: 'approve', amount: 5_000n },
      { via: 'approve', amount: unlimited },
      { via: 'permit2', amount: 5_000n },
    ),
    isUnlimited: fc.constantFrom(false, false, true),
    allowed: fc.constantFrom(undefined, 0n, 3_000n),
  })
  .map((terms): SwapExpectations => ({ ...agreed, ...terms }))

describe('random simulations', () => {
  it('matches only a sufficient return without other outflows or allowances, except listed items', () => {
    const counts = { matches: 0, others: 0 }
    const honest = fc.constantFrom([sold, bought], [change(dai, -500n), change(weth, 250n)], [sold])
    const run = fc.record({
      agreement: agreements,
      changes: fc.oneof(
        changes,
        fc.tuple(honest, changes).map(([base, more]) => once([...base, ...more])),
      ),
      grants,
      arrived: fc.option(fc.bigInt(0n, 1_100n), { nil: undefined }),
    })
    fc.assert(
      fc.property(run, ({ agreement, changes, grants, arrived }) => {
        const simulation = succeeds(changes, grants, arrived === undefined ? {} : { arrived })
        const verdict = evaluateSimulation(simulation, agreement)
        if (verdict.status !== 'matches') return void counts.others++
        counts.matches++
        expectHarmless(changes, getCompanions(verdict), grants, arrived, agreement)
      }),
      { numRuns: 50_000 },
    )
    expect(counts.matches).toBeGreaterThan(1_000)
    expect(counts.others).toBeGreaterThan(1_000)
  })
})

function once(all: BalanceChange[]): BalanceChange[] {
  const isFirst = (one: BalanceChange, index: number) =>
    all.findIndex(({ token, nft }) => token.address === one.token.address && nft === one.nft) === index
  return all.filter(isFirst)
}

/** Independent implementation of the rules. */
function expectHarmless(
  changes: BalanceChange[],
  companions: Companion[],
  grants: AllowanceChange[],
  arrived: bigint | undefined,
  { trade, floor, receiver, allowPartialFill, permission, isUnlimited, allowed = 0n }: SwapExpectations,
): void {
  const of = (address: Address) =>
    changes.find(({ token, nft }) => token.address === address && nft === undefined)?.amount ?? 0n
  const received = receiver === friend ? arrived : of(trade.buy)
  const spent = 0n - of(trade.sell)
  expect(spent).toBeLessThanOrEqual(trade.amount)
  if (allowPartialFill && received! < floor) {
    expect(spent).toBeGreaterThan(0n)
    expect(received! * trade.amount).toBeGreaterThanOrEqual(floor * spent)
  } else {
    expect(received).toBeGreaterThanOrEqual(floor)
  }
  for (const { token, nft, amount } of changes) {
    if (token.address !== trade.sell) expect(amount).toBeGreaterThan(0n)
    // The user is asked.
    else if (nft !== undefined && amount < 0n)
      expect(companions).toContainEqual({ token: trade.sell, nft, amount: -amount })
  }
  for (const { token, nft, spender, amount } of grants) {
    expect([token.address, nft]).toEqual([trade.sell, undefined])
    expect([router, permit2]).toContain(spender)
    if (spender === permit2) expect(permission?.via).toBe('permit2')
    const whole =
      permission?.via === 'approve' || (permission?.via === 'permit2' && spender === permit2)
        ? permission.amount
        : isUnlimited
          ? unlimited
          : trade.amount
    const left = whole === unlimited ? unlimited : whole - spent
    expect(amount).toBeLessThanOrEqual(left > allowed ? left : allowed)
  }
}
