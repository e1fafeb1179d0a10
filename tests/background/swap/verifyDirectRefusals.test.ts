import { concatHex, encodeFunctionData, toFunctionSelector } from 'viem'
import { describe, expect, it } from 'vitest'
import { directSelector } from '../../../src/background/swap/verifyDirect.ts'
import type { SwapExpectations } from '../../../src/domain/swap/simulationCheck.ts'
import type { Address, Hex } from '../../../src/domain/token/token.ts'
import {
  legV2,
  legV3,
  multicall,
  otherRouterAbi,
  permitDai,
  permitEip2612,
  refund,
  swapRouterAbi,
  sweep,
  toRouter,
  unwrap,
} from '../../helpers/samples/directCalls.ts'

import {
  account,
  agree,
  agreed,
  amount,
  dai,
  direct,
  factOf,
  floor,
  forEther,
  link,
  ofEther,
  permitted,
  refusal,
  thief,
  usdc,
  usdt,
  verifyDirect,
  weth,
} from '../../helpers/samples/directTerms.ts'

const binding = { floor, isBinding: true }

const plain = { tokens: [usdc, dai], to: account, amount, min: floor }
const single = legV3(plain)
/** One leg of a split. */
const part = (sold: bigint, tokens: Address[] = [usdc, dai], to = toRouter, min = 0n) =>
  legV3({ tokens, to, amount: sold, min })
const split = [part(600n), part(400n, [usdc, weth, dai]), sweep(dai, floor, account)]

