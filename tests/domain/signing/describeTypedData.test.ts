import { toHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { describeTypedData } from '../../../src/domain/signing/describeTypedData.ts'
import { signedFields } from '../../../src/domain/signing/signedFields.ts'
import { parseTypedData } from '../../../src/domain/signing/typedData.ts'
import type { Address } from '../../../src/domain/token/token.ts'
import { mail } from '../../helpers/samples/typedDataSamples.ts'

const address = (byte: string): Address => `0x${byte.repeat(20)}`
const account = address('aa')
const spender = address('5e')
const token = address('70')
const other = address('77')
const nobody = address('00')
const permit2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
const now = 1_700_000_000_000
const soon = 1_700_000_600
const late = 1_700_090_000
const context = { account, chainId: 1, now, origin: 'https://app.example' }
const onChain = { kind: 'chain', chainId: 1n }
const day = 86_400

const members = (text: string) =>
  text.split(',').map((each) => {
    const [type = '', name = ''] = each.trim().split(' ')
    return { type, name }
  })

function describeIt(structs: Record<string, string>, message: unknown, contract: string | undefined = token) {
  const types = Object.fromEntries(Object.entries(structs).map(([name, text]) => [name, members(text)]))
  const domain = { chainId: 1, ...(contract !== undefined && { verifyingContract: contract }) }
  const typedData = parseTypedData({ domain, types, primaryType: Object.keys(structs)[0], message })
  return describeTypedData(typedData, context)
}

describe('EIP-2612 permits', () => {
  const types = {
    Permit: 'address owner,address spender,uint256 value,uint256 nonce,uint256 deadline',
  }
  const message = { owner: account, spender, value: '5', nonce: '0', deadline: `${soon}` }

  it('describes an EIP-2612 permit', () => {
    expect(describeIt(types, message)).toEqual({
      kind: 'permit',
      standard: 'EIP-2612',
      contract: token,
      network: onChain,
      isLasting: true,
      isUntilRevoked: true,
      terms: {
        owner: account,
        leaves: [{ token, amount: 5n }],
        arrives: [],
        fees: [],
        spender,
        until: BigInt(soon),
      },
      warnings: [],
    })
  })

  it('warns of an unlimited amount, a long validity and a foreign owner', () => {
    const warnings = (changes: object) => describeIt(types, { ...message, ...changes }).warnings
    expect(warnings({ value: `${2n ** 127n}` })).toEqual([])
    // Maximum amounts of different tokens.
    for (const bits of [96n, 128n, 256n]) {
      expect(warnings({ value: `${2n ** bits - 1n}` })).toEqual(['unlimited'])
    }
    expect(warnings({ deadline: `${now / 1_000 + day}` })).toEqual([])
    expect(warnings({ deadline: `${now / 1_000 + day + 1}` })).toEqual(['long-lived'])
    expect(warnings({ deadline: late, value: 0 })).toEqual([])
    expect(warnings({ owner: other })).toEqual(['foreign-owner'])
  })

  it('recognises only the exact type definition', () => {
    const near = [
      types.Permit.replace('value', 'amount'),
      types.Permit.replace('uint256 deadline', 'uint64 deadline'),
      'address spender,address owner,uint256 value,uint256 nonce,uint256 deadline',
      `${types.Permit},bool all`,
    ]
    const values = { ...message, amount: '5', all: true }
    for (const Permit of near) {
      const said = members(Permit).map(({ name }) => [name, values[name as keyof typeof values]])
      expect(describeIt({ Permit }, Object.fromEntries(said)).kind).toBe('other')
    }
    const types2 = { Permit: members(types.Permit) }
    const noContract = parseTypedData({ domain: {}, types: types2, primaryType: 'Permit', message })
    expect(describeTypedData(noContract, context).kind).toBe('other')
  })
})

describe('DAI permits', () => {
  const types = { Permit: 'address holder,address spender,uint256 nonce,uint256 expiry,bool allowed' }
  const message = { holder: account, spender, nonce: 1, expiry: soon, allowed: true }

  it('describes a DAI permit as an unlimited allowance', () => {
    expect(describeIt(types, message)).toEqual({
      kind: 'permit',
      standard: 'DAI',
      contract: token,
      network: onChain,
      isLasting: true,
      isUntilRevoked: true,
      terms: {
        owner: account,
        leaves: [{ token, amount: 'all' }],
        arrives: [],
        fees: [],
        spender,
        until: BigInt(soon),
      },
      warnings: ['unlimited'],
    })
  })

  it('warns of a permit without expiry, but not of a revocation', () => {
    expect(describeIt(types, { ...message, expiry: 0 }).warnings).toEqual(['unlimited', 'long-lived'])
    expect(describeIt(types, { ...message, expiry: 0, allowed: false }).warnings).toEqual([])
    expect(describeIt(types, { ...message, holder: other }).warnings).toEqual(['unlimited', 'foreign-owner'])
  })
})

describe('Permit2', () => {
  const PermitDetails = 'address token,uint160 amount,uint48 expiration,uint48 nonce'
  const TokenPermissions = 'address token,uint256 amount'
  const details = { token, amount: '7', expiration: soon, nonce: 0 }
  const single = { PermitSingle: 'PermitDetails details,address spender,uint256 sigDeadline', PermitDetails }
  const once = 'address spender,uint256 nonce,uint256 deadline'
  const transfer = { PermitTransferFrom: `TokenPermissions permitted,${once}`, TokenPermissions }
  const permitted = { token, amount: '7' }

  it('describes an allowance of one token', () => {
    expect(describeIt(single, { details, spender, sigDeadline: soon }, permit2)).toEqual({
      kind: 'permit',
      standard: 'Permit2',
      contract: permit2.toLowerCase(),
      network: onChain,
      isLasting: true,
      isUntilRevoked: false,
      terms: {
        owner: account,
        leaves: [{ token, amount: 7n }],
        arrives: [],
        fees: [],
        spender,
        until: BigInt(soon),
      },
      warnings: [],
    })
  })

  it('describes an allowance of several tokens', () => {
    const batch = {
      PermitBatch: 'PermitDetails[] details,address spender,uint256 sigDeadline',
      PermitDetails,
    }
    const message = {
      details: [details, { ...details, token: other, expiration: late }],
      spender,
      sigDeadline: soon,
    }
    expect(describeIt(batch, message, permit2)).toMatchObject({
      isLasting: true,
      isUntilRevoked: false,
      terms: {
        leaves: [
          { token, amount: 7n },
          { token: other, amount: 7n },
        ],
        until: BigInt(late),
      },
      warnings: ['long-lived'],
    })
  })

  it('describes transfers of one and of several tokens', () => {
    const message = { permitted, spender, nonce: 3, deadline: soon }
    expect(describeIt(transfer, message, permit2)).toEqual({
      kind: 'permit',
      standard: 'Permit2',
      contract: permit2.toLowerCase(),
      network: onChain,
      isLasting: false,
      isUntilRevoked: false,
      terms: {
        owner: account,
        leaves: [{ token, amount: 7n }],
        arrives: [],
        fees: [],
        spender,
        until: BigInt(soon),
      },
      warnings: [],
    })
    const batch = { PermitBatchTransferFrom: `TokenPermissions[] permitted,${once}`, TokenPermissions }
    const both = { ...message, permitted: [permitted, { token: other, amount: 1 }] }
    expect(describeIt(batch, both, permit2)).toMatchObject({
      terms: {
        leaves: [
          { token, amount: 7n },
          { token: other, amount: 1n },
        ],
      },
    })
  })

  it('keeps the witness for a spender that is not a known reactor', () => {
    const types = {
      PermitWitnessTransferFrom: `TokenPermissions permitted,${once},ExclusiveDutchOrder witness`,
      TokenPermissions,
      ExclusiveDutchOrder: 'address swapper,Output[] outputs',
      Output: 'address token,uint256 endAmount,address recipient',
    }
    const outputs = [{ token: other, endAmount: 9, recipient: account }]
    const witness = { swapper: account, outputs }
    const message = { permitted, spender, nonce: 3, deadline: soon, witness }
    expect(describeIt(types, message, permit2)).toMatchObject({
      kind: 'permit',
      isLasting: false,
      isUntilRevoked: false,
      terms: { spender, leaves: [{ token, amount: 7n }] },
      witness: {
        name: 'witness',
        type: 'ExclusiveDutchOrder',
        value: [
          { name: 'swapper', type: 'address', value: account },
          {
            name: 'outputs',
            type: 'Output[]',
            value: [
              {
                name: '0',
                type: 'Output',
                value: [
                  { name: 'token', value: other },
                  { name: 'endAmount', value: '9' },
                  { name: 'recipient', value: account },
                ],
              },
            ],
          },
        ],
      },
      warnings: [],
    })
    const { PermitWitnessTransferFrom: _, ...rest } = types
    const batch = {
      PermitBatchWitnessTransferFrom: `TokenPermissions[] permitted,${once},ExclusiveDutchOrder witness`,
      ...rest,
    }
    expect(describeIt(batch, { ...message, permitted: [permitted] }, permit2)).toMatchObject({
      kind: 'permit',
      witness: { type: 'ExclusiveDutchOrder' },
    })
  })

  it('warns of an unlimited amount, a long validity and an unknown contract', () => {
    const warnings = (changes: object, contract = permit2) =>
      describeIt(single, { details: { ...details, ...changes }, spender, sigDeadline: soon }, contract)
        .warnings
    expect(warnings({ amount: `${2n ** 127n}` })).toEqual([])
    expect(warnings({ amount: `${2n ** 160n - 1n}` })).toEqual(['unlimited'])
    expect(warnings({ expiration: `${2n ** 48n - 1n}` })).toEqual(['long-lived'])
    expect(warnings({ expiration: late, amount: 0 })).toEqual([])
    expect(warnings({}, other)).toEqual(['unknown-contract'])
    const message = { permitted: { token, amount: `${2n ** 256n - 1n}` }, spender, nonce: 3, deadline: late }
    expect(describeIt(transfer, message, permit2).warnings).toEqual(['unlimited', 'long-lived'])
  })

  it('recognises only the exact type definition', () => {
    const wide = { ...single, PermitDetails: PermitDetails.replace('uint160', 'uint256') }
    expect(describeIt(wide, { details, spender, sigDeadline: soon }, permit2).kind).toBe('other')
  })
})

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
