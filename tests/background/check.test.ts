import fc from 'fast-check'
import { encodeFunctionData, getAddress, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import { type Agreement, approval, checkApproval, checkSwap } from '../../src/background/check.ts'
import { type Address, type Hex, native } from '../../src/domain/token.ts'
import { leastReturn, type SwapTransaction } from '../../src/domain/trade.ts'
import { WalletError } from '../../src/errors.ts'

// The shape of contracts/ISwapRouter.sol, written down a second time.
const abi = parseAbi([
  'function swap(address executor, (address srcToken, address dstToken, address srcReceiver, address dstReceiver, uint256 amount, uint256 minReturnAmount, uint256 flags) desc, bytes data) payable returns (uint256, uint256)',
])

const account: Address = '0xa11ce00000000000000000000000000000000001'
const thief: Address = '0xbad0000000000000000000000000000000000002'
const router: Address = '0x1111111254eeb25477b68fb85ed929f73a960582'
const dai: Address = '0x6b175474e89094c44da98b954eedeac495271d0f'
const weth: Address = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'
const zero: Address = '0x0000000000000000000000000000000000000000'

const agreed: Agreement = {
  account,
  trade: { chainId: 31337, sell: dai, buy: weth, amount: 10n ** 21n },
  floor: 5n * 10n ** 17n,
  router,
}

type Description = {
  srcToken: Address
  dstToken: Address
  srcReceiver: Address
  dstReceiver: Address
  amount: bigint
  minReturnAmount: bigint
  flags: bigint
}

/** What an honest service answers to `agreement`, with `changes`. */
function answer(
  agreement: Agreement = agreed,
  changes: Partial<Description> = {},
  data: Hex = '0x0102030405',
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
    data: encodeFunctionData({ abi, functionName: 'swap', args: [agreement.router, desc, data] }),
    value: trade.sell === native ? trade.amount : 0n,
    gas: 200_000n,
    route: [],
  }
}

function refusal(transaction: SwapTransaction, agreement: Agreement = agreed): WalletError {
  try {
    checkSwap(transaction, agreement)
  } catch (error) {
    if (error instanceof WalletError) return error
    throw error
  }
  throw new Error('The transaction was accepted.')
}

