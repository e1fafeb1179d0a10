import { toFunctionSelector } from 'viem'
import { describe, expect, it } from 'vitest'
import { directSelector, readDirectTerms } from '../../../src/background/swap/verifyDirect.ts'
import type { SwapExpectations } from '../../../src/domain/swap/simulationCheck.ts'
import { type Address, type Hex, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import {
  legV2,
  legV3,
  multicall,
  multicallAbi,
  permitDai,
  permitEip2612,
  refund,
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
  friend,
  link,
  ofEther,
  permitted,
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

describe('verifySwapCalldata: direct swaps', () => {
  it('starts with multicall(uint256,bytes[])', () => {
    expect(directSelector).toBe(toFunctionSelector('multicall(uint256,bytes[])'))
  })

  it.each<[string, Hex[], SwapExpectations]>([
    ['a path of one v3 pool', [single], agreed],
    ['a path of three v3 pools', [legV3({ ...plain, tokens: [usdc, weth, usdt, dai] })], agreed],
    ['a path of one v2 pair', [legV2(plain)], agreed],
    ['a path of two v2 pairs', [legV2({ ...plain, tokens: [usdc, weth, dai] })], agreed],
    ['a split of two', split, agreed],
    [
      'a split of three, one through v2 pairs',
      [
        part(500n),
        part(300n, [usdc, usdt, dai]),
        legV2({ tokens: [usdc, weth, dai], to: toRouter, amount: 200n }),
        sweep(dai, floor, account),
      ],
      agreed,
    ],
    ['one path, paid out by the router', [part(amount), sweep(dai, floor, account)], agreed],
    ['sold native tokens', [legV3({ ...plain, tokens: [weth, dai] }), refund()], ofEther],
    [
      'sold native tokens in a split',
      [part(600n, [weth, dai]), part(400n, [weth, usdc, dai]), sweep(dai, floor, account), refund()],
      ofEther,
    ],
    ['bought native tokens', [part(amount, [usdc, weth]), unwrap(floor, account)], forEther],
    [
      'bought native tokens of a split',
      [part(1n, [usdc, weth]), part(999n, [usdc, dai, weth]), unwrap(floor, account)],
      forEther,
    ],
    ['an EIP-2612 permit', [permitEip2612(usdc, amount), single], permitted],
    [
      'a DAI permit',
      [permitDai(dai), legV3({ ...plain, tokens: [dai, usdc] })],
      agree({ sell: dai, buy: usdc }, { permission: permitted.permission }),
    ],
    ['a permit before a split', [permitEip2612(usdc, amount), ...split], permitted],
  ])('accepts %s as binding', (_name, calls, agreement) => {
    expect(verifyDirect(multicall(calls), agreement)).toEqual(binding)
  })

  it('reads exactly the terms of a split of native tokens', () => {
    const calls = [part(600n, [weth, usdc]), part(401n, [weth, dai, usdc]), sweep(usdc, 7n, friend), refund()]
    expect(readDirectTerms(multicall(calls, 1_234n), direct)).toEqual({
      sell: nativeTokenAddress,
      buy: usdc,
      amount: 1_001n,
      floor: 7n,
      receiver: friend,
      deadline: 1_234n,
      isPermitted: false,
      isClosed: true,
    })
  })

  it('reads the minimum that is above the agreed one', () => {
    expect(verifyDirect(multicall([legV3({ ...plain, min: 777n })]))).toEqual({
      floor: 777n,
      isBinding: true,
    })
  })

  it('accepts another recipient only if it is the agreed one', () => {
    const agreement = agree({}, { receiver: friend })
    const paid = [legV3({ ...plain, to: friend })]
    expect(verifyDirect(multicall(paid), agreement)).toEqual(binding)
    expect(factOf(multicall(paid))).toBe('receiver')
    expect(factOf(multicall([single]), agreement)).toBe('receiver')
  })

  it('accepts hex in any letter case', () => {
    expect(verifyDirect(`0x${multicall(split).slice(2).toUpperCase()}`)).toEqual(binding)
  })
})

describe('verifySwapCalldata: direct swaps that bind nobody', () => {
  it('does not treat native tokens sold for an untrusted token as binding', () => {
    const agreement = agree({ sell: nativeTokenAddress, buy: link })
    const tokens = [weth, link]
    for (const calls of [
      [legV3({ ...plain, tokens }), refund()],
      [legV3({ ...plain, tokens: [weth, usdc, link] }), refund()],
      [part(600n, tokens), part(400n, [weth, dai, link]), sweep(link, floor, account), refund()],
    ])
      expect(verifyDirect(multicall(calls), agreement)).toEqual({ floor, isBinding: false })
  })

  it('treats an untrusted bought token as binding only where the router measures what arrives', () => {
    const agreement = agree({ buy: link })
    const tokens = [usdc, weth, link]
    const paid = [legV2({ ...plain, tokens })]
    expect(verifyDirect(multicall(paid), agreement)).toEqual(binding)
    for (const calls of [
      [legV3({ ...plain, tokens })],
      [legV2({ tokens, to: toRouter, amount }), sweep(link, floor, account)],
      [part(600n, tokens), part(400n, tokens), sweep(link, floor, account)],
    ])
      expect(verifyDirect(multicall(calls), agreement)).toEqual({ floor, isBinding: false })
  })

  it('treats an untrusted sold token as binding', () => {
    const agreement = agree({ sell: link, buy: nativeTokenAddress })
    const calls = [part(600n, [link, weth]), part(400n, [link, usdc, weth]), unwrap(floor, account)]
    expect(verifyDirect(multicall(calls), agreement)).toEqual(binding)
  })

  it('reads the multicall only of the router of direct swaps', () => {
    expect(factOf(multicall([single]), { ...agreed, router: thief }, { to: thief })).toBe('selector')
    expect(multicallAbi[0].name).toBe('multicall')
  })
})
