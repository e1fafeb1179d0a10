import fc from 'fast-check'
import {
  type Abi,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  getAddress,
  parseAbi,
  parseAbiParameters,
  toHex,
} from 'viem'
import { describe, expect, it } from 'vitest'
import type { Call } from '../../src/domain/calls.ts'
import { type CallWords, describeCall } from '../../src/domain/callWords.ts'
import { type Address, type Hex, native } from '../../src/domain/token.ts'

const account: Address = '0xa11ce00000000000000000000000000000000001'
const thief: Address = '0xbad0000000000000000000000000000000000002'
const ours: Address = '0x0aa1000000000000000000000000000000000003'
const dai: Address = '0x6b175474e89094c44da98b954eedeac495271d0f'
const weth: Address = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'
const usdc: Address = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
const zero: Address = '0x0000000000000000000000000000000000000000'
const one: Address = '0x0000000000000000000000000000000000000001'
const two: Address = '0x0000000000000000000000000000000000000002'
const permit2: Address = '0x000000000022d473030f116ddee9f6b43ac78ba3'
const v6: Address = '0x111111125421ca6dc452d289314280a0f8842a65'
const v2: Address = '0x7a250d5630b4cf539739df2c5dacb4c659f2488d'
const v3: Address = '0xe592427a0aece92de3edee1f18e0157c05861564'
const v3b: Address = '0x68b3465833fb72a70ecdf485e0e4c7db865dfc45'
const most = 2n ** 256n - 1n
const bytes32 = toHex(7, { size: 32 })

const words = (to: Address | undefined, data: Hex, value = 0n): CallWords =>
  describeCall({ ...(to && { to }), data, value }, { account, routers: [ours], wrapped: [weth] })

/** Calldata of one function, as another library writes it. */
function encode(signature: string, args: unknown[]): Hex {
  return encodeFunctionData({ abi: parseAbi([`function ${signature}`] as string[]) as Abi, args })
}

describe('coins and creations', () => {
  it('reads a transfer of the coin', () => {
    expect(words(thief, '0x', 5n)).toEqual({
      kind: 'transfer',
      token: native,
      to: thief,
      amount: 5n,
      warnings: [],
    })
  })

  it('reads a transfer of nothing', () => {
    expect(words(thief, '0x')).toMatchObject({ kind: 'transfer', amount: 0n })
  })

  it('reads a creation, with its size and the coins it gets', () => {
    expect(words(undefined, '0x600160015500', 3n)).toEqual({
      kind: 'create',
      bytes: 6,
      value: 3n,
      warnings: [],
    })
  })
})

