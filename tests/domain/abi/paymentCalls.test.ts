import { encodeFunctionData, type Hex, pad, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import { readPayment } from '../../../src/domain/abi/paymentCalls.ts'
import { describeCall } from '../../../src/domain/calldata/describeCall.ts'
import type { Address } from '../../../src/domain/token/token.ts'

const account: Address = `0x${'a1'.repeat(20)}`
const other: Address = `0x${'b2'.repeat(20)}`

const encode = (signature: string, args: unknown[]): Hex =>
  encodeFunctionData({ abi: parseAbi([`function ${signature}`] as readonly string[]), args } as never)

const chainId = 1
const payer = { account, chainId }
const ether = 10n ** 18n
const wrapped: Record<number, Address> = {
  10: '0x4200000000000000000000000000000000000006',
  56: '0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c',
}

const across = (terms: { from?: Hex; to?: Hex; output?: Hex; returned?: bigint; chain?: bigint } = {}) => {
  const { from = account, to = account, output = wrapped[10], returned = ether - 1n, chain = 10n } = terms
  const rest = [ether, returned, chain] as const
  const types = 'uint256 b, uint256 c, uint256 d'
  const end = 'uint32 f, uint32 g, uint32 h, bytes i'
  return [
    encode(`depositV3(address a, address to, address w, address o, ${types}, address e, ${end})`, [
      from,
      to,
      other,
      output,
      ...rest,
      other,
      1,
      2,
      3,
      '0x',
    ]),
    encode(`deposit(bytes32 a, bytes32 to, bytes32 w, bytes32 o, ${types}, bytes32 e, ${end})`, [
      pad(from),
      pad(to),
      pad(other),
      pad(output as Hex),
      ...rest,
      pad(other),
      1,
      2,
      3,
      '0x',
    ]),
  ]
}

const hop = ({ to = account, min = ether - 1n, deadline = 9n, fee = 0n } = {}) =>
  encode(
    'sendToL2(uint256 chainId, address to, uint256 amount, uint256 min, uint256 deadline, address relayer, uint256 fee)',
    [10n, to, ether, min, deadline, other, fee],
  )

const stargate = ({ to = account, refund = account, min = ether, options = '0x' as Hex } = {}) =>
  encode(
    'send((uint32 a, bytes32 to, uint256 b, uint256 c, bytes d, bytes e, bytes f) p, (uint256 a, uint256 b) fee, address refund)',
    [{ a: 1, to: pad(to), b: ether, c: min, d: options, e: '0x', f: '0x' }, { a: 1n, b: 0n }, refund],
  )

const bridges: [string, (to: Address) => Hex[]][] = [
  [
    'OP stack',
    (to) => [encode('bridgeETHTo(address to, uint32 minGasLimit, bytes extraData)', [to, 1, '0x'])],
  ],
  ['Polygon', (to) => [encode('depositEtherFor(address user)', [to])]],
  ['Across', (to) => across({ to })],
  ['Hop', (to) => [hop({ to })]],
  ['Stargate', (to) => [stargate({ to })]],
]

describe('readPayment', () => {
  it.each(bridges)(
    'recognises a bridge deposit through %s only when it pays the account itself',
    (_name, data) => {
      for (const own of data(account)) expect(readPayment(own, payer)).toMatchObject({ payees: [] })
      for (const foreign of data(other)) expect(readPayment(foreign, payer)).toBeUndefined()
    },
  )

  it.each<[string, Hex[]]>([
    ['for the same token', across({ output: pad('0x', { size: 20 }) })],
    ['without a swap at the end', [hop({ min: 0n, deadline: 0n })]],
    ['with a relayer’s fee of a tenth', [hop({ fee: ether / 10n })]],
    [
      'with a minimum of nine tenths',
      [hop({ min: (ether * 9n) / 10n }), stargate({ min: (ether * 9n) / 10n })],
    ],
    ['with empty options', [stargate({ options: '0x0003' })]],
  ])('recognises a bridge deposit %s', (_name, data) => {
    for (const one of data) expect(readPayment(one, payer)).toMatchObject({ payees: [] })
  })

  it.each<[string, Hex[]]>([
    ['returns one wei', across({ returned: 1n })],
    ['returns 89 percent', across({ returned: (ether * 89n) / 100n })],
    ['is refunded to another account if nobody fills it', across({ from: other, returned: 2n ** 200n })],
    ['pays in a token of another maker', across({ output: other })],
    ['pays in a cheaper native token', across({ output: wrapped[56] as Hex, chain: 56n })],
    ['pays on a chain that the wallet does not know', across({ chain: 999_999n })],
    [
      'has a minimum of 89 percent',
      [hop({ min: (ether * 89n) / 100n }), stargate({ min: (ether * 89n) / 100n })],
    ],
    ['gives a relayer a fifth', [hop({ fee: ether / 5n })]],
    ['gives a relayer more than all', [hop({ fee: 2n * ether })]],
    ['refunds what is too much to another account', [stargate({ refund: other })]],
    // A native drop of LayerZero: 0x0003 01 0031 02 amount receiver.
    ['drops native tokens on another account', [stargate({ options: `0x000301003102${'00'.repeat(48)}` })]],
  ])('recognises no bridge deposit that %s', (_name, data) => {
    for (const one of data) expect(readPayment(one, payer)).toBeUndefined()
  })

  it('recognises an ENS renewal, a loan repayment and a deposit', () => {
    expect(readPayment(encode('renew(string name, uint256 time)', ['lantern', 1n]), payer)).toEqual({
      name: 'renew',
      payees: [],
    })
    expect(readPayment(encode('repayBorrow()', []), payer)).toEqual({ name: 'repayBorrow', payees: [] })
    // Without arguments it cannot name another account.
    const deposit = { to: other, data: encode('deposit()', []), value: 1n }
    expect(describeCall(deposit, { ...payer, routers: [] })).toMatchObject({ isPayment: true })
  })

  it('returns every payee of a batch payment', () => {
    const data = encode('disperseEther(address[] to, uint256[] amounts)', [
      [other, account],
      [1n, 2n],
    ])
    expect(readPayment(data, payer)).toEqual({ name: 'disperseEther', payees: [other, account] })
  })

  it('returns undefined for trailing bytes and unknown functions', () => {
    expect(readPayment(`${encode('depositEtherFor(address user)', [account])}00`, payer)).toBeUndefined()
    expect(readPayment('0x1a2b3c4d', payer)).toBeUndefined()
    expect(readPayment('0x', payer)).toBeUndefined()
  })
})
