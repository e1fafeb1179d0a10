import {
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  pad,
  parseAbi,
  parseAbiParameters,
  size,
  toHex,
} from 'viem'
import { describe, expect, it } from 'vitest'
import { readRecipients } from '../../../src/domain/abi/recipients.ts'
import { describeCall } from '../../../src/domain/calldata/describeCall.ts'
import type { Address, Hex } from '../../../src/domain/token/token.ts'

const [account, to, thief, token] = ['a1', 'c0', 'bd', 'e5'].map(
  (byte): Address => `0x${byte.repeat(20)}`,
) as [Address, Address, Address, Address]
const self: Address = `0x${'00'.repeat(19)}02`
const zero: Address = `0x${'00'.repeat(20)}`
const universalRouter: Address = '0x66a9893cc07d91d95644aedd05d03f95e1dba8af'
const [usdc, weth, dai]: [Address, Address, Address] = [
  '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
  '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
  '0x6b175474e89094c44da98b954eedeac495271d0f',
]
/** USDC/WETH on Uniswap V2. */
const usdcPair: Address = '0xb4e16d0168e52d35cacd2c6185b44281ec28c9dc'
const late = 4_000_000_000n

const read = (data: Hex, at = to) => readRecipients(data, { to: at, account, chainId: 1, wrapped: [weth] })
const foreign = (data: Hex, at = to) => read(data, at).foreign

function call(signature: string, ...args: unknown[]): Hex {
  return encodeFunctionData({ abi: parseAbi([`function ${signature}`] as readonly string[]), args } as never)
}
const encode = (types: string, ...values: unknown[]): Hex =>
  encodeAbiParameters(parseAbiParameters(types as 'uint256'), values as never)

const multicall = (...calls: Hex[]) => call('multicall(bytes[] data)', calls)
const sweep = (recipient: Address) =>
  call('sweepToken(address token, uint256 least, address recipient)', token, 0n, recipient)
const execute = (...steps: [code: number, input: Hex][]) =>
  call(
    'execute(bytes commands, bytes[] inputs, uint256 deadline)',
    concatHex(steps.map(([code]) => toHex(code, { size: 1 }))),
    steps.map(([, input]) => input),
    late,
  )
const v4 = (...steps: [code: number, input: Hex][]) =>
  encode(
    'bytes, bytes[]',
    concatHex(steps.map(([code]) => toHex(code, { size: 1 }))),
    steps.map(([, input]) => input),
  )
const wordOf = (value: bigint | number) => toHex(value, { size: 32 })
const modify = (...steps: [code: number, input: Hex][]) =>
  call('modifyLiquidities(bytes unlockData, uint256 deadline)', v4(...steps), late)
const key = [token, to, 500, 10, `0x${'00'.repeat(20)}`] as const

const swap = (recipient: Address, payerIsUser: boolean) =>
  encode('address, uint256, uint256, address[], bool', recipient, 1n, 1n, [token, to], payerIsUser)

/** The pair is paid already. */
const swapPaid = (path: Address[], amount = 0n) =>
  encode('address, uint256, uint256, address[], bool', account, amount, 1n, path, false)
const swapV3 = (recipient: Address, path: Address[]) =>
  encode(
    'address, uint256, uint256, bytes, bool',
    ...[recipient, 1n, 1n, `0x${path.map((one) => one.slice(2)).join('0001f4')}`, true],
  )