describe('tokens', () => {
  it('reads a transfer', () => {
    expect(words(dai, encode('transfer(address,uint256)', [getAddress(thief), 7n]))).toEqual({
      kind: 'transfer',
      token: dai,
      to: thief,
      amount: 7n,
      warnings: [],
    })
  })

  it('reads a transfer of another’s tokens', () => {
    const data = encode('transferFrom(address,address,uint256)', [thief, account, 7n])
    expect(words(dai, data)).toMatchObject({ kind: 'transfer', from: thief, to: account, amount: 7n })
  })

  it('reads an approval for a router without a warning', () => {
    const data = encode('approve(address,uint256)', [ours, 7n])
    expect(words(dai, data)).toEqual({ kind: 'approve', token: dai, spender: ours, amount: 7n, warnings: [] })
    expect(words(dai, encode('approve(address,uint256)', [v6, 7n])).warnings).toEqual([])
  })

  it('warns of an approval without limit, and of one for somebody who is no router', () => {
    expect(words(dai, encode('approve(address,uint256)', [ours, most])).warnings).toEqual(['unlimited'])
    expect(words(dai, encode('approve(address,uint256)', [thief, 1n])).warnings).toEqual(['unknown-spender'])
    expect(words(dai, encode('approve(address,uint256)', [thief, 2n ** 160n - 1n])).warnings).toEqual([
      'unlimited',
      'unknown-spender',
    ])
    expect(words(dai, encode('approve(address,uint256)', [ours, 2n ** 96n - 1n])).warnings).toEqual([
      'unlimited',
    ])
  })

  it('has nothing against taking an approval back', () => {
    expect(words(dai, encode('approve(address,uint256)', [thief, 0n])).warnings).toEqual([])
  })

  it('reads what is added to an approval', () => {
    const data = encode('increaseAllowance(address,uint256)', [thief, 9n])
    expect(words(dai, data)).toMatchObject({
      kind: 'approve',
      adds: true,
      amount: 9n,
      warnings: ['unknown-spender'],
    })
  })

  it('reads an approval within Permit2, and only there', () => {
    const data = encode('approve(address,address,uint160,uint48)', [dai, thief, 2n ** 160n - 1n, 99])
    expect(words(permit2, data)).toEqual({
      kind: 'approve',
      token: dai,
      spender: thief,
      amount: 2n ** 160n - 1n,
      until: 99n,
      warnings: ['unlimited', 'unknown-spender'],
    })
    expect(words(dai, data).kind).toBe('unknown')
  })

  it('reads a permit (EIP-2612)', () => {
    const signature = 'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)'
    const data = encode(signature, [account, thief, most, 99n, 27, bytes32, bytes32])
    expect(words(dai, data)).toEqual({
      kind: 'permit',
      token: dai,
      owner: account,
      spender: thief,
      amount: most,
      until: 99n,
      warnings: ['unlimited', 'unknown-spender'],
    })
  })

  it('reads a permit as DAI has it, given and taken back', () => {
    const signature = 'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)'
    const data = (allowed: boolean) =>
      encode(signature, [account, ours, 0n, 99n, allowed, 27, bytes32, bytes32])
    expect(words(dai, data(true))).toMatchObject({ kind: 'permit', amount: most, warnings: ['unlimited'] })
    expect(words(dai, data(false))).toMatchObject({ kind: 'permit', amount: 0n, warnings: [] })
  })

  it('reads wrapping and unwrapping of the wrapped coin, and takes no other contract at these words', () => {
    const withdraw = encode('withdraw(uint256)', [5n])
    expect(words(weth, '0xd0e30db0', 5n)).toEqual({ kind: 'wrap', token: weth, amount: 5n, warnings: [] })
    expect(words(weth, withdraw)).toMatchObject({ kind: 'unwrap', amount: 5n })
    expect(words(thief, '0xd0e30db0', 5n)).toEqual({
      kind: 'unknown',
      to: thief,
      selector: '0xd0e30db0',
      name: 'deposit()',
      bytes: 4,
      value: 5n,
      warnings: [],
    })
    expect(words(thief, withdraw, 1n)).toEqual({
      kind: 'unknown',
      to: thief,
      selector: '0x2e1a7d4d',
      name: 'withdraw(uint256)',
      bytes: 36,
      value: 1n,
      warnings: [],
    })
  })

  it('warns of coins that go along with a function that has no use for them', () => {
    expect(words(dai, encode('transfer(address,uint256)', [thief, 7n]), 1n).warnings).toEqual(['coins-along'])
    expect(words(dai, encode('approve(address,uint256)', [ours, 7n]), 1n).warnings).toEqual(['coins-along'])
  })
})

describe('collections', () => {
  it('warns of the right to all items, not of taking it back', () => {
    const data = (operator: Address, yes: boolean) =>
      encode('setApprovalForAll(address,bool)', [operator, yes])
    expect(words(dai, data(thief, true))).toEqual({
      kind: 'approve-all',
      collection: dai,
      operator: thief,
      approved: true,
      warnings: ['unlimited', 'unknown-spender'],
    })
    expect(words(dai, data(thief, false)).warnings).toEqual([])
  })

  it.each<[string, string, unknown[], { id: bigint; amount: bigint }[]]>([
    ['an item', 'safeTransferFrom(address,address,uint256)', [5n], [{ id: 5n, amount: 1n }]],
    [
      'an item with data',
      'safeTransferFrom(address,address,uint256,bytes)',
      [5n, '0x1234'],
      [{ id: 5n, amount: 1n }],
    ],
    [
      'several',
      'safeTransferFrom(address,address,uint256,uint256,bytes)',
      [5n, 3n, '0x'],
      [{ id: 5n, amount: 3n }],
    ],
    [
      'a batch',
      'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)',
      [[5n, 6n], [1n, 2n], '0x'],
      [
        { id: 5n, amount: 1n },
        { id: 6n, amount: 2n },
      ],
    ],
  ])('reads a transfer of %s', (_name, signature, args, items) => {
    expect(words(dai, encode(signature, [account, thief, ...args]))).toEqual({
      kind: 'transfer-items',
      collection: dai,
      from: account,
      to: thief,
      items,
      warnings: [],
    })
  })

  it('does not know a batch whose lists differ in length', () => {
    const signature = 'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)'
    expect(words(dai, encode(signature, [account, thief, [1n], [], '0x'])).kind).toBe('unknown')
  })
})

