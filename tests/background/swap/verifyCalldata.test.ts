import fc from 'fast-check'
import { getAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { verifySwapCalldata } from '../../../src/background/swap/verifyCalldata.ts'
import { computeMinReturn, type SwapTransaction } from '../../../src/domain/swap/quote.ts'
import type { SwapExpectations } from '../../../src/domain/swap/simulationCheck.ts'
import { type Address, type Hex, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'
import { figure } from '../../helpers/figures.ts'
import { runs } from '../../helpers/runs.ts'
import {
  account,
  agreed,
  answer,
  type Description,
  dai,
  deadlines,
  floorOf,
  mutate,
  refusal,
  router,
  tellMutated,
  thief,
  weth,
  wordOf,
  zero,
} from '../../helpers/samples/swapCalldata.ts'
import { slow } from '../../helpers/slow.ts'

slow('A chain runs.')

const quotes = runs(2_000, 10_000)
const mutated = runs(10_000, 100_000)

describe('verifySwapCalldata', () => {
  it('accepts an honest answer and reads minReturn from its calldata', () => {
    expect(floorOf(answer(), agreed)).toBe(agreed.floor)
    expect(floorOf(answer(agreed, { minReturnAmount: agreed.floor + 7n }), agreed)).toBe(agreed.floor + 7n)
  })

  it('accepts the zero address as recipient, which means the sender', () => {
    expect(floorOf(answer(agreed, { dstReceiver: zero }), agreed)).toBe(agreed.floor)
  })

  it('accepts addresses and hex in any letter case', () => {
    const honest = answer()
    const shouted = { ...honest, to: getAddress(router), from: getAddress(account) }
    expect(floorOf(shouted, agreed)).toBe(agreed.floor)
    const data = `0x${honest.data.slice(2).toUpperCase()}` as Hex
    expect(floorOf({ ...honest, data }, agreed)).toBe(agreed.floor)
  })

  it('requires the amount as value when the native token is sold', () => {
    const coins = { ...agreed, trade: { ...agreed.trade, sell: nativeTokenAddress } }
    expect(floorOf(answer(coins), coins)).toBe(agreed.floor)
    expect(refusal({ ...answer(coins), value: 0n }, coins).facts).toMatchObject({ fact: 'value', found: '0' })
    expect(refusal({ ...answer(coins), value: coins.trade.amount + 1n }, coins).code).toBe(
      'unsafe-transaction',
    )
  })

  it.each<[string, Partial<SwapTransaction>]>([
    ['sender', { from: thief }],
    ['router', { to: thief }],
    ['value', { value: 1n }],
  ])('rejects another %s', (fact, change) => {
    const error = refusal({ ...answer(), ...change })
    expect(error.code).toBe('unsafe-transaction')
    expect(error.facts).toMatchObject({ fact })
    expect(error.message).toContain(`The ${fact} in`)
  })

  it.each<[string, Partial<Description>]>([
    ['sell', { srcToken: weth }],
    ['buy', { dstToken: dai }],
    ['amount', { amount: agreed.trade.amount + 1n }],
    ['receiver', { dstReceiver: thief }],
    ['flags', { flags: 1n }],
  ])('rejects calldata with another %s', (fact, change) => {
    const error = refusal(answer(agreed, change))
    expect(error.code).toBe('unsafe-transaction')
    expect(error.facts).toMatchObject({ fact })
    expect(error.message).toContain(`The ${fact} in`)
  })

  it('reports a target that is a router of another chain', () => {
    // Ours on Ethereum, and the public one.
    for (const to of [
      '0x8ad8b1139664ea2000ba0a30993588ac6ea6e7ac',
      '0x111111125421ca6dc452d289314280a0f8842a65',
    ] as const) {
      const error = refusal({ ...answer(), to })
      expect(error.facts).toEqual({ fact: 'chain', expected: router, found: to })
    }
  })

  it('does not treat calldata as binding when the code of the router is unknown', () => {
    for (const to of [
      '0x8ad8b1139664ea2000ba0a30993588ac6ea6e7ac',
      '0x111111125421ca6dc452d289314280a0f8842a65',
      '0x1111111254eeb25477b68fb85ed929f73a960582',
    ] as const) {
      const pinned = { ...agreed, router: to }
      const read = verifySwapCalldata(answer(pinned), pinned, {
        strict: true,
        isBindingRouter: false,
        deadlines,
      })
      expect(read).toEqual({ floor: agreed.floor, isBinding: false })
    }
  })

  it('requires exactly the chosen flags', () => {
    const chosen = (partial: boolean, permit2: boolean): SwapExpectations => ({
      ...agreed,
      ...(partial && { allowPartialFill: true }),
      ...(permit2 && { permission: { via: 'permit2', amount: agreed.trade.amount } }),
    })
    for (const [partial, permit2, flags] of [
      [false, false, 0n],
      [true, false, 1n],
      [false, true, 4n],
      [true, true, 5n],
    ] as const) {
      const agreement = chosen(partial, permit2)
      for (const found of [0n, 1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n, 1n << 255n, flags | (1n << 8n)]) {
        const transaction = answer(agreement, { flags: found })
        if (found === flags) expect(floorOf(transaction, agreement)).toBe(agreed.floor)
        else
          expect(refusal(transaction, agreement).facts).toMatchObject({ fact: 'flags', found: String(found) })
      }
    }
    const approved: SwapExpectations = { ...agreed, permission: { via: 'approve', amount: 2n ** 256n - 1n } }
    expect(refusal(answer(approved, { flags: 4n }), approved).facts).toMatchObject({ fact: 'flags' })
  })

  it('requires exactly the chosen recipient', () => {
    const friend: Address = '0xf41e4d0000000000000000000000000000000003'
    const agreement = { ...agreed, receiver: friend }
    expect(floorOf(answer(agreement, { dstReceiver: friend }), agreement)).toBe(agreed.floor)
    for (const dstReceiver of [account, zero, thief, router]) {
      expect(refusal(answer(agreement, { dstReceiver }), agreement).facts).toMatchObject({ fact: 'receiver' })
    }
    const self = { ...agreed, receiver: account }
    for (const dstReceiver of [account, zero]) {
      expect(floorOf(answer(self, { dstReceiver }), self)).toBe(agreed.floor)
    }
  })

  it('rejects a minReturn one unit too low, with both amounts', () => {
    const error = refusal(answer(agreed, { minReturnAmount: agreed.floor - 1n }))
    expect(error.code).toBe('below-floor')
    expect(error.facts).toEqual({ expected: '500000000000000000', found: '499999999999999999' })
  })

  it(`rejects every minReturn below the accepted one, for ${quotes} quotes and slippages`, () => {
    const quote = fc.bigInt(10_000n, 2n ** 128n)
    const slippage = fc.integer({ min: 1, max: 5_000 })
    const short = fc.bigInt(1n, 2n ** 64n)
    fc.assert(
      fc.property(quote, slippage, short, (returns, slippageBps, less) => {
        const agreement = { ...agreed, floor: computeMinReturn(returns, slippageBps) }
        expect(floorOf(answer(agreement), agreement)).toBe(agreement.floor)
        const minReturnAmount = agreement.floor > less ? agreement.floor - less : 0n
        expect(refusal(answer(agreement, { minReturnAmount }), agreement).code).toBe('below-floor')
      }),
      { numRuns: quotes },
    )
    figure('39', `${quotes} quotes and slippages: every floor below the accepted one refused`)
  })

  it('rejects other functions of the router by their selectors', () => {
    // unoswap, unoswapTo, ethUnoswap, permitAndCall, and approve.
    for (const selector of ['83800a8e', 'e2c95c82', 'a76dfc3b', '5816d723', '095ea7b3', '00000000']) {
      const data = `0x${selector}${answer().data.slice(10)}` as Hex
      const error = refusal({ ...answer(), data })
      expect(error.facts).toEqual({ fact: 'selector', expected: '0x07ed2379', found: `0x${selector}` })
    }
    expect(refusal({ ...answer(), data: '0x' }).facts).toMatchObject({ fact: 'selector', found: '0x' })
    const cut = refusal({ ...answer(), data: '0x07ed2379' })
    expect(cut.facts).toEqual({ fact: 'encoding' })
  })

  it(`accepts only equivalent calldata among ${mutated} mutations`, () => {
    const honest = answer(agreed, {}, `0x${'5a'.repeat(70)}`)
    const bytes = Buffer.from(honest.data.slice(2), 'hex')
    const words = (bytes.length - 4) / 32
    const at = fc.integer({ min: 0, max: bytes.length - 1 })
    const word = fc.integer({ min: 0, max: words - 1 })
    const change = fc.oneof(
      fc.tuple(at, fc.integer({ min: 1, max: 255 })).map(([at, flip]) => ({ at, flip })),
      fc.tuple(word, word).map(([to, from]) => ({ to, from })),
      fc.tuple(word, fc.constantFrom(-1n, 1n)).map(([nudged, by]) => ({ nudged, by })),
      fc.integer({ min: -64, max: 64 }).map((resize) => ({ resize })),
    )
    const counts = { accepted: 0, refused: 0 }
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
        const data = changes.reduce(mutate, bytes)
        const transaction = { ...honest, data: `0x${data.toString('hex')}` as Hex }
        try {
          const { floor } = verifySwapCalldata(transaction, agreed, {
            strict: true,
            isBindingRouter: true,
            deadlines,
          })
          expect(difference(data, bytes)).toBeUndefined()
          expect(floor).toBe(wordOf(data, 6))
          counts.accepted++
        } catch (error) {
          if (!(error instanceof WalletError)) throw error
          expect(['unsafe-transaction', 'below-floor']).toContain(error.code)
          counts.refused++
        }
      }),
      { numRuns: mutated },
    )
    // Unverified fields may be anything.
    expect(counts.accepted).toBeGreaterThan(mutated / 100)
    expect(counts.refused).toBeGreaterThan(mutated / 2)
    tellMutated(counts, 'calldatas')
  })

  it(`rejects ${mutated / 5} mutations of a compared byte`, () => {
    const honest = answer()
    const bytes = Buffer.from(honest.data.slice(2), 'hex')
    const compared = comparedPositions(bytes.length)
    const change = fc.record({
      at: fc.constantFrom(...compared),
      flip: fc.integer({ min: 1, max: 255 }),
      resize: fc.oneof(
        { weight: 4, arbitrary: fc.constant(0) },
        { weight: 1, arbitrary: fc.integer({ min: -64, max: 64 }) },
      ),
    })
    let refused = 0
    fc.assert(
      fc.property(change, ({ at, flip, resize }) => {
        const mutated = Buffer.alloc(Math.max(bytes.length + resize, at + 1))
        bytes.copy(mutated)
        mutated[at] = mutated[at]! ^ flip
        const error = refusal({ ...honest, data: `0x${mutated.toString('hex')}` })
        expect(['unsafe-transaction', 'below-floor']).toContain(error.code)
        refused++
      }),
      { numRuns: mutated / 5 },
    )
    expect(refused).toBe(mutated / 5)
    figure('41', `${refused} calldatas of which a compared byte is another: each refused`)
  })

  it('rejects trailing bytes, even zeros', () => {
    for (const tail of ['00', '00'.repeat(32), 'ff', '01'.repeat(64)]) {
      const error = refusal({ ...answer(), data: `${answer().data}${tail}` as Hex })
      expect([error.code, error.facts]).toEqual(['unsafe-transaction', { fact: 'encoding' }])
    }
  })

  it('accepts 1,000 honest answers', () => {
    const bytes = fc
      .uint8Array({ maxLength: 600 })
      .map((data): Hex => `0x${Buffer.from(data).toString('hex')}`)
    const amount = fc.bigInt(1n, 2n ** 256n - 1n)
    fc.assert(
      fc.property(bytes, amount, amount, fc.boolean(), (data, sold, floor, sellsCoin) => {
        const trade = { ...agreed.trade, sell: sellsCoin ? nativeTokenAddress : dai, amount: sold }
        const agreement = { ...agreed, trade, floor }
        expect(floorOf(answer(agreement, {}, data), agreement)).toBe(floor)
      }),
      { numRuns: 1_000 },
    )
  })
})

