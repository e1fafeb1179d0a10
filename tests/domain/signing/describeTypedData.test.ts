import { toHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { describeTypedData } from '../../../src/domain/signing/describeTypedData.ts'
import { signedFields } from '../../../src/domain/signing/signedFields.ts'
import { parseTypedData } from '../../../src/domain/signing/typedData.ts'
import type { Address } from '../../../src/domain/token/token.ts'
import {
  account,
  address,
  context,
  day,
  describeIt,
  late,
  nobody,
  now,
  onChain,
  other,
  soon,
  token,
} from '../../helpers/samples/describedTypedData.ts'
import { mail } from '../../helpers/samples/typedDataSamples.ts'

describe('orders', () => {
  const oneInch = {
    Order:
      'uint256 salt,address maker,address receiver,address makerAsset,address takerAsset,uint256 makingAmount,' +
      'uint256 takingAmount,uint256 makerTraits',
  }
  const router = '0x111111125421ca6dc452d289314280a0f8842a65'
  const limit = {
    salt: 1,
    maker: account,
    receiver: nobody,
    makerAsset: token,
    takerAsset: other,
    makingAmount: 10,
    takingAmount: 20,
    makerTraits: `${(BigInt(soon) << 80n) | (1n << 255n) | 5n}`,
  }

  it('describes a 1inch order', () => {
    expect(describeIt(oneInch, limit, router)).toEqual({
      kind: 'order',
      contract: router,
      network: onChain,
      venue: '1inch',
      side: 'sell',
      isFloorCertain: true,
      terms: {
        owner: account,
        leaves: [{ token, amount: 10n }],
        arrives: [{ token: other, amount: 20n, to: account }],
        fees: [],
        until: BigInt(soon),
      },
      warnings: [],
    })
  })

  it('warns of a 1inch order with a foreign recipient, no expiry or computed amounts', () => {
    const warnings = (changes: object) => describeIt(oneInch, { ...limit, ...changes }, router).warnings
    expect(warnings({ receiver: account })).toEqual([])
    expect(warnings({ receiver: other })).toEqual(['foreign-recipient'])
    expect(warnings({ makerTraits: 5 })).toEqual(['long-lived'])
    expect(warnings({ maker: other })).toEqual(['foreign-owner', 'foreign-recipient'])
    // The bit lets a signed extension compute the amounts.
    const traits = (BigInt(soon) << 80n) | (1n << 249n)
    expect(warnings({ makerTraits: `${traits}` })).toEqual(['price-by-code'])
    expect(describeIt(oneInch, limit, other).warnings).toEqual(['unknown-contract'])
  })

  const cow = {
    Order:
      'address sellToken,address buyToken,address receiver,uint256 sellAmount,uint256 buyAmount,uint32 validTo,' +
      'bytes32 appData,uint256 feeAmount,string kind,bool partiallyFillable,string sellTokenBalance,string buyTokenBalance',
  }
  const settlement = '0x9008D19f58AAbD9eD0D60971565AA8510560ab41'
  const batch = {
    sellToken: token,
    buyToken: other,
    receiver: account,
    sellAmount: 10,
    buyAmount: 20,
    validTo: soon,
    appData: `0x${'00'.repeat(32)}`,
    feeAmount: 1,
    kind: 'buy',
    partiallyFillable: false,
    sellTokenBalance: 'erc20',
    buyTokenBalance: 'erc20',
  }

  it('describes a CoW order', () => {
    expect(describeIt(cow, batch, settlement)).toEqual({
      kind: 'order',
      contract: settlement.toLowerCase(),
      network: onChain,
      venue: 'CoW Protocol',
      side: 'buy',
      isFloorCertain: true,
      terms: {
        owner: account,
        leaves: [{ token, amount: 11n }],
        arrives: [{ token: other, amount: 20n, to: account }],
        fees: [{ token, amount: 1n }],
        until: BigInt(soon),
      },
      warnings: [],
    })
  })

  it('warns of a CoW order with a foreign recipient, a long validity, no return or an unlimited amount', () => {
    const warnings = (changes: object) => describeIt(cow, { ...batch, ...changes }, settlement).warnings
    expect(warnings({ receiver: nobody })).toEqual([])
    expect(warnings({ receiver: other })).toEqual(['foreign-recipient'])
    expect(warnings({ validTo: late })).toEqual([])
    expect(warnings({ validTo: now / 1_000 + 31 * day })).toEqual([])
    expect(warnings({ validTo: now / 1_000 + 31 * day + 1 })).toEqual(['long-lived'])
    expect(warnings({ buyAmount: 0 })).toEqual(['no-return'])
    expect(warnings({ sellAmount: `${2n ** 255n}` })).toEqual(['unlimited'])
    expect(describeIt(cow, { ...batch, kind: 'swap' }, settlement).kind).toBe('other')
  })
})

describe('other typed data', () => {
  it('describes the fields under their own names', () => {
    expect(describeTypedData(parseTypedData(mail), context)).toEqual({
      kind: 'other',
      network: onChain,
      name: 'Ether Mail',
      contract: address('cc'),
      primaryType: 'Mail',
      fields: [
        {
          name: 'from',
          type: 'Person',
          value: [
            { name: 'name', type: 'string', value: 'Cow' },
            { name: 'wallet', type: 'address', value: '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826' },
          ],
        },
        {
          name: 'to',
          type: 'Person',
          value: [
            { name: 'name', type: 'string', value: 'Bob' },
            { name: 'wallet', type: 'address', value: address('bb') },
          ],
        },
        { name: 'contents', type: 'string', value: 'Hello, Bob!' },
      ],
      warnings: [],
    })
  })

  it('returns no fields when the domain is the primary type', () => {
    const alone = { ...mail, primaryType: 'EIP712Domain', message: {} }
    expect(signedFields(parseTypedData(alone))).toEqual([])
  })
})

describe('operations of smart accounts', () => {
  const gas =
    'uint256 callGasLimit,uint256 verificationGasLimit,uint256 preVerificationGas,uint256 maxFeePerGas,uint256 maxPriorityFeePerGas'
  const start = 'address sender,uint256 nonce,bytes initCode,bytes callData'
  const plain = { UserOperation: `${start},${gas},bytes paymasterAndData` }
  const packed = {
    PackedUserOperation: `${start},bytes32 accountGasLimits,uint256 preVerificationGas,bytes32 gasFees,bytes paymasterAndData`,
  }
  const common = { sender: other, nonce: 1, initCode: '0x', callData: '0x', paymasterAndData: '0x' }
  const gwei = 10n ** 9n
  const halves = (high: bigint, low: bigint) => toHex((high << 128n) | low, { size: 32 })
  const operation = ({ preVerificationGas = 50_000n, fee = 2n * gwei, paymasterAndData = '0x' }) => {
    const terms = { ...common, preVerificationGas: `${preVerificationGas}`, paymasterAndData }
    return [
      describeIt(plain, {
        ...terms,
        callGasLimit: 200_000,
        verificationGasLimit: 300_000,
        maxFeePerGas: `${fee}`,
        maxPriorityFeePerGas: 1,
      }),
      describeIt(packed, {
        ...terms,
        accountGasLimits: halves(300_000n, 200_000n),
        gasFees: halves(1n, fee),
      }),
    ]
  }
  const ether = 10n ** 18n
  const coin = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'

  it('describes the fee that the account pays at most', () => {
    for (const description of operation({})) {
      expect(description).toMatchObject({ fee: { token: coin, amount: 550_000n * 2n * gwei } })
      expect(description.warnings).not.toContain('large-fee')
    }
  })

  it.each<[string, Parameters<typeof operation>[0]]>([
    ['all gas before the verification', { preVerificationGas: 5n * ether }],
    ['a high price', { fee: ether }],
    ['no paymaster but its data', { fee: ether, paymasterAndData: `0x${'00'.repeat(60)}` }],
  ])('warns of a fee above the limit of the network by %s', (_how, terms) => {
    for (const { warnings } of operation(terms)) expect(warnings).toContain('large-fee')
  })

  it('describes no fee when a paymaster pays', () => {
    for (const description of operation({ fee: ether, paymasterAndData: `0x${'5a'.repeat(52)}` })) {
      expect(description).not.toHaveProperty('fee')
    }
  })
})

describe('transactions of a Safe', () => {
  const types = {
    SafeTx:
      'address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce',
  }
  const safeTx = (to: Address, data: string) =>
    describeIt(types, {
      to,
      value: 0,
      data,
      operation: 0,
      safeTxGas: 0,
      baseGas: 0,
      gasPrice: 0,
      gasToken: nobody,
      refundReceiver: nobody,
      nonce: 1,
    })

  it('warns of a call to the Safe itself, which may hand it over', () => {
    // enableModule(address)
    const enable = `0x610b5925${'00'.repeat(12)}${'bd'.repeat(20)}`
    expect(safeTx(token, enable).warnings).toEqual(['self-call'])
    expect(safeTx(other, enable).warnings).toEqual([])
    // Without data it only replaces another transaction.
    expect(safeTx(token, '0x').warnings).toEqual([])
  })
})

it('warns when one order of a tree returns nothing', () => {
  const item =
    'uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount'
  const of = (amount: number) => ({
    itemType: 1,
    token,
    identifierOrCriteria: 0,
    startAmount: amount,
    endAmount: amount,
  })
  const orderOf = (wanted: object[]) => ({
    offerer: account,
    zone: nobody,
    offer: [of(5)],
    consideration: wanted,
    orderType: 0,
    startTime: 1,
    endTime: soon,
    zoneHash: toHex(0, { size: 32 }),
    salt: 1,
    conduitKey: toHex(0, { size: 32 }),
    counter: 0,
  })
  const tree = (wanted: object[]) =>
    describeIt(
      {
        BulkOrder: 'OrderComponents[2] tree',
        OrderComponents:
          'address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter',
        OfferItem: item,
        ConsiderationItem: `${item},address recipient`,
      },
      { tree: [orderOf([{ ...of(9), recipient: account }]), orderOf(wanted)] },
      '0x0000000000000068f116a894984e2db1123eb395',
    )
  expect(tree([]).warnings).toEqual(['no-return'])
  expect(tree([{ ...of(9), recipient: other }]).warnings).toEqual(['no-return'])
  expect(tree([{ ...of(9), recipient: account }])).toMatchObject({
    warnings: [],
    orders: [{ arrives: [{ amount: 9n }] }, { arrives: [{ amount: 9n }] }],
  })
})
