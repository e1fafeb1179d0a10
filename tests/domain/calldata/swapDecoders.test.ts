import { encodePacked } from 'viem'
import { describe, expect, it } from 'vitest'
import { type Address, type Hex, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import {
  account,
  aggregated,
  dai,
  encode,
  one,
  ours,
  route,
  thief,
  two,
  usdc,
  v2,
  v3,
  v3b,
  v6,
  weth,
  words,
  zero,
} from '../../helpers/samples/callSamples.ts'

describe('aggregation router swaps', () => {
  it('warns of native tokens beyond the sold amount', () => {
    expect(words(v6, aggregated(), 5n).warnings).toEqual(['coins-along'])
    expect(words(v6, aggregated({ srcToken: nativeTokenAddress }), 100n).warnings).toEqual([])
    expect(words(v6, aggregated({ srcToken: nativeTokenAddress }), 101n).warnings).toEqual(['coins-along'])
  })

  it('decodes a swap through the public router', () => {
    expect(words(v6, aggregated())).toEqual({
      kind: 'swap',
      router: v6,
      sell: dai,
      buy: weth,
      amount: 100n,
      floor: 9n,
      receiver: account,
      value: 0n,
      flags: 0n,
      warnings: [],
    })
  })

  it('accepts a four-byte tag after the calldata for the public router only', () => {
    const tagged = `${aggregated()}5053d367` as Hex
    expect(words(v6, tagged)).toEqual(words(v6, aggregated()))
    for (const behind of ['50', '5053d3', '5053d36700', '50'.repeat(32), '50'.repeat(36)]) {
      expect(words(v6, `${aggregated()}${behind}` as Hex).kind, behind).toBe('unknown')
    }
    for (const other of [ours, thief, v2]) expect(words(other, tagged).kind).toBe('unknown')
  })

  it('reads a zero recipient as the sender and a zero token as the native token', () => {
    expect(words(v6, aggregated({ dstReceiver: zero, dstToken: zero }))).toMatchObject({
      receiver: account,
      buy: nativeTokenAddress,
      warnings: [],
    })
  })

  it('warns of a missing minimum, a foreign recipient and a partial fill', () => {
    expect(words(v6, aggregated({ minReturnAmount: 0n })).warnings).toEqual(['no-floor'])
    expect(words(v6, aggregated({ dstReceiver: thief })).warnings).toEqual(['foreign-receiver'])
    expect(words(v6, aggregated({ flags: 5n })).warnings).toEqual(['partial-fill'])
    expect(words(v6, aggregated({ flags: 4n })).warnings).toEqual([])
  })

  it('warns of a router call to an unknown contract', () => {
    expect(words(thief, aggregated({}, v6)).warnings).toEqual(['unknown-router'])
  })

  it('decodes the fee in the route of the wallet’s own router', () => {
    expect(words(ours, aggregated({}, ours, route(0n, zero))).warnings).toEqual([])
    expect(words(ours, aggregated({}, ours, route(30_000n, thief)))).toMatchObject({
      fee: { ppm: 30_000n, taker: thief },
      warnings: ['fee'],
    })
  })

  it('does not decode a malformed route of the wallet’s own router', () => {
    expect(words(ours, aggregated({}, ours, '0x01')).kind).toBe('unknown')
    expect(words(ours, aggregated({}, ours, `${route(0n, zero)}00`)).kind).toBe('unknown')
  })

  it.each<[string, unknown[], bigint, object]>([
    [
      'unoswap(uint256,uint256,uint256,uint256)',
      [BigInt(dai), 100n, 9n, 1n],
      0n,
      { sell: dai, amount: 100n },
    ],
    ['unoswap2(uint256,uint256,uint256,uint256,uint256)', [BigInt(dai), 100n, 9n, 1n, 2n], 0n, { sell: dai }],
    [
      'unoswap3(uint256,uint256,uint256,uint256,uint256,uint256)',
      [BigInt(dai), 100n, 9n, 1n, 2n, 3n],
      0n,
      {},
    ],
    [
      'unoswapTo(uint256,uint256,uint256,uint256,uint256)',
      [BigInt(thief), BigInt(dai), 100n, 9n, 1n],
      0n,
      { receiver: thief, warnings: ['foreign-receiver'] },
    ],
    [
      'ethUnoswap(uint256,uint256) payable',
      [9n, 1n],
      55n,
      { sell: nativeTokenAddress, amount: 55n, value: 55n },
    ],
    ['ethUnoswap2(uint256,uint256,uint256) payable', [9n, 1n, 2n], 55n, { sell: nativeTokenAddress }],
    [
      'ethUnoswapTo(uint256,uint256,uint256) payable',
      [BigInt(account), 9n, 1n],
      55n,
      { receiver: account, warnings: [] },
    ],
  ])('decodes %s without a bought token', (signature, args, value, expected) => {
    const found = words(v6, encode(signature, args), value)
    expect(found).toMatchObject({ kind: 'swap', router: v6, floor: 9n, ...expected })
    expect(found).not.toHaveProperty('buy')
  })

  it('does not decode unoswap when the upper bits of an address are set', () => {
    const token = BigInt(dai) | (1n << 255n)
    expect(words(v6, encode('unoswap(uint256,uint256,uint256,uint256)', [token, 1n, 1n, 1n])).kind).toBe(
      'unknown',
    )
  })

  it('recognises the published selectors', () => {
    expect(aggregated().slice(0, 10)).toBe('0x07ed2379')
    for (const [selector, wordCount] of [
      ['0x83800a8e', 4],
      ['0xe2c95c82', 5],
      ['0xa76dfc3b', 2],
      ['0x8770ba91', 5],
      ['0x19367472', 6],
      ['0xea76dddf', 6],
      ['0xf7a70056', 7],
      ['0x89af926a', 3],
      ['0x188ac35d', 4],
      ['0x175accdc', 3],
      ['0x0f449d71', 4],
      ['0x493189f0', 5],
    ] as const) {
      const data: Hex = `${selector}${'00'.repeat(31)}01${'00'.repeat(32 * (wordCount - 1))}`
      expect(words(v6, data).kind).toBe('swap')
    }
  })
})

describe('Uniswap V2 swaps', () => {
  const path = [dai, usdc, weth]
  const tokens = 'uint256,uint256,address[],address,uint256'
  const coins = 'uint256,address[],address,uint256'

  it.each<[string, unknown[], bigint, object]>([
    [`swapExactTokensForTokens(${tokens})`, [100n, 9n, path, account, 1n], 0n, { sell: dai, buy: weth }],
    [
      `swapExactTokensForTokensSupportingFeeOnTransferTokens(${tokens})`,
      [100n, 9n, path, account, 1n],
      0n,
      { sell: dai, buy: weth },
    ],
    [
      `swapExactTokensForETH(${tokens})`,
      [100n, 9n, path, account, 1n],
      0n,
      { sell: dai, buy: nativeTokenAddress },
    ],
    [
      `swapExactTokensForETHSupportingFeeOnTransferTokens(${tokens})`,
      [100n, 9n, path, account, 1n],
      0n,
      { sell: dai, buy: nativeTokenAddress },
    ],
    [`swapTokensForExactTokens(${tokens})`, [9n, 100n, path, account, 1n], 0n, { sell: dai, buy: weth }],
    [
      `swapTokensForExactETH(${tokens})`,
      [9n, 100n, path, account, 1n],
      0n,
      { sell: dai, buy: nativeTokenAddress },
    ],
    [
      `swapExactETHForTokens(${coins}) payable`,
      [9n, [weth, dai], account, 1n],
      100n,
      { sell: nativeTokenAddress, buy: dai, value: 100n },
    ],
    [
      `swapExactETHForTokensSupportingFeeOnTransferTokens(${coins}) payable`,
      [9n, [weth, dai], account, 1n],
      100n,
      { sell: nativeTokenAddress, buy: dai },
    ],
    [
      `swapETHForExactTokens(${coins}) payable`,
      [9n, [weth, dai], account, 1n],
      100n,
      { sell: nativeTokenAddress, buy: dai },
    ],
  ])('decodes %s', (signature, args, value, expected) => {
    expect(words(v2, encode(signature, args), value)).toMatchObject({
      kind: 'swap',
      router: v2,
      amount: 100n,
      floor: 9n,
      receiver: account,
      warnings: [],
      ...expected,
    })
  })

  it('warns of an unknown router, a missing minimum and a foreign recipient', () => {
    const data = encode(`swapExactTokensForTokens(${tokens})`, [100n, 0n, path, thief, 1n])
    expect(words(thief, data).warnings).toEqual(['unknown-router', 'no-floor', 'foreign-receiver'])
  })

  it('does not decode a path with a single token', () => {
    const data = encode(`swapExactTokensForTokens(${tokens})`, [100n, 9n, [dai], account, 1n])
    expect(words(v2, data).kind).toBe('unknown')
  })
})

describe('Uniswap V3 swaps', () => {
  const path = encodePacked(
    ['address', 'uint24', 'address', 'uint24', 'address'],
    [dai, 500, usdc, 3_000, weth],
  )
  const single = (recipient: Address) =>
    encode('exactInputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))', [
      [dai, weth, 500, recipient, 1n, 100n, 9n, 0n],
    ])
  const single2 = (recipient: Address) =>
    encode('exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))', [
      [dai, weth, 500, recipient, 100n, 9n, 0n],
    ])
  const along = (recipient: Address, way: Hex = path) =>
    encode('exactInput((bytes,address,uint256,uint256,uint256))', [[way, recipient, 1n, 100n, 9n]])
  const along2 = (recipient: Address, way: Hex = path) =>
    encode('exactInput((bytes,address,uint256,uint256))', [[way, recipient, 100n, 9n]])

  it.each<[string, Address, (recipient: Address) => Hex]>([
    ['exactInputSingle with a deadline', v3, single],
    ['exactInputSingle without', v3b, single2],
    ['exactInput with a deadline', v3, along],
    ['exactInput without', v3b, along2],
  ])('decodes %s', (_name, router, data) => {
    expect(words(router, data(account))).toEqual({
      kind: 'swap',
      router,
      sell: dai,
      buy: weth,
      amount: 100n,
      floor: 9n,
      receiver: account,
      value: 0n,
      warnings: [],
    })
    expect(words(router, data(thief)).warnings).toEqual(['foreign-receiver'])
  })

  it('resolves the placeholder recipients of each router version', () => {
    expect(words(v3b, single2(one))).toMatchObject({ receiver: account, warnings: [] })
    expect(words(v3b, along2(two))).toMatchObject({ receiver: v3b, warnings: ['foreign-receiver'] })
    expect(words(v3, single(zero))).toMatchObject({ receiver: v3, warnings: ['foreign-receiver'] })
    expect(words(v3, along(one))).toMatchObject({ receiver: one, warnings: ['foreign-receiver'] })
  })

  const sells = (tokenIn: Address) =>
    encode('exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))', [
      [tokenIn, usdc, 500, account, 100n, 9n, 0n],
    ])
  const sellsAlong = (tokenIn: Address) =>
    encode('exactInput((bytes,address,uint256,uint256))', [
      [encodePacked(['address', 'uint24', 'address'], [tokenIn, 500, usdc]), account, 100n, 9n],
    ])
  const sellsOnV2 = (tokenIn: Address) =>
    encode('swapExactTokensForTokens(uint256,uint256,address[],address)', [
      100n,
      9n,
      [tokenIn, usdc],
      account,
    ])

  it.each([
    ['one pool', sells],
    ['a path', sellsAlong],
    ['V2', sellsOnV2],
  ])('counts native value as sold only for the wrapped token, through %s', (_name, data) => {
    expect(words(v3b, data(weth), 100n)).toMatchObject({
      sell: nativeTokenAddress,
      amount: 100n,
      warnings: [],
    })
    // The surplus is sold or refunded.
    expect(words(v3b, data(weth), 120n)).toMatchObject({
      sell: nativeTokenAddress,
      amount: 120n,
      warnings: [],
    })
    expect(words(v3b, data(weth), 99n)).toMatchObject({ sell: weth, warnings: ['coins-along'] })
    expect(words(v3b, data(dai), 100n)).toMatchObject({ sell: dai, amount: 100n, warnings: ['coins-along'] })
    expect(words(v3b, data(dai), 1n)).toMatchObject({ sell: dai, value: 1n, warnings: ['coins-along'] })
    expect(words(v3b, data(weth))).toMatchObject({ sell: weth, warnings: [] })
  })

  it('does not decode a truncated path', () => {
    expect(words(v3, along(account, path.slice(0, -2) as Hex)).kind).toBe('unknown')
    expect(words(v3, along(account, dai)).kind).toBe('unknown')
    expect(words(v3, along(account, '0x')).kind).toBe('unknown')
  })
})
