import { concatHex, encodeAbiParameters, encodeFunctionData, parseAbi, parseAbiParameters, toHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { describeCall } from '../../../src/domain/abi/callWords.ts'
import { readRecipients } from '../../../src/domain/abi/recipients.ts'
import type { Address, Hex } from '../../../src/domain/token/token.ts'

const [account, to, thief, token] = ['a1', 'c0', 'bd', 'e5'].map(
  (byte): Address => `0x${byte.repeat(20)}`,
) as [Address, Address, Address, Address]
const self: Address = `0x${'00'.repeat(19)}02`
const late = 4_000_000_000n

const foreign = (data: Hex) => readRecipients(data, { to, account }).foreign

/** Calldata of a function by its Solidity signature. */
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
const modify = (...steps: [code: number, input: Hex][]) =>
  call('modifyLiquidities(bytes unlockData, uint256 deadline)', v4(...steps), late)
const key = [token, to, 500, 10, `0x${'00'.repeat(20)}`] as const

const swap = (recipient: Address, payerIsUser: boolean) =>
  encode('address, uint256, uint256, address[], bool', recipient, 1n, 1n, [token, to], payerIsUser)

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

describe('the recipient of a payout', () => {
  it.each(payouts)('is found when it is somebody else: %s', (_name, data) => {
    expect(foreign(data(thief))).toEqual([thief])
    expect(foreign(multicall(data(account), multicall(data(thief))))).toEqual([thief])
    // Bytes behind the arguments change nothing for a contract.
    expect(foreign(`${data(thief)}01`)).toEqual([thief])
  })

  it.each(payouts)('is nobody else when it is the account or the contract: %s', (_name, data) => {
    expect(foreign(multicall(data(account), data(to), data(self)))).toEqual([])
  })

  it('is found where offsets are not in order', () => {
    // Two words that nothing points to stand in front of the list.
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

  it('is found where an input of Universal Router is shorter than what is read', () => {
    const sweepInput = encode('address, address, uint256', token, thief, 0n)
    const data = execute([0x04, sweepInput])
    // The length of the input, said to be zero.
    const at = data.indexOf(sweepInput.slice(2)) - 64
    expect(foreign(`${data.slice(0, at)}${'0'.repeat(64)}${data.slice(at + 64)}` as Hex)).toEqual([thief])
  })

  it('is neither a fee of up to three percent nor the pair of a mixed route', () => {
    const fee = encode('address, address, uint256', token, thief, 300n)
    expect(foreign(execute([0x06, fee]))).toEqual([])
    expect(foreign(execute([0x08, swap(thief, true)], [0x08, swap(account, false)]))).toEqual([])
    expect(foreign(execute([0x08, swap(thief, true)], [0x08, swap(account, true)]))).toEqual([thief])
  })

  it('is said to be unread where there is more than the wallet reads', () => {
    // Each list points to the next one eighty times.
    const word = (value: number) => value.toString(16).padStart(64, '0')
    let data = sweep(account).slice(2)
    for (let depth = 0; depth < 5; depth += 1) {
      const length = data.length / 2
      const offsets = Array.from({ length: 80 }, () => word(80 * 32))
      data = `ac9650d8${word(0x20)}${word(80)}${offsets.join('')}${word(length)}${data.padEnd(Math.ceil(data.length / 64) * 64, '0')}`
    }
    const started = performance.now()
    expect(readRecipients(`0x${data}`, { to, account })).toMatchObject({ isComplete: false, foreign: [] })
    expect(performance.now() - started).toBeLessThan(1_000)
    const words = describeCall({ to, data: `0x${data}`, value: 0n }, { account, chainId: 1, routers: [] })
    expect(words).toMatchObject({ kind: 'unknown', warnings: ['foreign-receiver'] })
  })

  it('stays unknown in words, with names and recipients', () => {
    const data = multicall(sweep(thief))
    expect(describeCall({ to, data, value: 1n }, { account, chainId: 1, routers: [] })).toMatchObject({
      kind: 'unknown',
      name: 'multicall: sweepToken',
      recipients: [thief],
      warnings: ['foreign-receiver'],
    })
  })
})