/** Bytes where any other value must be refused. */
function comparedPositions(length: number): number[] {
  const word = (index: number) => 4 + 32 * index
  const free = [
    [word(0) + 12, word(1)], // executor
    [word(3) + 12, word(4)], // srcReceiver
    [word(6), word(7)], // minReturnAmount may rise
    [word(10) - 1, word(10) + 5], // data, and its length's last byte: trailing zeros may be data
  ] as const
  const all = Array.from({ length }, (_, at) => at)
  return all.filter((at) => !free.some(([from, to]) => at >= from && at < to))
}

/** Uses no decoder. */
function difference(data: Buffer, honest: Buffer): string | undefined {
  if (!data.subarray(0, 4).equals(honest.subarray(0, 4))) return 'selector'
  for (const index of [1, 2, 5, 7, 8])
    if (wordOf(data, index) !== wordOf(honest, index)) return `word ${index}`
  if (wordOf(data, 4) !== wordOf(honest, 4) && wordOf(data, 4) !== 0n) return 'receiver'
  if (wordOf(data, 6) < wordOf(honest, 6)) return 'floor'
  for (const index of [0, 3])
    if (wordOf(data, index) >> 160n !== 0n) return `above the address in word ${index}`
  const length = Number(wordOf(data, 9))
  if (data.length !== 4 + 320 + Math.ceil(length / 32) * 32) return 'length'
  return data.subarray(4 + 320 + length).every((byte) => byte === 0) ? undefined : 'padding'
}
