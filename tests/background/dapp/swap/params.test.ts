import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { nativeTokenAddress } from '../../../../src/domain/token/token.ts'
import { WalletError } from '../../../../src/errors.ts'
import {
  account,
  asker,
  caught,
  createSwapStage,
  loner,
  nobody,
  usdc,
  weth,
} from '../../../helpers/background/swapStage.ts'

let stage: Awaited<ReturnType<typeof createSwapStage>>

beforeEach(async () => {
  stage = await createSwapStage()
  await stage.connect()
})

const later = 1_800_000_060

describe('wallet_swap parameters', () => {
  const bad: [string, unknown, string][] = [
    ['text', 'swap', 'params'],
    ['a number', 7, 'params'],
    ['an object without a list', { amount: '1' }, 'params'],
    ['two requests', [{}, {}], 'params'],
    ['a request that is text', ['0x'], 'params'],
    ['a request that is a list', [[]], 'params'],
    ['an unknown key', [{ recipient: account }], 'recipient'],
    ['a symbol', [{ symbol: 'USDC' }], 'symbol'],
    ['an upper-case key', [{ Amount: '1', token: weth }], 'Amount'],
    ['a key of the prototype', [JSON.parse('{"__proto__":{"a":1}}')], '__proto__'],
    ['a token that is a symbol', [{ token: 'WETH' }], 'token'],
    ['a token that is a number', [{ token: 5 }], 'token'],
    ['a token that is null', [{ token: null }], 'token'],
    ['an empty token', [{ token: '' }], 'token'],
    ['a short token', [{ token: weth.slice(0, -1) }], 'token'],
    ['a long token', [{ token: `${weth}0` }], 'token'],
    ['a token with a space in it', [{ token: `${weth.slice(0, 9)} ${weth.slice(9)}` }], 'token'],
    ['an amount with a space in it', [{ token: usdc, amount: '1 5' }], 'amount'],
    ['an amount of white space', [{ token: usdc, amount: ' ' }], 'amount'],
    ['a pair that is no address', [{ pairToken: '0xzz' }], 'pairToken'],
    ['CAIP-19 of another chain', [{ token: `eip155:8453/erc20:${weth}` }], 'token'],
    [
      'CAIP-19 of another chain than chainId',
      [{ chainId: 31337, pairToken: 'eip155:1/slip44:60' }],
      'pairToken',
    ],
    ['CAIP-19 of another namespace', [{ token: 'solana:1/slip44:501' }], 'token'],
    ['CAIP-19 of another coin', [{ token: 'eip155:1/slip44:966' }], 'token'],
    ['CAIP-19 of an NFT', [{ token: `eip155:1/erc721:${weth}` }], 'token'],
    ['CAIP-10', [{ token: `eip155:1:${weth}` }], 'token'],
    ['the same token twice', [{ token: weth, pairToken: weth }], 'pairToken'],
    [
      'the same token in two cases',
      [{ token: weth, pairToken: weth.toUpperCase().replace('0X', '0x') }],
      'pairToken',
    ],
    [
      'the same token in two ways',
      [{ token: nativeTokenAddress, pairToken: 'eip155:1/slip44:60' }],
      'pairToken',
    ],
    ['a token that does not exist', [{ token: nobody }], 'token'],
    ['a pair that does not exist', [{ token: weth, pairToken: nobody }], 'pairToken'],
    ['another type', [{ type: 'swap' }], 'type'],
    ['a type in capitals', [{ type: 'SELL' }], 'type'],
    ['a type that is null', [{ type: null }], 'type'],
    ['an amount without token', [{ amount: '1' }], 'amount'],
    ['an amount with only the pair', [{ amount: '1', pairToken: weth }], 'amount'],
    ['an amount that is a number', [{ token: weth, amount: 1 }], 'amount'],
    ['an amount of zero', [{ token: weth, amount: '0' }], 'amount'],
    ['an amount of zero with a fraction', [{ token: weth, amount: '0.000' }], 'amount'],
    ['a negative amount', [{ token: weth, amount: '-1' }], 'amount'],
    ['a sign', [{ token: weth, amount: '+1' }], 'amount'],
    ['an exponent', [{ token: weth, amount: '1e18' }], 'amount'],
    ['hex', [{ token: weth, amount: '0x10' }], 'amount'],
    ['a comma', [{ token: weth, amount: '1,5' }], 'amount'],
    ['a thousands mark', [{ token: weth, amount: '1_000' }], 'amount'],
    ['two points', [{ token: weth, amount: '1.2.3' }], 'amount'],
    ['an open end', [{ token: weth, amount: '1.' }], 'amount'],
    ['an open start', [{ token: weth, amount: '.5' }], 'amount'],
    ['an empty amount', [{ token: weth, amount: '' }], 'amount'],
    ['Arabic digits', [{ token: weth, amount: '١' }], 'amount'],
    ['not a number', [{ token: weth, amount: 'NaN' }], 'amount'],
    ['infinity', [{ token: weth, amount: 'Infinity' }], 'amount'],
    ['a digit too many for USDC', [{ token: usdc, amount: '1.0000001' }], 'amount'],
    ['a zero too many for USDC', [{ token: usdc, amount: '1.0000000' }], 'amount'],
    ['a digit too many for a token off the list', [{ token: loner, amount: '1.005' }], 'amount'],
    ['more than any token', [{ token: weth, amount: '9'.repeat(70) }], 'amount'],
    ['a page of digits', [{ token: weth, amount: '1'.repeat(100_000) }], 'amount'],
    ['slippage above one', [{ slippage: 1.01 }], 'slippage'],
    ['slippage below zero', [{ slippage: -0.01 }], 'slippage'],
    ['no slippage', [{ slippage: 0 }], 'slippage'],
    ['slippage finer than the wallet knows', [{ slippage: 0.00009 }], 'slippage'],
    ['slippage as text', [{ slippage: '0.01' }], 'slippage'],
    ['slippage that is null', [{ slippage: null }], 'slippage'],
    ['a chain of zero', [{ chainId: 0 }], 'chainId'],
    ['a chain below zero', [{ chainId: -1 }], 'chainId'],
    ['half a chain', [{ chainId: 1.5 }], 'chainId'],
    ['a chain in decimal text', [{ chainId: '1' }], 'chainId'],
    ['an empty hex chain', [{ chainId: '0x' }], 'chainId'],
    ['a hex chain of zero', [{ chainId: '0x0' }], 'chainId'],
    ['a chain that is too large', [{ chainId: '0xffffffffffffff' }], 'chainId'],
    ['a chain that is true', [{ chainId: true }], 'chainId'],
    ['from that is no address', [{ from: 'me' }], 'from'],
    ['from that is a list', [{ from: [account] }], 'from'],
    [
      'minReceived with buy',
      [{ type: 'buy', token: weth, pairToken: usdc, minReceived: '1' }],
      'minReceived',
    ],
    ['minReceived of nothing known', [{ token: weth, minReceived: '1' }], 'minReceived'],
    ['minReceived of zero', [{ token: weth, pairToken: usdc, minReceived: '0' }], 'minReceived'],
    ['minReceived that is a number', [{ token: weth, pairToken: usdc, minReceived: 1 }], 'minReceived'],
    ['minReceived too fine', [{ token: weth, pairToken: usdc, minReceived: '0.0000001' }], 'minReceived'],
    ['an expiry in the past', [{ expiry: 1_700_000_000 }], 'expiry'],
    ['an expiry of now', [{ expiry: 1_800_000_000 }], 'expiry'],
    ['an expiry that nobody can keep', [{ expiry: 1_800_000_029 }], 'expiry'],
    ['half a second', [{ expiry: later + 0.5 }], 'expiry'],
    ['an expiry as text', [{ expiry: String(later) }], 'expiry'],
    ['an expiry in milliseconds', [{ expiry: later * 1_000 }], 'expiry'],
    ['an endless expiry', [{ expiry: 1e300 }], 'expiry'],
    ['an empty id', [{ id: '' }], 'id'],
    ['a long id', [{ id: 'a'.repeat(129) }], 'id'],
    ['an id that is a number', [{ id: 7 }], 'id'],
  ]
  it.each(bad)('rejects %s', async (_name, params, field) => {
    const error = await caught(stage.method(asker(), params))
    expect(error).toBeInstanceOf(WalletError)
    expect(error).toMatchObject({ code: 'invalid-params', message: expect.stringMatching(`^${field}: `) })
    expect(await stage.approvals.list()).toEqual([])
    expect(stage.opened()).toBe(0)
  })

  const good: [string, unknown, Record<string, unknown>][] = [
    ['nothing', undefined, { type: 'sell', chainId: 1, from: account }],
    ['null', null, {}],
    ['an empty list', [], {}],
    ['a list of null', [null], {}],
    ['an empty request', [{}], {}],
    ['a request of undefined fields', [{ token: undefined, amount: undefined }], {}],
    ['a token of any case', [{ token: weth.toUpperCase().replace('0X', '0x') }], { token: weth }],
    ['the coin', [{ token: nativeTokenAddress }], { token: nativeTokenAddress }],
    [
      'the coin by CAIP-19',
      [{ token: 'eip155:1/slip44:60', amount: '1' }],
      { token: nativeTokenAddress, amount: 10n ** 18n },
    ],
    ['a token by CAIP-19', [{ pairToken: `eip155:1/erc20:${usdc}` }], { pairToken: usdc }],
    ['an amount', [{ token: usdc, amount: '1.5' }], { token: usdc, amount: 1_500_000n }],
    ['an amount of a token off the list', [{ token: loner, amount: '0.05' }], { amount: 5n }],
    ['leading zeros', [{ token: usdc, amount: '007.10' }], { amount: 7_100_000n }],
    [
      'a purchase',
      [{ type: 'buy', token: usdc, pairToken: weth, amount: '3' }],
      { type: 'buy', amount: 3_000_000n },
    ],
    ['a floor', [{ token: weth, pairToken: usdc, minReceived: '12.5' }], { minReceived: 12_500_000n }],
    ['half a percent', [{ slippage: 0.005 }], { slippageBps: 50 }],
    ['a float that is a bit short', [{ slippage: 0.0029 }], { slippageBps: 29 }],
    ['a slippage between', [{ slippage: 0.00509 }], { slippageBps: 50 }],
    ['the least slippage', [{ slippage: 0.0001 }], { slippageBps: 1 }],
    ['all slippage', [{ slippage: 1 }], { slippageBps: 10_000 }],
    ['a hex chain', [{ chainId: '0x7A69' }], { chainId: 31337 }],
    ['a number chain', [{ chainId: 31337 }], { chainId: 31337 }],
    ['from in any case', [{ from: account.toUpperCase().replace('0X', '0x') }], { from: account }],
    [
      'white space around texts, as every other method does',
      [
        {
          token: ` ${usdc}\n`,
          pairToken: `\teip155:31337/erc20:${weth} `,
          amount: ' 1.5 ',
          minReceived: '\n2',
          chainId: ' 0x7A69 ',
          from: `${account} `,
        },
      ],
      { token: usdc, pairToken: weth, amount: 1_500_000n, minReceived: 2n * 10n ** 18n, from: account },
    ],
    ['the soonest expiry', [{ expiry: 1_800_000_030 }], {}],
    ['the longest id', [{ id: 'é'.repeat(128) }], { id: 'é'.repeat(128) }],
  ]
  it.each(good)('accepts %s', async (_name, params, expected) => {
    const answer = caught(stage.method(asker(), params))
    const { ask } = await stage.shown()
    expect(ask.request).toMatchObject(expected)
    await stage.approvals.rejectAll()
    expect(await answer).toMatchObject({ code: 'rejected', facts: { reason: 'rejected' } })
  })

  it('fails arbitrary params of an unconnected site only with invalid-params or not-connected', async () => {
    const field = fc.constantFrom(
      'token',
      'pairToken',
      'type',
      'amount',
      'slippage',
      'chainId',
      'expiry',
      'minReceived',
    )
    const value = fc.oneof(
      fc.anything(),
      fc.constantFrom(weth, usdc, 'sell', 'buy', '1.5', '0x1', 1, 0.5),
      fc.double(),
      fc.string({ unit: 'binary' }),
    )
    const request = fc.dictionary(field, value)
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.anything(), fc.tuple(fc.anything()), fc.tuple(request)),
        async (params) => {
          // Valid params only fail at the missing connection.
          const error = await caught(stage.method({ ...asker(), origin: 'https://other.example' }, params))
          expect(error).toBeInstanceOf(WalletError)
          expect(['invalid-params', 'not-connected']).toContain((error as WalletError).code)
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it('keeps the request open until its expiry, at most one day', async () => {
    caught(stage.method(asker(), [{ expiry: later }]))
    expect((await stage.shown()).expiresAt).toBe(later * 1_000)
    await stage.approvals.rejectAll()
    caught(stage.method(asker(2), [{ expiry: 4_000_000_000 }]))
    expect((await stage.shown()).expiresAt).toBe(1_800_000_000_000 + 86_400_000)
  })
})