const payouts: [string, (recipient: Address) => Hex][] = [
  [
    'a V2 swap',
    (recipient) =>
      call('swapExactETHForTokens(uint256 a, address[] path, address to, uint256 t)', 1n, [], recipient, 1n),
  ],
  [
    'V2 liquidity',
    (recipient) =>
      call(
        'removeLiquidity(address a, address b, uint256 l, uint256 m, uint256 n, address to, uint256 t)',
        ...[token, to, 1n, 0n, 0n, recipient, late],
      ),
  ],
  [
    'a V3 swap along a path',
    (recipient) =>
      call('exactInput((bytes path, address recipient, uint256 amountIn, uint256 least) params)', {
        path: '0x1234',
        recipient,
        amountIn: 1n,
        least: 0n,
      }),
  ],
  [
    'the public aggregation router',
    (recipient) =>
      call(
        'swap(address executor, (address a, address b, address c, address to, uint256 d, uint256 e, uint256 f) desc, bytes data)',
        ...[token, { a: token, b: token, c: token, to: recipient, d: 1n, e: 1n, f: 0n }, '0x'],
      ),
  ],
  [
    'a vault',
    (recipient) => call('redeem(uint256 shares, address receiver, address owner)', 1n, recipient, account),
  ],
  ['Aave', (recipient) => call('withdraw(address asset, uint256 amount, address to)', token, 1n, recipient)],
  ['a deposit in a vault', (recipient) => call('deposit(uint256 a, address b)', 1n, recipient)],
  ['shares of a vault', (recipient) => call('mint(uint256 a, address b)', 1n, recipient)],
  [
    'supply at Aave',
    (recipient) => call('supply(address a, uint256 b, address c, uint16 d)', token, 1n, recipient, 0),
  ],
  [
    'a repayment at Aave',
    (recipient) => call('repay(address a, uint256 b, uint256 c, address d)', token, 1n, 2n, recipient),
  ],
  [
    'ETH supplied at Aave',
    (recipient) => call('depositETH(address a, address b, uint16 c)', to, recipient, 0),
  ],
  ['ETH from Aave', (recipient) => call('withdrawETH(address a, uint256 b, address c)', to, 1n, recipient)],
  [
    'a loan of Aave to a contract',
    (recipient) =>
      call(
        'flashLoan(address a, address[] b, uint256[] c, uint256[] d, address e, bytes f, uint16 g)',
        ...[recipient, [token], [1n], [2n], account, '0x', 0],
      ),
  ],
  ['rewards of Aave', (recipient) => call('claimAllRewards(address[] a, address b)', [token], recipient)],
  ['Compound', (recipient) => call('withdrawTo(address a, address b, uint256 c)', recipient, token, 1n)],
  [
    'the bulker of Compound',
    (recipient) =>
      call(
        'invoke(bytes32[] a, bytes[] b)',
        [toHex('ACTION_WITHDRAW_ASSET', { size: 32 })],
        [encode('address, address, address, uint256', to, recipient, token, 1n)],
      ),
  ],
  [
    'Lido',
    (recipient) => call('claimWithdrawalsTo(uint256[] a, uint256[] b, address c)', [1n], [1n], recipient),
  ],
  [
    'a withdrawal from Lido',
    (recipient) => call('requestWithdrawals(uint256[] a, address b)', [1n], recipient),
  ],
  [
    'collateral at Morpho Blue',
    (recipient) =>
      call(
        'withdrawCollateral((address a, address b, address c, address d, uint256 e) m, uint256 f, address g, address h)',
        ...[{ a: token, b: to, c: to, d: to, e: 1n }, 1n, account, recipient],
      ),
  ],
  [
    'one pool of the public aggregation router',
    (recipient) =>
      call(
        'unoswapTo(uint256 a, uint256 b, uint256 c, uint256 d, uint256 e)',
        BigInt(recipient),
        1n,
        1n,
        1n,
        1n,
      ),
  ],
  [
    'an order of the public aggregation router',
    (recipient) =>
      call(
        'fillOrderArgs((uint256 a, uint256 b, uint256 c, uint256 d, uint256 e, uint256 f, uint256 g, uint256 h) o, bytes32 r, bytes32 v, uint256 w, uint256 t, bytes args)',
        ...[
          { a: 1n, b: 1n, c: 1n, d: 1n, e: 1n, f: 1n, g: 1n, h: 1n },
          wordOf(0),
          wordOf(0),
          1n,
          2n ** 251n,
          recipient,
        ],
      ),
  ],
  [
    'a permit and a call in one',
    (recipient) => call('permitAndCall(bytes a, bytes b)', '0x', sweep(recipient)),
  ],
  [
    'a transfer by Permit2',
    (recipient) => execute([0x02, encode('address, address, uint160', token, recipient, 1n)]),
  ],
  [
    'several transfers by Permit2',
    (recipient) =>
      execute([
        0x0d,
        encode('(address, address, uint160, address)[]', [
          [account, account, 1n, token],
          [account, recipient, 1n, token],
        ]),
      ]),
  ],
  [
    'the spender of a permit',
    (recipient) =>
      execute([
        0x0a,
        encode(
          '((address, uint160, uint48, uint48), address, uint256), bytes',
          ...[[[token, 1n, 1, 1], recipient, late], '0x'],
        ),
      ]),
  ],
  ['a swap of Universal Router', (recipient) => execute([0x08, swap(recipient, true)])],
  [
    'a sweep of Universal Router that may fail',
    (recipient) => execute([0x84, encode('address, address, uint256', token, recipient, 0n)]),
  ],
  [
    'a sweep behind the longer mask of older routers',
    (recipient) => execute([0x44, encode('address, address, uint256', token, recipient, 0n)]),
  ],
  [
    'most of the balance as a fee',
    (recipient) => execute([0x06, encode('address, address, uint256', token, recipient, 9_900n)]),
  ],
  [
    'a plan within a plan',
    (recipient) =>
      execute([
        0x21,
        encode('bytes, bytes[]', '0x04', [encode('address, address, uint256', token, recipient, 0n)]),
      ]),
  ],
  [
    'a V4 swap of Universal Router',
    (recipient) =>
      execute([0x10, v4([0x0b, '0x'], [0x0e, encode('address, address, uint256', token, recipient, 0n)])]),
  ],
  [
    'the position manager of V3 behind Universal Router',
    (recipient) =>
      execute([
        0x12,
        call('collect((uint256 id, address recipient, uint128 a, uint128 b) params)', {
          id: 1n,
          recipient,
          a: 1n,
          b: 1n,
        }),
      ]),
  ],
  [
    'both currencies of a V4 position',
    (recipient) => modify([0x01, '0x'], [0x11, encode('address, address, address', token, to, recipient)]),
  ],
  [
    'a V4 position for another owner',
    (recipient) =>
      modify([
        0x02,
        encode(
          '(address, address, uint24, int24, address), int24, int24, uint256, uint128, uint128, address, bytes',
          ...[key, -10, 10, 1n, 1n, 1n, recipient, '0x'],
        ),
      ]),
  ],
]

