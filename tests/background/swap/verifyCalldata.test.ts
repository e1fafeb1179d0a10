import fc from 'fast-check'
import { encodeFunctionData, getAddress, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import { verifySwapCalldata } from '../../../src/background/swap/verifyCalldata.ts'
import { computeMinReturn, type SwapTransaction } from '../../../src/domain/swap/quote.ts'
import type { CalldataTerms as Read, SwapExpectations } from '../../../src/domain/swap/simulationCheck.ts'
import { type Address, type Hex, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'
import { place } from '../../helpers/bendBytes.ts'
import { figure } from '../../helpers/figures.ts'
import { encodeRouteWords } from '../../helpers/routeWords.ts'
import { runs } from '../../helpers/runs.ts'
import { slow } from '../../helpers/slow.ts'

slow('A chain runs.')

// Written independently of contracts/ISwapRouter.sol.
const abi = parseAbi([
  'function swap(address executor, (address srcToken, address dstToken, address srcReceiver, address dstReceiver, uint256 amount, uint256 minReturnAmount, uint256 flags) desc, bytes data) payable returns (uint256, uint256)',
])

const account: Address = '0xa11ce00000000000000000000000000000000001'
const thief: Address = '0xbad0000000000000000000000000000000000002'
const router: Address = '0xadcc95d85c30dd4eddcfc39e9fdb81473b509bb3'
const executor: Address = '0xe1ec000000000000000000000000000000000005'
const dai: Address = '0x6b175474e89094c44da98b954eedeac495271d0f'
const weth: Address = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'
const zero: Address = '0x0000000000000000000000000000000000000000'

const quotes = runs(2_000, 10_000)
const mutated = runs(10_000, 100_000)

const agreed: SwapExpectations = {
  account,
  trade: { chainId: 31337, sell: dai, buy: weth, amount: 10n ** 21n },
  floor: 5n * 10n ** 17n,
  router,
}

const deadlines = { after: 1_000n, before: 2_201n }

type Description = {
  srcToken: Address
  dstToken: Address
  srcReceiver: Address
  dstReceiver: Address
  amount: bigint
  minReturnAmount: bigint
  flags: bigint
}

function answer(
  agreement: SwapExpectations = agreed,
  changes: Partial<Description> = {},
  data: Hex = '0x0102030405',
  by: Address = executor,
): SwapTransaction {
  const { trade, floor } = agreement
  const desc: Description = {
    srcToken: trade.sell,
    dstToken: trade.buy,
    srcReceiver: agreement.router,
    dstReceiver: agreement.account,
    amount: trade.amount,
    minReturnAmount: floor,
    flags: 0n,
    ...changes,
  }
  return {
    trade,
    returns: floor * 2n,
    from: agreement.account,
    to: agreement.router,
    data: encodeFunctionData({ abi, functionName: 'swap', args: [by, desc, data] }),
    value: trade.sell === nativeTokenAddress ? trade.amount : 0n,
    gas: 200_000n,
    route: [],
  }
}

function floorOf(transaction: SwapTransaction, agreement: SwapExpectations = agreed): bigint {
  const { floor, isBinding } = verifySwapCalldata(transaction, agreement, {
    strict: true,
    isBindingRouter: true,
    deadlines,
  })
  expect(isBinding).toBe(true)
  return floor
}

function refusal(
  transaction: SwapTransaction,
  agreement: SwapExpectations = agreed,
  strict = true,
): WalletError {
  try {
    verifySwapCalldata(transaction, agreement, { strict, isBindingRouter: true, deadlines })
  } catch (error) {
    if (error instanceof WalletError) return error
    throw error
  }
  throw new Error('The transaction was accepted.')
}

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

function tellMutated({ accepted, refused }: { accepted: number; refused: number }, what: string): void {
  figure(
    '41',
    `${accepted + refused} mutated ${what}: ${refused} refused, ${accepted} accepted that say the same`,
  )
}

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

type Mutation =
  | { at: number; flip: number }
  | { to: number; from: number }
  | { nudged: number; by: bigint }
  | { resize: number }

function mutate(data: Buffer, mutation: Mutation): Buffer {
  const mutated = Buffer.alloc(data.length + ('resize' in mutation ? mutation.resize : 0))
  data.copy(mutated)
  if ('at' in mutation && mutation.at < mutated.length) mutated[mutation.at]! ^= mutation.flip
  if ('to' in mutation) {
    const word = data.subarray(4 + 32 * mutation.from, 36 + 32 * mutation.from)
    word.copy(mutated, Math.min(4 + 32 * mutation.to, mutated.length))
  }
  if ('nudged' in mutation && 36 + 32 * mutation.nudged <= data.length) {
    const next = BigInt.asUintN(256, wordOf(data, mutation.nudged) + mutation.by)
    mutated.write(next.toString(16).padStart(64, '0'), 4 + 32 * mutation.nudged, 'hex')
  }
  return mutated
}

function wordOf(data: Buffer, index: number): bigint {
  return BigInt(`0x${data.toString('hex', 4 + 32 * index, 36 + 32 * index)}`)
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

describe('verifySwapCalldata: routes of the built-in router', () => {
  const friend: Address = '0xf41e4d0000000000000000000000000000000003'
  const hop = { kind: 2, from: 0, to: 1, detail: 3_000, pool: friend, weight: 0 }

  function route(feePpm: number, referrer: Address, deadline = 1_900n): Hex {
    const branches = [{ weight: 0, hops: [hop, { ...hop, from: 1, to: 2 }] }]
    return encodeRouteWords({ connectors: [thief], branches, feePpm, referrer, deadline, permit: '0x' })
  }
  const routed = (agreement: SwapExpectations, data: Hex) => answer(agreement, {}, data, router)
  const refused = (agreement: SwapExpectations, data: Hex) =>
    refusal(routed(agreement, data), agreement).facts

  it('rejects a fee when none was set', () => {
    for (const referrer of [zero, thief])
      expect(floorOf(routed(agreed, route(0, referrer)))).toBe(agreed.floor)
    expect(refused(agreed, route(1, thief))).toEqual({
      fact: 'fee',
      expected: 'none',
      found: `1 ppm for ${thief}`,
    })
  })

  it('requires exactly the fee and the referrer that were set', () => {
    const agreement = { ...agreed, options: { feeBps: 40, referrer: friend } }
    expect(floorOf(routed(agreement, route(4_000, friend)), agreement)).toBe(agreed.floor)
    const others: [number, Address][] = [
      [4_000, thief],
      [4_001, friend],
      [3_999, friend],
      [0, friend],
      [0, zero],
    ]
    for (const [ppm, taker] of others) {
      expect(refused(agreement, route(ppm, taker))).toMatchObject({
        fact: 'fee',
        expected: `4000 ppm for ${friend}`,
      })
    }
    const none = { ...agreed, options: { feeBps: 0, referrer: friend } }
    expect(floorOf(routed(none, route(0, zero)), none)).toBe(agreed.floor)
  })

  it('rejects an unreadable route, and ignores the data of other executors', () => {
    const plain = route(0, zero)
    for (const data of ['0x', '0x0102030405', plain.slice(0, -192), `${plain}00`] as Hex[]) {
      expect(refused(agreed, data)).toMatchObject({ fact: 'fee' })
      expect(floorOf(answer(agreed, {}, data))).toBe(agreed.floor)
    }
  })

  it('requires a deadline within the accepted range', () => {
    for (const deadline of [1_001n, 1_900n, 2_200n])
      expect(floorOf(routed(agreed, route(0, zero, deadline)))).toBe(agreed.floor)
    for (const deadline of [0n, 999n, 1_000n, 2_201n, 2n ** 48n - 1n]) {
      expect(refused(agreed, route(0, zero, deadline))).toEqual({
        fact: 'deadline',
        expected: 'after 1000 and before 2201',
        found: String(deadline),
      })
    }
  })

  it('accepts only routes with the same fee and referrer among 5,000 mutations', () => {
    const agreement = { ...agreed, options: { feeBps: 40, referrer: friend } }
    const bytes = Buffer.from(route(4_000, friend).slice(2), 'hex')
    const words = bytes.length / 32
    const change = fc.oneof(
      fc.record({
        at: fc.integer({ min: 0, max: bytes.length - 1 }),
        flip: fc.integer({ min: 1, max: 255 }),
      }),
      fc.record({ at: fc.integer({ min: 0, max: words - 1 }), from: fc.integer({ min: 0, max: words - 1 }) }),
    )
    const counts = { accepted: 0, refused: 0 }
    fc.assert(
      fc.property(change, (mutation) => {
        const data = Buffer.from(bytes)
        if ('flip' in mutation) data[mutation.at]! ^= mutation.flip
        else bytes.copy(data, 32 * mutation.at, 32 * mutation.from, 32 * mutation.from + 32)
        try {
          verifySwapCalldata(routed(agreement, `0x${data.toString('hex')}`), agreement, {
            strict: true,
            isBindingRouter: true,
            deadlines,
          })
          // Referrer and fee.
          for (const [from, to] of [
            [0, 20],
            [26, 29],
          ] as const)
            expect(data.subarray(from, to)).toEqual(bytes.subarray(from, to))
          expect(data[29]! + data[30]! + data[31]! + 2).toBeLessThanOrEqual(words)
          const deadline = BigInt(`0x${data.toString('hex', 20, 26)}`)
          expect(deadline > deadlines.after && deadline < deadlines.before).toBe(true)
          counts.accepted++
        } catch (error) {
          if (!(error instanceof WalletError)) throw error
          expect(error.facts.fact).toMatch(/^(fee|deadline)$/)
          counts.refused++
        }
      }),
      { numRuns: 5_000 },
    )
    expect(counts.accepted).toBeGreaterThan(500)
    expect(counts.refused).toBeGreaterThan(500)
    tellMutated(counts, 'routes of our own router')
  })
})

describe('verifySwapCalldata: short entry points', () => {
  const shapes = ['', '2', '3'].flatMap((number, index) => {
    const pools = Array.from({ length: index + 1 }, (_, pool) => 0xf00n + BigInt(pool))
    return [
      { name: `unoswap${number}`, to: false, eth: false, pools },
      { name: `unoswapTo${number}`, to: true, eth: false, pools },
      { name: `ethUnoswap${number}`, to: false, eth: true, pools },
      { name: `ethUnoswapTo${number}`, to: true, eth: true, pools },
    ]
  })
  type Shape = (typeof shapes)[number]
  type Said = { receiver: bigint; sell: bigint; amount: bigint; floor: bigint }

  const agreementOf = ({ eth }: Shape): SwapExpectations =>
    eth ? { ...agreed, trade: { ...agreed.trade, sell: nativeTokenAddress } } : agreed

  function short(shape: Shape, changes: Partial<Said> = {}): SwapTransaction {
    const { trade, floor } = agreementOf(shape)
    const said = {
      receiver: BigInt(account),
      sell: BigInt(trade.sell),
      amount: trade.amount,
      floor,
      ...changes,
    }
    const words = [
      ...(shape.to ? [said.receiver] : []),
      ...(shape.eth ? [] : [said.sell, said.amount]),
      said.floor,
      ...shape.pools,
    ]
    const signature = `function ${shape.name}(${words.map(() => 'uint256').join(', ')})`
    const abi = parseAbi([signature] as readonly string[])
    const data = encodeFunctionData({ abi, functionName: shape.name, args: words })
    return { ...answer(agreementOf(shape)), data }
  }

  const read = (shape: Shape, transaction = short(shape), agreement = agreementOf(shape)): Read =>
    verifySwapCalldata(transaction, agreement, { strict: false, isBindingRouter: true, deadlines })
  const factOf = (shape: Shape, transaction: SwapTransaction, agreement = agreementOf(shape)) =>
    refusal(transaction, agreement, false).facts.fact

  it.each(shapes)('accepts $name only without strict mode, and never as binding', (shape) => {
    expect(read(shape)).toEqual({ floor: agreed.floor, isBinding: false })
    expect(read(shape, short(shape, { floor: agreed.floor + 1n })).floor).toBe(agreed.floor + 1n)
    const strictly = refusal(short(shape), agreementOf(shape))
    expect(strictly.facts).toMatchObject({ fact: 'selector', found: short(shape).data.slice(0, 10) })
  })

  it.each(shapes)('verifies every term of $name', (shape) => {
    const low = refusal(short(shape, { floor: agreed.floor - 1n }), agreementOf(shape), false)
    expect(low.code).toBe('below-floor')
    expect(factOf(shape, { ...short(shape), value: agreed.trade.amount - 1n })).toBe('value')
    expect(factOf(shape, { ...short(shape), to: thief })).toBe('router')
    expect(factOf(shape, { ...short(shape), from: thief })).toBe('sender')
    if (!shape.eth) {
      expect(factOf(shape, short(shape, { sell: BigInt(weth) }))).toBe('sell')
      expect(factOf(shape, short(shape, { sell: BigInt(dai) | (1n << 160n) }))).toBe('sell')
      expect(factOf(shape, short(shape, { sell: 0n }))).toBe('sell')
      expect(factOf(shape, short(shape, { amount: agreed.trade.amount + 1n }))).toBe('amount')
    }
    if (shape.to) {
      expect(factOf(shape, short(shape, { receiver: BigInt(thief) }))).toBe('receiver')
      expect(factOf(shape, short(shape, { receiver: BigInt(account) | (1n << 255n) }))).toBe('receiver')
      expect(factOf(shape, short(shape, { receiver: 0n }))).toBe('receiver')
    }
    // Would be another function's length.
    for (const data of [`${short(shape).data}${'00'.repeat(32)}`, short(shape).data.slice(0, -2)] as Hex[]) {
      expect(factOf(shape, { ...short(shape), data })).toBe('encoding')
    }
  })

  it.each(shapes)('verifies the recipient of $name', (shape) => {
    const agreement = { ...agreementOf(shape), receiver: thief }
    const fits = short(shape, { receiver: BigInt(thief) })
    if (shape.to) expect(read(shape, fits, agreement).isBinding).toBe(false)
    else expect(factOf(shape, fits, agreement)).toBe('receiver')
  })

  it('rejects a token entry point for a native token sale, and vice versa', () => {
    const [tokens, coins] = [shapes[0]!, shapes[2]!]
    expect(factOf(tokens, short(tokens), agreementOf(coins))).toBe('sell')
    expect(factOf(coins, short(coins), agreed)).toBe('sell')
  })

  it('rejects every other function by its selector', () => {
    for (const selector of ['5816d723', '095ea7b3', 'd505accf', '00000000', '07ed2378']) {
      const data = `0x${selector}${answer().data.slice(10)}` as Hex
      const { facts } = refusal({ ...answer(), data }, agreed, false)
      expect(facts).toEqual({ fact: 'selector', expected: '0x07ed2379', found: `0x${selector}` })
    }
  })

  it(`accepts only mutations of minReturn and pools among ${mutated / 5}`, () => {
    const byteOf = (length: number) => fc.integer({ min: 0, max: length - 1 })
    const honestOnes = shapes.map((shape) => ({ shape, honest: short(shape) }))
    const mutations = fc.constantFrom(...honestOnes).chain(({ shape, honest }) => {
      const bytes = Buffer.from(honest.data.slice(2), 'hex')
      return fc.record({
        shape: fc.constant(shape),
        honest: fc.constant(honest),
        bytes: fc.constant(bytes),
        at: byteOf(bytes.length),
        flip: fc.integer({ min: 1, max: 255 }),
      })
    })
    const counts = { accepted: 0, refused: 0 }
    fc.assert(
      fc.property(mutations, ({ shape, honest, bytes, at, flip }) => {
        const data = mutate(bytes, { at, flip })
        const floorAt = bytes.length - 32 * (shape.pools.length + 1)
        try {
          read(shape, { ...honest, data: `0x${data.toString('hex')}` })
          expect(data.subarray(0, floorAt)).toEqual(bytes.subarray(0, floorAt))
          counts.accepted++
        } catch (error) {
          if (!(error instanceof WalletError)) throw error
          counts.refused++
        }
      }),
      { numRuns: mutated / 5 },
    )
    expect(counts.accepted).toBeGreaterThan(mutated / 100)
    expect(counts.refused).toBeGreaterThan(mutated / 20)
    tellMutated(counts, 'calldatas of short forms')
  })
})

// Five of seven public router calls in the ERC-7730 registry (recorded.test.ts) end with a four-byte tag.
describe('verifySwapCalldata: tags after calldata of the public router', () => {
  const publicRouter: Address = '0x111111125421ca6dc452d289314280a0f8842a65'
  const onMainnet: SwapExpectations = {
    ...agreed,
    trade: { ...agreed.trade, chainId: 1 },
    router: publicRouter,
  }
  const tags = ['5053d367', '00000000', 'ffffffff', '07ed2379']
  const shortOnes: [string, bigint[]][] = [
    ['83800a8e', [BigInt(dai), agreed.trade.amount, agreed.floor, 7n]],
    ['8770ba91', [BigInt(dai), agreed.trade.amount, agreed.floor, 7n, 8n]],
    ['19367472', [BigInt(dai), agreed.trade.amount, agreed.floor, 7n, 8n, 9n]],
    ['e2c95c82', [BigInt(account), BigInt(dai), agreed.trade.amount, agreed.floor, 7n]],
    ['f7a70056', [BigInt(account), BigInt(dai), agreed.trade.amount, agreed.floor, 7n, 8n, 9n]],
  ]
  const wordsOf = (values: bigint[]) => values.map((value) => value.toString(16).padStart(64, '0')).join('')
  const honest: SwapTransaction[] = [
    answer(onMainnet),
    answer(onMainnet, {}, `0x${'5a'.repeat(32)}`),
    ...shortOnes.map(([selector, values]) => ({
      ...answer(onMainnet),
      data: `0x${selector}${wordsOf(values)}` as Hex,
    })),
  ]
  const behind = (transaction: SwapTransaction, bytes: string): SwapTransaction => ({
    ...transaction,
    data: `${transaction.data}${bytes}` as Hex,
  })
  const read = (transaction: SwapTransaction, agreement = onMainnet) =>
    verifySwapCalldata(transaction, agreement, { strict: false, isBindingRouter: true, deadlines })

  it.each(tags)('accepts the four-byte tag %s without a change of the terms', (tag) => {
    for (const plain of honest) expect(read(behind(plain, tag))).toEqual(read(plain))
    const shouted = behind(honest[0]!, tag).data.toUpperCase().replace('0X', '0x') as Hex
    expect(read({ ...honest[0]!, data: shouted }).floor).toBe(agreed.floor)
  })

  it('rejects any other number of trailing bytes', () => {
    for (const plain of honest) {
      for (let count = 1; count <= 100; count++) {
        if (count === 4) continue
        for (const byte of ['00', '5f']) {
          const { facts } = refusal(behind(plain, byte.repeat(count)), onMainnet, false)
          expect([count, facts.fact]).toEqual([count, 'encoding'])
        }
      }
    }
  })

  it('rejects tags at the built-in router, at a pinned one and on a chain without the public router', () => {
    const ours: SwapExpectations = {
      ...agreed,
      trade: { ...agreed.trade, chainId: 31337 },
      router: '0xadcc95d85c30dd4eddcfc39e9fdb81473b509bb3',
    }
    const pinned: SwapExpectations = { ...onMainnet, router: thief }
    const elsewhere: SwapExpectations = { ...onMainnet, trade: { ...onMainnet.trade, chainId: 31337 } }
    for (const agreement of [ours, pinned, elsewhere]) {
      for (const plain of honest) {
        const there = { ...plain, trade: agreement.trade, to: agreement.router }
        expect(read(there, agreement).floor).toBe(agreed.floor)
        expect(refusal(behind(there, '5053d367'), agreement, false).facts.fact).toBe('encoding')
      }
    }
  })

  it(`accepts of ${mutated / 5} tagged mutations only those accepted without the tag`, () => {
    const change = fc.record({
      which: fc.nat(honest.length - 1),
      tag: fc.constantFrom(...tags),
      place,
      flip: fc.integer({ min: 1, max: 255 }),
    })
    const verdict = (transaction: SwapTransaction) => {
      try {
        return read(transaction)
      } catch (error) {
        if (error instanceof WalletError) return error.facts.fact
        throw error
      }
    }
    const counts = { accepted: 0, refused: 0 }
    fc.assert(
      fc.property(change, ({ which, tag, place, flip }) => {
        const bytes = Buffer.from(honest[which]!.data.slice(2), 'hex')
        const at = Math.floor(place * bytes.length)
        bytes[at]! ^= flip
        const plain = { ...honest[which]!, data: `0x${bytes.toString('hex')}` as Hex }
        const found = verdict(plain)
        expect(verdict(behind(plain, tag))).toEqual(found)
        counts[typeof found === 'object' ? 'accepted' : 'refused']++
      }),
      { numRuns: mutated / 5 },
    )
    expect(counts.accepted).toBeGreaterThan(mutated / 100)
    expect(counts.refused).toBeGreaterThan(mutated / 20)
    figure('41', `${mutated / 5} mutated calldatas with four bytes behind them: each taken as it is without`)
  })

  it('rejects calldata cut to the length of a tagged call', () => {
    const [plain] = honest
    // Cut to the length of a plain call with a tag.
    const cut = { ...plain!, data: plain!.data.slice(0, -56) as Hex }
    expect(refusal(cut, onMainnet, false).facts.fact).toBe('encoding')
  })
})