type Description = {
  srcToken?: Address
  dstToken?: Address
  dstReceiver?: Address
  amount?: bigint
  minReturnAmount?: bigint
  flags?: bigint
}

function aggregated(changes: Description = {}, executor: Address = thief, data: Hex = '0x0102'): Hex {
  const desc = {
    srcToken: dai,
    dstToken: weth,
    srcReceiver: executor,
    dstReceiver: account,
    amount: 100n,
    minReturnAmount: 9n,
    flags: 0n,
    ...changes,
  }
  const abi = parseAbi([
    'struct D { address srcToken; address dstToken; address srcReceiver; address dstReceiver; uint256 amount; uint256 minReturnAmount; uint256 flags; }',
    'function swap(address executor, D desc, bytes data)',
  ])
  return encodeFunctionData({ abi, functionName: 'swap', args: [executor, desc, data] })
}

function route(feePpm: bigint, referrer: Address): Hex {
  const parameters = parseAbiParameters([
    'Route r',
    'struct Route { address[] tokens; Branch[] branches; uint256 feePpm; address referrer; bytes permit; }',
    'struct Branch { uint32 weight; Hop[] hops; }',
    'struct Hop { uint8 kind; uint8 from; uint8 to; uint24 fee; address pool; uint32 weight; bytes32 aux; }',
  ])
  const hop = { kind: 2, from: 0, to: 1, fee: 3_000, pool: thief, weight: 0, aux: bytes32 }
  const branches = [{ weight: 0, hops: [hop] }]
  return encodeAbiParameters(parameters, [{ tokens: [dai, weth], branches, feePpm, referrer, permit: '0x' }])
}