describe('verifySwapCalldata: refused direct swaps', () => {
  it.each<[string, string, Hex[], SwapExpectations?]>([
    ['no leg', 'encoding', []],
    ['a payout alone', 'encoding', [sweep(dai, floor, account)]],
    ['four legs', 'encoding', [part(250n), part(250n), part(250n), part(250n), sweep(dai, floor, account)]],
    ['a permit behind the leg', 'encoding', [single, permitEip2612(usdc, amount)], permitted],
    [
      'two permits',
      'encoding',
      [permitEip2612(usdc, amount), permitEip2612(usdc, amount), single],
      permitted,
    ],
    ['a payout before the legs', 'encoding', [split[2]!, split[0]!, split[1]!]],
    ['a payout between the legs', 'encoding', [split[0]!, split[2]!, split[1]!]],
    ['two payouts', 'encoding', [...split, sweep(dai, floor, account)]],
    ['a payout of the wrapped and of the bought token', 'encoding', [...split, unwrap(0n, thief)]],
    ['a refund before the leg', 'encoding', [refund(), legV3({ ...plain, tokens: [weth, dai] })], ofEther],
    ['two refunds', 'encoding', [legV3({ ...plain, tokens: [weth, dai] }), refund(), refund()], ofEther],
    ['a multicall inside', 'selector', [multicall([single])]],
    ['an empty call', 'selector', ['0x', single]],
    ['a call of three bytes', 'selector', [single, '0x12210e']],

    ['an untrusted token in a path', 'path', [legV3({ ...plain, tokens: [usdc, link, dai] })]],
    ['an untrusted token in a v2 path', 'path', [legV2({ ...plain, tokens: [usdc, link, dai] })]],
    ['an untrusted token in one leg', 'path', [part(600n), part(400n, [usdc, link, dai]), split[2]!]],
    [
      'the untrusted sold token again in the path',
      'path',
      [legV3({ ...plain, tokens: [link, weth, link, dai] })],
      agree({ sell: link }),
    ],
    [
      'the untrusted bought token before the end',
      'path',
      [legV3({ ...plain, tokens: [usdc, link, weth, link] })],
      agree({ buy: link }),
    ],
    ['a path of one token', 'path', [legV3({ ...plain, tokens: [usdc], fees: [] })]],
    ['a v2 path of one token', 'path', [legV2({ ...plain, tokens: [usdc] })]],
    ['an empty v2 path', 'path', [legV2({ ...plain, tokens: [] })]],

    ['another sold token', 'sell', [legV3({ ...plain, tokens: [usdt, dai] })]],
    ['legs that sell different tokens', 'sell', [part(600n), part(400n, [usdt, dai]), split[2]!]],
    [
      'the wrapped token instead of the native one',
      'sell',
      [legV3({ ...plain, tokens: [weth, dai] })],
      ofEther,
    ],
    [
      'a refund although the wrapped token is sold',
      'sell',
      [legV3({ ...plain, tokens: [weth, dai] }), refund()],
      agree({ sell: weth }),
    ],
    ['a refund although another token is sold', 'sell', [single, refund()]],
    ['a permit of another token', 'sell', [permitEip2612(weth, amount), single], permitted],
    [
      'a permit of the wrapped token when native ones are sold',
      'sell',
      [permitEip2612(weth, amount), legV3({ ...plain, tokens: [weth, dai] }), refund()],
      { ...ofEther, permission: permitted.permission },
    ],

    ['another bought token', 'buy', [legV3({ ...plain, tokens: [usdc, usdt] })]],
    ['legs that buy different tokens', 'buy', [part(600n), part(400n, [usdc, usdt]), split[2]!]],
    ['a payout of another token', 'buy', [part(600n), part(400n), sweep(usdt, floor, account)]],
    ['a payout of native tokens', 'buy', [part(600n), part(400n), unwrap(floor, account)]],
    [
      'the wrapped token instead of the bought native one',
      'buy',
      [part(amount, [usdc, weth]), sweep(weth, floor, account)],
      forEther,
    ],
    [
      'the native token instead of the bought wrapped one',
      'buy',
      [part(amount, [usdc, weth]), unwrap(floor, account)],
      agree({ buy: weth }),
    ],
    ['an unpaid bought native token', 'buy', [legV3({ ...plain, tokens: [usdc, weth] })], forEther],

    ['a leg that pays somebody else', 'receiver', [legV3({ ...plain, to: thief })]],
    ['a v2 leg that pays somebody else', 'receiver', [legV2({ ...plain, to: thief })]],
    [
      'one leg of a split that pays somebody else',
      'receiver',
      [part(600n), part(400n, [usdc, dai], thief), split[2]!],
    ],
    [
      'one leg of a split that pays the account',
      'receiver',
      [part(600n), part(400n, [usdc, dai], account), split[2]!],
    ],
    ['a payout to somebody else', 'receiver', [part(600n), part(400n), sweep(dai, floor, thief)]],
    [
      'a payout of native tokens to somebody else',
      'receiver',
      [part(amount, [usdc, weth]), unwrap(floor, thief)],
      forEther,
    ],
    ['a payout that stays in the router', 'receiver', [part(600n), part(400n), sweep(dai, floor, toRouter)]],
    [
      'two legs without a payout',
      'receiver',
      [part(600n, [usdc, dai], account, 300n), part(400n, [usdc, dai], account, 200n)],
    ],
    ['a leg to the router without a payout', 'receiver', [part(amount, [usdc, dai], toRouter, floor)]],
    ['a payout although the leg pays the account', 'receiver', [single, sweep(dai, floor, account)]],

    ['more sold than agreed', 'amount', [legV3({ ...plain, amount: amount + 1n })]],
    ['less sold than agreed', 'amount', [legV3({ ...plain, amount: amount - 1n })]],
    ['parts that do not add up', 'amount', [part(600n), part(401n), split[2]!]],
    ['parts that add up only in 256 bits', 'amount', [part(2n ** 256n - 1n), part(amount + 1n), split[2]!]],
    ['the whole balance of the router', 'amount', [legV3({ ...plain, amount: 0n })]],
    [
      'the whole balance of the router in a v2 leg',
      'amount',
      [part(amount), legV2({ tokens: [usdc, dai], to: toRouter, amount: 0n }), split[2]!],
    ],

    ['a permit that was not agreed', 'permit', [permitEip2612(usdc, amount), single]],
    [
      'a permit beside an approval',
      'permit',
      [permitEip2612(usdc, amount), single],
      agree({}, { permission: { via: 'approve', amount } }),
    ],
    [
      'a permit beside Permit2',
      'permit',
      [permitDai(usdc), single],
      agree({}, { permission: { via: 'permit2', amount } }),
    ],
  ])('rejects %s (%s)', (_name, fact, calls, agreement = agreed) => {
    expect(factOf(multicall(calls), agreement)).toBe(fact)
  })

  it('rejects a minimum one unit below the agreed one, with both amounts', () => {
    const low = { expected: '500', found: '499' }
    for (const calls of [
      [legV3({ ...plain, min: 499n })],
      [part(600n), part(400n), sweep(dai, 499n, account)],
    ]) {
      const { code, facts } = refusal(multicall(calls))
      expect([code, facts]).toEqual(['below-floor', low])
    }
  })

  it('does not count the minimums of legs that the router collects', () => {
    const legs = [part(600n, [usdc, dai], toRouter, 300n), part(400n, [usdc, dai], toRouter, 300n)]
    expect(refusal(multicall([...legs, sweep(dai, 0n, account)])).facts).toEqual({
      expected: '500',
      found: '0',
    })
  })

  it('requires a deadline within the accepted range', () => {
    for (const deadline of [1_001n, 2_200n])
      expect(verifyDirect(multicall([single], deadline))).toEqual(binding)
    for (const deadline of [0n, 1_000n, 2_201n, 2n ** 256n - 1n])
      expect(factOf(multicall([single], deadline))).toBe('deadline')
  })

  it('requires the sold native tokens as value, and none otherwise', () => {
    const calls = multicall([legV3({ ...plain, tokens: [weth, dai] }), refund()])
    for (const value of [0n, amount - 1n, amount + 1n])
      expect(factOf(calls, ofEther, { value })).toBe('value')
    expect(factOf(multicall([single]), agreed, { value: 1n })).toBe('value')
    expect(factOf(multicall([single]), agreed, { from: thief })).toBe('sender')
    expect(factOf(multicall([single]), agreed, { to: thief })).toBe('router')
  })

  it('rejects every other function of the router, outside and inside', () => {
    const rest = (data: Hex) => data.slice(10)
    for (const { type, ...item } of otherRouterAbi) {
      const selector = toFunctionSelector({ type, ...item })
      const found = { fact: 'selector', found: selector }
      expect(refusal(`${selector}${rest(multicall([single]))}`).facts).toMatchObject(found)
      expect(refusal(multicall([`${selector}${rest(single)}`])).facts).toEqual(found)
      expect(refusal(multicall([single, selector])).facts).toEqual(found)
    }
    for (const item of swapRouterAbi) {
      const selector = toFunctionSelector(item)
      expect(factOf(`${selector}${rest(multicall([single]))}`)).toBe('selector')
    }
    expect(factOf('0x')).toBe('selector')
    expect(factOf(single)).toBe('selector')
    expect(factOf(directSelector)).toBe('encoding')
  })

  it('rejects v2 pairs where the network has no v2 factory', () => {
    const { v2Factory: _, ...withoutV2 } = direct
    for (const calls of [
      [legV2(plain)],
      [part(600n), legV2({ ...plain, to: toRouter, amount: 400n }), split[2]!],
    ])
      expect(factOf(multicall(calls), agreed, {}, withoutV2)).toBe('selector')
    expect(verifyDirect(multicall(split), agreed, {}, withoutV2)).toEqual(binding)
  })

  it('rejects bytes behind the calldata or a call, and missing ones', () => {
    for (const tail of ['00', '00'.repeat(32), 'ff', '01'.repeat(64)] as const) {
      expect(factOf(`${multicall(split)}${tail}`)).toBe('encoding')
      const calls: [Hex[], SwapExpectations][] = [
        [[single], agreed],
        [[legV2(plain)], agreed],
        [split, agreed],
        [[part(amount, [usdc, weth]), unwrap(floor, account)], forEther],
        [[legV3({ ...plain, tokens: [weth, dai] }), refund()], ofEther],
        [[permitEip2612(usdc, amount), single], permitted],
        [[permitDai(usdc), single], permitted],
      ]
      for (const [honest, agreement] of calls) {
        honest.forEach((call, at) => {
          const longer = honest.with(at, concatHex([call, `0x${tail}`]))
          expect(factOf(multicall(longer), agreement)).toBe('encoding')
          const shorter = honest.with(at, call.slice(0, -tail.length) as Hex)
          expect(factOf(multicall(shorter), agreement)).toMatch(/^(encoding|selector)$/)
        })
      }
    }
    expect(factOf(multicall(split).slice(0, -2) as Hex)).toBe('encoding')
    expect(factOf(multicall(split).slice(0, -64) as Hex)).toBe('encoding')
  })

  it('rejects dirty padding and offsets that no encoder writes', () => {
    const data = multicall([single])
    const recipient = account.slice(2).padStart(64, '0')
    expect(data.split(recipient)).toHaveLength(2)
    expect(factOf(data.replace(recipient, `01${recipient.slice(2)}`) as Hex)).toBe('encoding')
    // The last bytes pad the call, which ends in the padding of its path.
    for (const at of [2, 56, 58, 98]) expect(factOf(withByte(data, data.length - at))).toBe('encoding')
    // The first call one word later, behind a word that nothing reads.
    const words = data.slice(10).match(/.{64}/g) ?? []
    expect([words[1], words[3]].map((word) => BigInt(`0x${word}`))).toEqual([64n, 32n])
    const moved = [...words.slice(0, 3), toWord(64n), toWord(0n), ...words.slice(4)]
    expect(factOf(`${directSelector}${moved.join('')}`)).toBe('encoding')
    // Two calls that share their bytes.
    const shared = [...words.slice(0, 2), toWord(2n), toWord(64n), toWord(64n), ...words.slice(4)]
    expect(factOf(`${directSelector}${shared.join('')}`)).toBe('encoding')
  })

  it('rejects a v3 path with bytes that are no pool', () => {
    const exactInput = (path: Hex) => {
      const params = { path, recipient: account, amountIn: amount, amountOutMinimum: floor }
      return encodeFunctionData({ abi: swapRouterAbi, functionName: 'exactInput', args: [params] })
    }
    const path: Hex = `${usdc}0001f4${dai.slice(2)}`
    expect(verifyDirect(multicall([exactInput(path)]))).toEqual(binding)
    for (const other of [
      '0x',
      usdc,
      path.slice(0, -2),
      `${path}00`,
      `${path}0001f4`,
      path.slice(0, 48),
    ] as Hex[])
      expect(factOf(multicall([exactInput(other)]))).toBe('path')
  })
})

const toWord = (value: bigint) => value.toString(16).padStart(64, '0')

/** Sets a byte of zeros. */
function withByte(data: Hex, at: number): Hex {
  expect(data.slice(at, at + 2)).toBe('00')
  return `${data.slice(0, at)}01${data.slice(at + 2)}` as Hex
}