describe('checkSwap', () => {
  it('accepts an honest answer and reads the floor from its calldata', () => {
    expect(checkSwap(answer(), agreed)).toBe(agreed.floor)
    expect(checkSwap(answer(agreed, { minReturnAmount: agreed.floor + 7n }), agreed)).toBe(agreed.floor + 7n)
  })

  it('accepts the zero receiver, which means the sender', () => {
    expect(checkSwap(answer(agreed, { dstReceiver: zero }), agreed)).toBe(agreed.floor)
  })

  it('accepts addresses and hex in any letter case', () => {
    const honest = answer()
    const shouted = { ...honest, to: getAddress(router), from: getAddress(account) }
    expect(checkSwap(shouted, agreed)).toBe(agreed.floor)
    const data = `0x${honest.data.slice(2).toUpperCase()}` as Hex
    expect(checkSwap({ ...honest, data }, agreed)).toBe(agreed.floor)
  })

  it('wants the amount as value when the coin itself is sold', () => {
    const coins = { ...agreed, trade: { ...agreed.trade, sell: native } }
    expect(checkSwap(answer(coins), coins)).toBe(agreed.floor)
    expect(refusal({ ...answer(coins), value: 0n }, coins).facts).toMatchObject({ fact: 'value', found: '0' })
    expect(refusal({ ...answer(coins), value: coins.trade.amount + 1n }, coins).code).toBe(
      'unsafe-transaction',
    )
  })

  it.each<[string, Partial<SwapTransaction>, string]>([
    ['sender', { from: thief }, 'It would be sent from another account.'],
    ['router', { to: thief }, 'It goes to another contract than the router you reviewed.'],
    ['value', { value: 1n }, 'It sends another amount of coins along.'],
  ])('refuses another %s', (fact, change, sentence) => {
    const error = refusal({ ...answer(), ...change })
    expect(error.code).toBe('unsafe-transaction')
    expect(error.facts).toMatchObject({ fact })
    expect(error.message).toContain(sentence)
  })

  it.each<[string, Partial<Description>, string]>([
    ['sell', { srcToken: weth }, 'It sells another token.'],
    ['buy', { dstToken: dai }, 'It buys another token.'],
    ['amount', { amount: agreed.trade.amount + 1n }, 'It sells another amount.'],
    ['receiver', { dstReceiver: thief }, 'It pays what was bought to somebody else.'],
    ['flags', { flags: 1n }, 'It sets flags that change how the router works.'],
  ])('refuses calldata with another %s', (fact, change, sentence) => {
    const error = refusal(answer(agreed, change))
    expect(error.code).toBe('unsafe-transaction')
    expect(error.facts).toMatchObject({ fact })
    expect(error.message).toContain(sentence)
  })

  it('refuses a floor that is one unit too low, with both numbers', () => {
    const error = refusal(answer(agreed, { minReturnAmount: agreed.floor - 1n }))
    expect(error.code).toBe('below-floor')
    expect(error.facts).toEqual({ expected: '500000000000000000', found: '499999999999999999' })
  })

  it('refuses every floor below the accepted one, for 10,000 quotes and slippages', () => {
    const quote = fc.bigInt(10_000n, 2n ** 128n)
    const slippage = fc.integer({ min: 1, max: 5_000 })
    const short = fc.bigInt(1n, 2n ** 64n)
    fc.assert(
      fc.property(quote, slippage, short, (returns, slippageBps, less) => {
        const agreement = { ...agreed, floor: leastReturn(returns, slippageBps) }
        expect(checkSwap(answer(agreement), agreement)).toBe(agreement.floor)
        const minReturnAmount = agreement.floor > less ? agreement.floor - less : 0n
        expect(refusal(answer(agreement, { minReturnAmount }), agreement).code).toBe('below-floor')
      }),
      { numRuns: 10_000 },
    )
  })

  it('refuses other functions of the router, by their selectors', () => {
    // unoswap, unoswapTo, ethUnoswap, permitAndCall, and approve of a token.
    for (const selector of ['83800a8e', 'e2c95c82', 'a76dfc3b', '5816d723', '095ea7b3', '00000000']) {
      const data = `0x${selector}${answer().data.slice(10)}` as Hex
      expect(refusal({ ...answer(), data }).message).toContain('a function that the wallet does not know')
    }
    expect(refusal({ ...answer(), data: '0x' }).code).toBe('unsafe-transaction')
    expect(refusal({ ...answer(), data: '0x07ed2379' }).message).toContain('cannot be read')
  })

  it('refuses 20,000 mutated calldatas', () => {
    const honest = answer()
    const bytes = Buffer.from(honest.data.slice(2), 'hex')
    const compared = comparedPositions(bytes.length)
    const change = fc.record({
      at: fc.constantFrom(...compared),
      flip: fc.integer({ min: 1, max: 255 }),
      // Most mutations change one byte; some cut or lengthen the calldata as well.
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
      { numRuns: 20_000 },
    )
    expect(refused).toBe(20_000)
  })

  it('refuses bytes behind the calldata, even zeros', () => {
    for (const tail of ['00', '00'.repeat(32), 'ff', '01'.repeat(64)]) {
      expect(refusal({ ...answer(), data: `${answer().data}${tail}` as Hex }).code).toBe('unsafe-transaction')
    }
  })

  it('accepts 1,000 honest answers', () => {
    const bytes = fc
      .uint8Array({ maxLength: 600 })
      .map((data): Hex => `0x${Buffer.from(data).toString('hex')}`)
    const amount = fc.bigInt(1n, 2n ** 256n - 1n)
    fc.assert(
      fc.property(bytes, amount, amount, fc.boolean(), (data, sold, floor, sellsCoin) => {
        const trade = { ...agreed.trade, sell: sellsCoin ? native : dai, amount: sold }
        const agreement = { ...agreed, trade, floor }
        expect(checkSwap(answer(agreement, {}, data), agreement)).toBe(floor)
      }),
      { numRuns: 1_000 },
    )
  })
})

/**
 * The bytes of the calldata that the check compares, so that any other value must be refused: all but the executor, the source
 * receiver and the content of `data`. Of `minReturnAmount` only bytes that cannot rise are mutated elsewhere.
 */
function comparedPositions(length: number): number[] {
  const word = (index: number) => 4 + 32 * index
  const free = [
    [word(0) + 12, word(1)], // executor
    [word(3) + 12, word(4)], // srcReceiver
    [word(6), word(7)], // minReturnAmount: a higher one is welcome
    [word(10) - 1, word(10) + 5], // data and the last byte of its length: zeros behind it may be read as more data
  ] as const
  const all = Array.from({ length }, (_, at) => at)
  return all.filter((at) => !free.some(([from, to]) => at >= from && at < to))
}

describe('approval', () => {
  it('is encoded by hand as EIP-20 says', () => {
    expect(approval(dai, router, 255n)).toEqual({
      to: dai,
      data: `0x095ea7b3${'0'.repeat(24)}${router.slice(2)}${'0'.repeat(62)}ff`,
      value: 0n,
    })
  })

  it('agrees with an honest service', () => {
    const ours = approval(dai, router, 5n)
    expect(() => checkApproval({ ...ours, gasPrice: 1n }, ours)).not.toThrow()
  })

  it.each([
    ['token', { ...approval(weth, router, 5n) }],
    ['data', { ...approval(dai, thief, 5n) }],
    ['data', { ...approval(dai, router, 2n ** 256n - 1n) }],
    ['value', { ...approval(dai, router, 5n), value: 1n }],
  ])('refuses an approval with another %s', (fact, theirs) => {
    const check = () => checkApproval({ ...theirs, gasPrice: 1n }, approval(dai, router, 5n))
    expect(check).toThrow(
      expect.objectContaining({ code: 'unsafe-transaction', facts: expect.objectContaining({ fact }) }),
    )
  })
})