describe('swaps through an aggregation router', () => {
  it('reads the public one', () => {
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

  it('takes the zero receiver for the sender, and the zero token for the coin', () => {
    expect(words(v6, aggregated({ dstReceiver: zero, dstToken: zero }))).toMatchObject({
      receiver: account,
      buy: native,
      warnings: [],
    })
  })

  it('warns of a missing floor, a foreign receiver, a partial fill', () => {
    expect(words(v6, aggregated({ minReturnAmount: 0n })).warnings).toEqual(['no-floor'])
    expect(words(v6, aggregated({ dstReceiver: thief })).warnings).toEqual(['foreign-receiver'])
    expect(words(v6, aggregated({ flags: 5n })).warnings).toEqual(['partial-fill'])
    expect(words(v6, aggregated({ flags: 4n })).warnings).toEqual([])
  })

  it('warns of a contract that only looks like a router', () => {
    expect(words(thief, aggregated({}, v6)).warnings).toEqual(['unknown-router'])
  })

  it('reads the fee in our own route', () => {
    expect(words(ours, aggregated({}, ours, route(0n, zero))).warnings).toEqual([])
    expect(words(ours, aggregated({}, ours, route(30_000n, thief)))).toMatchObject({
      fee: { ppm: 30_000n, taker: thief },
      warnings: ['fee'],
    })
  })

  it('does not know our own router with a route that cannot be read for sure', () => {
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
    ['ethUnoswap(uint256,uint256) payable', [9n, 1n], 55n, { sell: native, amount: 55n, value: 55n }],
    ['ethUnoswap2(uint256,uint256,uint256) payable', [9n, 1n, 2n], 55n, { sell: native }],
    [
      'ethUnoswapTo(uint256,uint256,uint256) payable',
      [BigInt(account), 9n, 1n],
      55n,
      { receiver: account, warnings: [] },
    ],
  ])('reads %s, whose bought token nobody says', (signature, args, value, expected) => {
    const found = words(v6, encode(signature, args), value)
    expect(found).toMatchObject({ kind: 'swap', router: v6, floor: 9n, ...expected })
    expect(found).not.toHaveProperty('buy')
  })

  it('does not know an unoswap with something above the address', () => {
    const token = BigInt(dai) | (1n << 255n)
    expect(words(v6, encode('unoswap(uint256,uint256,uint256,uint256)', [token, 1n, 1n, 1n])).kind).toBe(
      'unknown',
    )
  })

  it('finds the published selectors', () => {
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

describe('swaps through Uniswap V2', () => {
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
    [`swapExactTokensForETH(${tokens})`, [100n, 9n, path, account, 1n], 0n, { sell: dai, buy: native }],
    [
      `swapExactTokensForETHSupportingFeeOnTransferTokens(${tokens})`,
      [100n, 9n, path, account, 1n],
      0n,
      { sell: dai, buy: native },
    ],
    [`swapTokensForExactTokens(${tokens})`, [9n, 100n, path, account, 1n], 0n, { sell: dai, buy: weth }],
    [`swapTokensForExactETH(${tokens})`, [9n, 100n, path, account, 1n], 0n, { sell: dai, buy: native }],
    [
      `swapExactETHForTokens(${coins}) payable`,
      [9n, [weth, dai], account, 1n],
      100n,
      { sell: native, buy: dai, value: 100n },
    ],
    [
      `swapExactETHForTokensSupportingFeeOnTransferTokens(${coins}) payable`,
      [9n, [weth, dai], account, 1n],
      100n,
      { sell: native, buy: dai },
    ],
    [
      `swapETHForExactTokens(${coins}) payable`,
      [9n, [weth, dai], account, 1n],
      100n,
      { sell: native, buy: dai },
    ],
  ])('reads %s', (signature, args, value, expected) => {
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

  it('warns as of any swap', () => {
    const data = encode(`swapExactTokensForTokens(${tokens})`, [100n, 0n, path, thief, 1n])
    expect(words(thief, data).warnings).toEqual(['unknown-router', 'no-floor', 'foreign-receiver'])
  })

  it('does not know a path of one', () => {
    const data = encode(`swapExactTokensForTokens(${tokens})`, [100n, 9n, [dai], account, 1n])
    expect(words(v2, data).kind).toBe('unknown')
  })
})

describe('swaps through Uniswap V3', () => {
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
  ])('reads %s', (_name, router, data) => {
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

  it('knows whom the small receivers stand for', () => {
    expect(words(v3b, single2(one))).toMatchObject({ receiver: account, warnings: [] })
    expect(words(v3b, along2(two))).toMatchObject({ receiver: v3b, warnings: ['foreign-receiver'] })
    expect(words(v3, single(zero))).toMatchObject({ receiver: v3, warnings: ['foreign-receiver'] })
    expect(words(v3, along(one))).toMatchObject({ receiver: one, warnings: ['foreign-receiver'] })
  })

  it('sells the coin when it goes along', () => {
    expect(words(v3b, single2(account), 100n)).toMatchObject({ sell: native, value: 100n, warnings: [] })
    expect(words(v3b, single2(account), 50n)).toMatchObject({ sell: dai, value: 50n })
  })

  it('does not know a path that is cut', () => {
    expect(words(v3, along(account, path.slice(0, -2) as Hex)).kind).toBe('unknown')
    expect(words(v3, along(account, dai)).kind).toBe('unknown')
    expect(words(v3, along(account, '0x')).kind).toBe('unknown')
  })
})

describe('what is not known', () => {
  const transfer = encode('transfer(address,uint256)', [thief, 7n])

  it('is told by selector and size', () => {
    expect(words(dai, '0xDEADBEEF0102', 4n)).toEqual({
      kind: 'unknown',
      to: dai,
      selector: '0xdeadbeef',
      bytes: 6,
      value: 4n,
      warnings: [],
    })
    expect(words(dai, '0x12')).toMatchObject({ kind: 'unknown', selector: '0x12', bytes: 1 })
  })

  it.each<[string, Hex]>([
    ['trailing bytes', `${transfer}00`],
    ['a trailing word', `${transfer}${'00'.repeat(32)}`],
    ['too few bytes', transfer.slice(0, -2) as Hex],
    ['the selector alone', '0xa9059cbb'],
    ['something above the address', `0xa9059cbb01${transfer.slice(12)}`],
    ['a bool of two', encode('setApprovalForAll(address,bool)', [thief, true]).replace(/1$/, '2') as Hex],
    ['something after deposit', '0xd0e30db000'],
    ['something after a swap', `${aggregated()}00`],
  ])('has %s', (_name, data) => {
    expect(words(dai, data).kind).toBe('unknown')
  })

  it('has an offset that is not the plain one', () => {
    const data = aggregated()
    // The bytes at the end, with a word put before them and the offset moved behind it.
    const at = 10 + 64 * 8
    const shifted = `${data.slice(0, at)}${toHex(0x140, { size: 32 }).slice(2)}${'00'.repeat(32)}${data.slice(at + 64)}`
    expect(words(v6, shifted as Hex).kind).toBe('unknown')
  })

  it('reads calldata and addresses in any letter case', () => {
    const data = `0x${transfer.slice(2).toUpperCase()}` as Hex
    expect(words(getAddress(dai).toLowerCase() as Address, data)).toMatchObject({
      kind: 'transfer',
      to: thief,
    })
    expect(words(getAddress(dai) as Address, data)).toMatchObject({ token: dai })
  })
})

describe('describeCall', () => {
  const known = [
    encode('transfer(address,uint256)', [thief, 7n]),
    encode('approve(address,uint256)', [thief, most]),
    encode('safeTransferFrom(address,address,uint256,bytes)', [account, thief, 1n, '0x12']),
    encode('safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)', [
      account,
      thief,
      [1n],
      [1n],
      '0x',
    ]),
    aggregated(),
    aggregated({}, ours, route(1n, thief)),
    encode('swapExactTokensForTokens(uint256,uint256,address[],address,uint256)', [
      1n,
      1n,
      [dai, weth],
      account,
      1n,
    ]),
    encode('exactInput((bytes,address,uint256,uint256))', [
      [`${dai}0001f4${weth.slice(2)}`, account, 1n, 1n],
    ]),
  ]

  it('never throws, whatever the bytes', () => {
    const noise = fc.uint8Array({ maxLength: 600 }).map((bytes) => toHex(bytes))
    const behind = fc
      .tuple(fc.constantFrom(...known), noise)
      .map(([data, tail]) => (data.slice(0, 10) + tail.slice(2)) as Hex)
    const bent = fc
      .tuple(fc.constantFrom(...known), fc.nat(), fc.integer({ min: 1, max: 255 }))
      .map(([data, at, flip]) => {
        const bytes = Buffer.from(data.slice(2), 'hex')
        const place = at % bytes.length
        bytes[place] = (bytes[place] ?? 0) ^ flip
        return toHex(bytes)
      })
    const odd = fc.string().map((text) => text as Hex)
    const call: fc.Arbitrary<Call> = fc.record({
      to: fc.constantFrom(dai, ours, v6, permit2),
      data: fc.oneof(noise, behind, bent, odd),
      value: fc.bigInt(0n, most),
    })
    fc.assert(
      fc.property(call, (each) => {
        const found = describeCall(each, { account, routers: [ours] })
        expect(found.kind).toBeTypeOf('string')
        expect(Array.isArray(found.warnings)).toBe(true)
      }),
      { numRuns: 5_000 },
    )
  })

  it('tells every amount it reads as it was encoded', () => {
    const amount = fc.bigInt(0n, most)
    const owner = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => toHex(bytes))
    fc.assert(
      fc.property(owner, amount, (to, sent) => {
        const found = words(dai, encode('transfer(address,uint256)', [to, sent]))
        expect(found).toMatchObject({ kind: 'transfer', to, amount: sent })
      }),
      { numRuns: 500 },
    )
  })
})
