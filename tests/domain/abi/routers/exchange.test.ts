import { concatHex, toHex } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../../../src/domain/abi/routers/exchange.ts'
import { type Address, type Hex, nativeTokenAddress } from '../../../../src/domain/token/token.ts'
import {
  account,
  aggregated,
  dai,
  encode,
  one,
  thief,
  two,
  usdc,
  v2,
  v3,
  v3b,
  v6,
  values,
  weth,
  words,
  zero,
} from '../../../helpers/samples/callSamples.ts'

const router: Address = '0x66a9893cc07d91d95644aedd05d03f95e1dba8af'
const late = 4_000_000_000n

function exchangeOf(to: Address, data: Hex, value = 0n): Exchange | undefined {
  const found = words(to, data, value)
  expect(found.kind).toBe('unknown')
  return found.kind === 'unknown' ? found.exchange : undefined
}
const minimumsOf = (...call: Parameters<typeof exchangeOf>) => exchangeOf(...call)?.minimums
const warningsOf = (...call: Parameters<typeof words>) => words(...call).warnings

const path = (...tokens: Address[]): Hex =>
  concatHex(tokens.flatMap((token, index) => (index === 0 ? [token] : ['0x0001f4' as Hex, token])))
const execute = (...steps: [code: number, input: Hex][]) =>
  encode('execute(bytes,bytes[],uint256)', [
    concatHex(steps.map(([code]) => toHex(code, { size: 1 }))),
    steps.map(([, input]) => input),
    late,
  ])
const v4 = (...steps: [code: number, input: Hex][]): [number, Hex] => [
  0x10,
  values(
    'bytes, bytes[]',
    concatHex(steps.map(([code]) => toHex(code, { size: 1 }))),
    steps.map(([, input]) => input),
  ),
]
const onV3 = (tokens: Address[], min: bigint, recipient = account, amount = 100n) =>
  values('address, uint256, uint256, bytes, bool', recipient, amount, min, path(...tokens), true)
const onV2 = (tokens: Address[], min: bigint, recipient = account) =>
  values('address, uint256, uint256, address[], bool', recipient, 100n, min, tokens, true)
const threeWords = (...args: unknown[]) => values('address, address, uint256', ...args)
const multicall = (...calls: Hex[]) => encode('multicall(bytes[])', [calls])
const singleOnV3 = (min: bigint, recipient = account) =>
  encode('exactInputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))', [
    [dai, usdc, 500, recipient, late, 100n, min, 0n],
  ])