const padded = (data: Hex): Hex => pad(data, { size: Math.ceil(size(data) / 32) * 32, dir: 'right' })

/** Offsets point to items before the list. */
function inFront(selector: Hex, others: Hex[], items: Hex[]): Hex {
  const heads = (others.length + 1) * 32
  const parts = [...others, ...items].map((one) => concatHex([wordOf(size(one)), padded(one)]))
  const places = parts.map((_part, index) => heads + size(concatHex(['0x', ...parts.slice(0, index)])))
  const list = heads + size(concatHex(parts))
  return concatHex([
    selector,
    ...places.slice(0, others.length).map(wordOf),
    wordOf(list),
    ...parts,
    wordOf(items.length),
    ...places.slice(others.length).map((place) => wordOf(2n ** 256n + BigInt(place - list - 32))),
  ])
}

function hex(count: number, offset: bigint, length = 0n): Hex {
  return concatHex(['0xac9650d8', wordOf(0x20), wordOf(count), wordOf(offset), wordOf(length)])
}

const single = (min: bigint) =>
  encode('((address, address, uint24, int24, address), bool, uint128, uint128, bytes)', [
    [usdc, weth, 500, 10, zero],
    true,
    100n,
    min,
    '0x',
  ])

describe('readRecipients', () => {
  it.each(payouts)('finds a foreign recipient: %s', (_name, data) => {
    expect(foreign(data(thief))).toEqual([thief])
    expect(foreign(multicall(data(account), multicall(data(thief))))).toEqual([thief])
    // Contracts ignore trailing bytes.
    expect(foreign(`${data(thief)}01`)).toEqual([thief])
  })

  it.each(payouts)(
    'reports no foreign recipient when the account or the contract is paid: %s',
    (_name, data) => {
      expect(foreign(multicall(data(account), data(to)))).toEqual([])
    },
  )

  it('finds a recipient behind offsets that are not in order', () => {
    const inner = sweep(thief).slice(2)
    const word = (value: number) => value.toString(16).padStart(64, '0')
    const list = [
      word(1),
      word(0x20),
      word(inner.length / 2),
      inner.padEnd(Math.ceil(inner.length / 64) * 64, '0'),
    ]
    expect(foreign(`0xac9650d8${word(0x60)}${word(7)}${word(7)}${list.join('')}`)).toEqual([thief])
  })

  it('finds a recipient when a Universal Router input declares a length of zero', () => {
    const sweepInput = encode('address, address, uint256', token, thief, 0n)
    const data = execute([0x04, sweepInput])
    const at = data.indexOf(sweepInput.slice(2)) - 64
    expect(foreign(`${data.slice(0, at)}${'0'.repeat(64)}${data.slice(at + 64)}` as Hex)).toEqual([thief])
  })

  it('finds a recipient behind offsets that point before their list', () => {
    const sweepInput = encode('address, address, uint256', token, thief, 0n)
    expect(foreign(inFront('0xac9650d8', [], [sweep(account), sweep(thief)]))).toEqual([thief])
    expect(foreign(inFront('0x24856bc3', ['0x04'], [sweepInput]))).toEqual([thief])
    expect(foreign(inFront('0x4afe393c', ['0x14'], [sweepInput]))).toEqual([thief])
  })

  it.each<[string, Hex]>([
    ['an offset in front of the arguments', hex(1, 2n ** 256n - 0x80n)],
    ['an offset behind the end', hex(1, 0x2000n)],
    ['an offset of 64 bits and more', hex(1, 2n ** 64n + 0x20n)],
    ['more items than there is data', hex(2 ** 20, 0x20n)],
    ['an item that ends behind the data', hex(1, 0x20n, 0x40n)],
    ['a word that is missing', `${sweep(account).slice(0, -40)}` as Hex],
    ['an unknown part beside a known one', multicall(sweep(account), '0x12345678')],
  ])('reports an incomplete read for %s', (_name, data) => {
    expect(read(data)).toMatchObject({ foreign: [], isComplete: false })
  })

  it('treats a list without any known part as complete, except at Universal Router', () => {
    expect(read(multicall('0x12345678', '0x87654321'))).toMatchObject({ isComplete: true })
    expect(read(multicall('0x12345678'), universalRouter)).toMatchObject({ isComplete: false })
  })

  it.each([0x0f, 0x15, 0x22, 0x3f, 0x40, 0x48])('reports an incomplete read for command %i', (code) => {
    expect(read(execute([code, swap(account, true)])).isComplete).toBe(false)
  })

  it.each([0x0a, 0x17, 0x19, 0xff])('reports an incomplete read for V4 action %i', (code) => {
    expect(read(modify([code, encode('uint256', 0n)])).isComplete).toBe(false)
  })

  it('reads a common list completely', () => {
    const permit = encode(
      '((address, uint160, uint48, uint48), address, uint256), bytes',
      ...[[[token, 1n, 1, 1], to, late], '0x'],
    )
    const sweepInput = encode('address, address, uint256', token, account, 1n)
    const fee = encode('address, address, uint256', token, thief, 25n)
    const swapV4 = v4([0x06, single(9n)], [0x0c, '0x'], [0x0f, encode('address, uint256', weth, 9n)])
    const data = execute(
      [0x0a, permit],
      [0x08, swap(self, true)],
      [0x10, swapV4],
      [0x06, fee],
      [0x04, sweepInput],
    )
    expect(read(data)).toMatchObject({ names: ['execute'], foreign: [], isComplete: true })
  })

  it('ignores fees of up to 3 % in total, and reports higher ones', () => {
    const share = (bips: bigint, recipient = thief) =>
      [0x06, encode('address, address, uint256', token, recipient, bips)] as [number, Hex]
    const fine = (bips: bigint) =>
      [0x07, encode('address, address, uint256', token, thief, bips * 10n ** 14n)] as [number, Hex]
    const taken = (bips: bigint) => v4([0x10, encode('address, address, uint256', token, thief, bips)])
    expect(foreign(execute(share(300n)))).toEqual([])
    expect(foreign(execute(share(9_900n, account), share(9_900n, self), share(300n)))).toEqual([])
    expect(foreign(execute(share(100n), fine(100n), [0x10, taken(100n)]))).toEqual([])
    expect(foreign(execute(share(100n), fine(100n), [0x10, taken(101n)]))).toEqual([thief])
    expect(foreign(execute(...Array.from({ length: 60 }, () => share(300n))))).toEqual([thief])
    const withFee = (bips: bigint) =>
      call('unwrapWETH9WithFee(uint256 a, address b, uint256 c, address d)', 0n, account, bips, thief)
    expect(foreign(multicall(withFee(100n), withFee(100n), withFee(100n)))).toEqual([])
    expect(foreign(multicall(withFee(100n), withFee(201n)))).toEqual([thief])
  })

  it('ignores a pair as recipient when the next step of a mixed route sells from it', () => {
    const route = (last: [number, Hex], recipient = usdcPair, path = [dai, usdc]) =>
      foreign(execute([0x00, swapV3(recipient, path)], last), universalRouter)
    expect(route([0x08, swapPaid([usdc, weth])])).toEqual([])
    expect(route([0x08, swapPaid([usdc, weth])], thief)).toEqual([thief])
    // May fail, sells another token, uses another pair, or pays more.
    expect(route([0x88, swapPaid([usdc, weth])])).toEqual([usdcPair])
    expect(route([0x08, swapPaid([weth, usdc])])).toEqual([usdcPair])
    expect(route([0x08, swapPaid([usdc, dai])])).toEqual([usdcPair])
    expect(route([0x08, swapPaid([usdc, weth], 1n)])).toEqual([usdcPair])
    expect(route([0x09, swapPaid([usdc, weth])])).toEqual([usdcPair])
    expect(route([0x08, swapPaid([usdc, weth])], usdcPair, [usdc, dai])).toEqual([usdcPair])
    const mixed = execute([0x00, swapV3(usdcPair, [dai, usdc])], [0x08, swapPaid([usdc, weth])])
    expect(foreign(mixed)).toEqual([usdcPair])
  })

  it.each<[string, Hex, string[]]>([
    ['a vault', call('withdraw(uint256 a, address b, address c)', 1n, self, account), [self]],
    ['Aave', call('withdraw(address a, uint256 b, address c)', token, 1n, zero), [zero]],
    ['Uniswap V3', call('sweepToken(address a, uint256 b, address c)', token, 1n, self), [self]],
    [
      'a position of V3',
      call('collect((uint256 a, address b, uint128 c, uint128 d) e)', { a: 1n, b: zero, c: 1n, d: 1n }),
      [],
    ],
    ['Universal Router', execute([0x04, encode('address, address, uint256', token, self, 0n)]), []],
  ])('resolves a reserved address only in contracts that define it: %s', (_name, data, found) => {
    expect(foreign(data)).toEqual(found)
  })

  it('stops at its limit and reports an incomplete read', () => {
    // Each list references the next 80 times: 3,276,800,000 calls.
    const word = (value: number) => value.toString(16).padStart(64, '0')
    let data = sweep(account).slice(2)
    for (let depth = 0; depth < 5; depth += 1) {
      const length = data.length / 2
      const offsets = Array.from({ length: 80 }, () => word(80 * 32))
      data = `ac9650d8${word(0x20)}${word(80)}${offsets.join('')}${word(length)}${data.padEnd(Math.ceil(data.length / 64) * 64, '0')}`
    }
    expect(read(`0x${data}`)).toMatchObject({ isComplete: false, foreign: [] })
    const words = describeCall({ to, data: `0x${data}`, value: 0n }, { account, chainId: 1, routers: [] })
    expect(words).toMatchObject({ kind: 'unknown', warnings: ['foreign-receiver'] })
  })

  it('describes the call as unknown, with function names and recipients', () => {
    const data = multicall(sweep(thief))
    expect(describeCall({ to, data, value: 1n }, { account, chainId: 1, routers: [] })).toMatchObject({
      kind: 'unknown',
      name: 'multicall: sweepToken',
      recipients: [thief],
      warnings: ['foreign-receiver'],
    })
  })
})
