import { encodeFunctionData, type Hex, pad, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import { readPayment } from '../../../src/domain/abi/paymentCalls.ts'
import { describeCall } from '../../../src/domain/calldata/describeCall.ts'
import type { Address } from '../../../src/domain/token/token.ts'

const account: Address = `0x${'a1'.repeat(20)}`
const other: Address = `0x${'b2'.repeat(20)}`

const encode = (signature: string, args: unknown[]): Hex =>
  encodeFunctionData({ abi: parseAbi([`function ${signature}`] as readonly string[]), args } as never)

const bridges: [string, (to: Address) => Hex][] = [
  ['OP stack', (to) => encode('bridgeETHTo(address to, uint32 minGasLimit, bytes extraData)', [to, 1, '0x'])],
  ['Polygon', (to) => encode('depositEtherFor(address user)', [to])],
  [
    'Hop',
    (to) =>
      encode('sendToL2(uint256 a, address to, uint256 b, uint256 c, uint256 d, address e, uint256 f)', [
        10n,
        to,
        1n,
        1n,
        1n,
        other,
        0n,
      ]),
  ],
  [
    'Stargate',
    (to) =>
      encode(
        'send((uint32 a, bytes32 to, uint256 b, uint256 c, bytes d, bytes e, bytes f) p, (uint256 a, uint256 b) fee, address refund)',
        [{ a: 1, to: pad(to), b: 1n, c: 1n, d: '0x', e: '0x', f: '0x' }, { a: 1n, b: 0n }, account],
      ),
  ],
]

describe('readPayment', () => {
  it.each(bridges)(
    'recognises a bridge deposit through %s only when it pays the account itself',
    (_name, data) => {
      expect(readPayment(data(account), account)).toMatchObject({ payees: [] })
      expect(readPayment(data(other), account)).toBeUndefined()
    },
  )

  it('recognises an ENS renewal, a loan repayment and a deposit', () => {
    expect(readPayment(encode('renew(string name, uint256 time)', ['lantern', 1n]), account)).toEqual({
      name: 'renew',
      payees: [],
    })
    expect(readPayment(encode('repayBorrow()', []), account)).toEqual({ name: 'repayBorrow', payees: [] })
    // Without arguments it cannot name another account.
    const deposit = { to: other, data: encode('deposit()', []), value: 1n }
    expect(describeCall(deposit, { account, chainId: 1, routers: [] })).toMatchObject({ isPayment: true })
  })

  it('returns every payee of a batch payment', () => {
    const data = encode('disperseEther(address[] to, uint256[] amounts)', [
      [other, account],
      [1n, 2n],
    ])
    expect(readPayment(data, account)).toEqual({ name: 'disperseEther', payees: [other, account] })
  })

  it('returns undefined for trailing bytes and unknown functions', () => {
    expect(readPayment(`${encode('depositEtherFor(address user)', [account])}00`, account)).toBeUndefined()
    expect(readPayment('0x1a2b3c4d', account)).toBeUndefined()
    expect(readPayment('0x', account)).toBeUndefined()
  })
})
