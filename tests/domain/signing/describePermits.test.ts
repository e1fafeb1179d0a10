import { describe, expect, it } from 'vitest'
import { describeTypedData } from '../../../src/domain/signing/describeTypedData.ts'
import { parseTypedData } from '../../../src/domain/signing/typedData.ts'
import {
  account,
  context,
  day,
  describeIt,
  late,
  members,
  now,
  onChain,
  other,
  permit2,
  soon,
  spender,
  token,
} from '../../helpers/samples/describedTypedData.ts'

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