describe('minimums of undecoded swaps', () => {
  // Contracts ignore trailing bytes.
  it.each<[string, Address, Hex, bigint]>([
    [
      'V2',
      v2,
      encode('swapExactTokensForTokens(uint256,uint256,address[],address,uint256)', [
        100n,
        9n,
        [dai, usdc],
        account,
        late,
      ]),
      9n,
    ],
    [
      'V2, exact out',
      v2,
      encode('swapTokensForExactTokens(uint256,uint256,address[],address,uint256)', [
        9n,
        100n,
        [dai, usdc],
        account,
        late,
      ]),
      9n,
    ],
    ['one pool of V3', v3, singleOnV3(9n), 9n],
    [
      'one pool of V3, exact out',
      v3b,
      encode('exactOutputSingle((address,address,uint24,address,uint256,uint256,uint160))', [
        [dai, usdc, 500, account, 9n, 100n, 0n],
      ]),
      9n,
    ],
    [
      'a path of V3',
      v3,
      encode('exactInput((bytes,address,uint256,uint256,uint256))', [
        [path(dai, weth, usdc), account, late, 100n, 9n],
      ]),
      9n,
    ],
    [
      'a path of V3, exact out',
      v3b,
      encode('exactOutput((bytes,address,uint256,uint256))', [[path(usdc, weth, dai), account, 9n, 100n]]),
      9n,
    ],
    ['the aggregation router', v6, aggregated({ dstToken: usdc }), 9n],
    ['Universal Router', router, execute([0x00, onV3([dai, usdc], 9n)]), 9n],
    ['Universal Router, exact out', router, execute([0x01, onV3([usdc, dai], 9n, account, 8n)]), 8n],
  ])('reads the minimum despite a trailing byte for %s', (_name, to, data, amount) => {
    expect(exchangeOf(to, `${data}00`)).toEqual({ sold: [dai], minimums: [{ token: usdc, amount }] })
  })

  it('reads a minimum without a token when the calldata names pools only', () => {
    const data = encode('unoswap(uint256,uint256,uint256,uint256)', [BigInt(dai), 100n, 9n, 1n])
    expect(exchangeOf(v6, `${data}00`)).toEqual({ sold: [dai], minimums: [{ amount: 9n }] })
    const coins = encode('ethUnoswap(uint256,uint256)', [9n, 1n])
    expect(exchangeOf(v6, `${coins}00`, 5n)).toEqual({
      sold: [nativeTokenAddress],
      minimums: [{ amount: 9n }],
    })
  })

  it('sums the minimums of partial swaps and reads the minimum of a final payout', () => {
    const parts = execute(
      [0x00, onV3([dai, usdc], 4n)],
      [0x08, onV2([dai, usdc], 5n)],
      [0x0e, threeWords(account, dai, 0n)],
    )
    expect(minimumsOf(router, parts)).toEqual([{ token: usdc, amount: 9n }])
    const swept = execute(
      [0x00, onV3([dai, usdc], 0n, two)],
      [0x06, threeWords(usdc, thief, 25n)],
      [0x04, threeWords(usdc, one, 9n)],
    )
    expect(minimumsOf(router, swept)).toEqual([{ token: usdc, amount: 9n }])
    const unwrapped = execute(
      [0x00, onV3([dai, weth], 0n, two)],
      [0x06, threeWords(weth, thief, 25n)],
      [0x0c, values('address, uint256', account, 9n)],
    )
    expect(minimumsOf(router, unwrapped)).toEqual([{ token: nativeTokenAddress, amount: 9n }])
    const fee = encode('sweepTokenWithFee(address,uint256,address,uint256,address)', [
      usdc,
      9n,
      account,
      25n,
      thief,
    ])
    expect(minimumsOf(v3, multicall(singleOnV3(0n, zero), fee))).toEqual([{ token: usdc, amount: 9n }])
  })

  it.each<[string, Hex]>([
    ['another account receives', execute([0x00, onV3([dai, usdc], 9n, thief)])],
    ['the swap may fail', execute([0x80, onV3([dai, usdc], 9n)])],
    [
      'the payout may fail',
      execute([0x00, onV3([dai, usdc], 0n, two)], [0x84, threeWords(usdc, account, 9n)]),
    ],
    [
      'the plan it is part of may fail',
      execute([0xa1, values('bytes, bytes[]', '0x00', [onV3([dai, usdc], 9n)])]),
    ],
    ['it is sold again', execute([0x00, onV3([dai, usdc], 9n)], [0x00, onV3([usdc, weth], 0n)])],
    [
      'the account pays it itself',
      execute(
        [0x00, onV3([dai, usdc], 0n, two)],
        [0x02, values('address, address, uint160', usdc, two, 9n)],
        [0x04, threeWords(usdc, account, 9n)],
      ),
    ],
    [
      'another account is paid',
      execute([0x00, onV3([dai, usdc], 0n, two)], [0x04, threeWords(usdc, thief, 9n)]),
    ],
    [
      'another token is paid out',
      execute([0x00, onV3([dai, usdc], 0n, two)], [0x04, threeWords(weth, account, 9n)]),
    ],
  ])('reads a minimum of zero when %s', (_name, data) => {
    expect(minimumsOf(router, `${data}00`)).toContainEqual({ token: usdc, amount: 0n })
  })

  const key = [usdc, weth, 500, 10, zero]
  const keyTypes = '(address, address, uint24, int24, address)'
  const hop = '(address, uint24, int24, address, bytes)[]'
  const hops = (token: Address) => [[token, 500, 10, zero, '0x']]
  it.each<[string, [number, Hex]]>([
    [
      'one pool',
      [0x06, values(`(${keyTypes}, bool, uint128, uint128, bytes)`, [key, false, 100n, 9n, '0x'])],
    ],
    [
      'one pool of newer routers',
      [
        0x06,
        values(`(${keyTypes}, bool, uint128, uint128, uint256, bytes)`, [key, false, 100n, 9n, 7n, '0x']),
      ],
    ],
    [
      'one pool, exact out',
      [0x08, values(`(${keyTypes}, bool, uint128, uint128, bytes)`, [key, false, 9n, 100n, '0x'])],
    ],
    ['a path', [0x07, values(`(address, ${hop}, uint128, uint128)`, [weth, hops(usdc), 100n, 9n])]],
    [
      'a path of newer routers',
      [0x07, values(`(address, ${hop}, uint256[], uint128, uint128)`, [weth, hops(usdc), [7n], 100n, 9n])],
    ],
    [
      'a path, exact out',
      [0x09, values(`(address, ${hop}, uint128, uint128)`, [usdc, hops(weth), 9n, 100n])],
    ],
  ])('reads the minimum of a V4 swap for %s', (_name, step) => {
    const take: [number, Hex] = [0x0e, threeWords(usdc, one, 0n)]
    expect(exchangeOf(router, execute(v4(step, [0x0b, '0x'], take)))).toEqual({
      sold: [nativeTokenAddress],
      minimums: [{ token: usdc, amount: 9n }],
    })
    expect(warningsOf(router, execute(v4(step, [0x0b, '0x'], take)))).toEqual([])
  })

  it('warns of a foreign recipient when another router version reads other V4 parameters', () => {
    // No price list offset, so an older router reads it as an amount.
    const terms = values(`(address, ${hop}, uint256[], uint128, uint128)`, [weth, hops(usdc), [7n], 100n, 9n])
    const at = 2 + 64 * 3
    const forged =
      `${terms.slice(0, at)}${toHex(10n ** 18n, { size: 32 }).slice(2)}${terms.slice(at + 64)}` as Hex
    const data = execute(v4([0x07, forged], [0x0e, threeWords(usdc, one, 0n)]))
    expect(warningsOf(router, data)).toContain('foreign-receiver')
  })

  it('reads the minimum of a V4 step that takes the whole balance of a currency', () => {
    const swap: [number, Hex] = [
      0x06,
      values(`(${keyTypes}, bool, uint128, uint128, bytes)`, [key, false, 100n, 0n, '0x']),
    ]
    const data = execute(v4(swap, [0x0c, '0x'], [0x0f, values('address, uint256', usdc, 9n)]))
    expect(minimumsOf(router, data)).toEqual([{ token: usdc, amount: 9n }])
  })

  it('warns of a foreign recipient and a missing minimum when a command is unknown', () => {
    expect(warningsOf(router, execute([0x00, onV3([dai, usdc], 9n)], [0x3f, '0x']))).toEqual([
      'foreign-receiver',
      'no-floor',
    ])
  })
})

describe('native tokens sent with an undecoded swap', () => {
  it('warns of native tokens that the swap neither uses nor refunds', () => {
    const data = `${singleOnV3(9n)}00` as Hex
    expect(warningsOf(v3, data)).toEqual([])
    expect(warningsOf(v3, data, 5n)).toEqual(['coins-along'])
    const refunded = multicall(singleOnV3(9n), encode('refundETH()', []))
    expect(warningsOf(v3, refunded, 5n)).toEqual([])
    const coins = execute(
      [0x0b, values('address, uint256', two, 5n)],
      [0x00, onV3([weth, usdc], 9n)],
      [0x0e, threeWords(account, dai, 0n)],
    )
    expect(warningsOf(router, coins, 5n)).toEqual([])
    expect(
      warningsOf(router, execute([0x00, onV3([dai, usdc], 9n)], [0x0e, threeWords(account, dai, 0n)]), 5n),
    ).toEqual(['coins-along'])
  })
})
