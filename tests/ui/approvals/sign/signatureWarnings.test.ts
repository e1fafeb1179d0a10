import { describe, expect, it } from 'vitest'
import { describeTypedData } from '../../../../src/domain/signing/describeTypedData.ts'
import { parseTypedData } from '../../../../src/domain/signing/typedData.ts'
import { ownRouter } from '../../../../src/domain/swap/routers.ts'
import type { Address } from '../../../../src/domain/token/token.ts'
import { signatureWarnings } from '../../../../src/ui/approvals/sign/signatureWarnings.ts'

const address = (byte: string): Address => `0x${byte.repeat(20)}`
const [account, thief, token, other] = ['aa', 'bd', '70', '77'].map(address) as [
  Address,
  Address,
  Address,
  Address,
]
const router: Address = '0x111111125421ca6dc452d289314280a0f8842a65'
const permit2 = '0x000000000022d473030f116ddee9f6b43ac78ba3'
const seaport = '0x0000000000000068f116a894984e2db1123eb395'
const now = 1_700_000_000_000
const soon = 1_700_000_600
const late = 1_700_090_000
const [most256, most160, most48] = [256n, 160n, 48n].map((bits) => `${2n ** bits - 1n}`)

type Structs = Record<string, string>

function doubts(structs: Structs, message: unknown, verifyingContract: string, trusted?: Address) {
  const members = (text: string) =>
    text.split(',').map((each) => {
      const [type = '', name = ''] = each.split(' ')
      return { type, name }
    })
  const types = Object.fromEntries(Object.entries(structs).map(([name, text]) => [name, members(text)]))
  const domain = { verifyingContract, chainId: 1 }
  const typedData = parseTypedData({ domain, types, primaryType: Object.keys(structs)[0], message })
  const description = describeTypedData(typedData, {
    account,
    chainId: 1,
    now,
    origin: 'https://app.example',
  })
  return signatureWarnings(description, { router: trusted, networkName: 'Ethereum', chainId: 1 })
}

const eip2612 = { Permit: 'address owner,address spender,uint256 value,uint256 nonce,uint256 deadline' }
const permit = (changes: object) =>
  [
    eip2612,
    { owner: account, spender: router, value: 5, nonce: 0, deadline: soon, ...changes },
    token,
  ] as const

const daiTypes = { Permit: 'address holder,address spender,uint256 nonce,uint256 expiry,bool allowed' }
const dai = (changes: object) =>
  [
    daiTypes,
    { holder: account, spender: router, nonce: 0, expiry: soon, allowed: true, ...changes },
    token,
  ] as const

const PermitDetails = 'address token,uint160 amount,uint48 expiration,uint48 nonce'
const lasting = 'address spender,uint256 sigDeadline'
const single = (changes: object, contract: string = permit2, details: object = {}) =>
  [
    { PermitSingle: `PermitDetails details,${lasting}`, PermitDetails },
    {
      details: { token, amount: 5, expiration: soon, nonce: 0, ...details },
      spender: router,
      sigDeadline: soon,
      ...changes,
    },
    contract,
  ] as const
const batch = (changes: object, last: object = {}) =>
  [
    { PermitBatch: `PermitDetails[] details,${lasting}`, PermitDetails },
    {
      details: [token, other].map((each, at) => ({
        token: each,
        amount: 5,
        expiration: soon,
        nonce: 0,
        ...(at === 1 && last),
      })),
      spender: router,
      sigDeadline: soon,
      ...changes,
    },
    permit2,
  ] as const

const TokenPermissions = 'address token,uint256 amount'
const once = 'address spender,uint256 nonce,uint256 deadline'
const transfer = (changes: object, contract: string = permit2) =>
  [
    { PermitTransferFrom: `TokenPermissions permitted,${once}`, TokenPermissions },
    { permitted: { token, amount: 5 }, spender: router, nonce: 0, deadline: soon, ...changes },
    contract,
  ] as const
const transfers = (changes: object) =>
  [
    { PermitBatchTransferFrom: `TokenPermissions[] permitted,${once}`, TokenPermissions },
    { permitted: [{ token, amount: 5 }], spender: router, nonce: 0, deadline: soon, ...changes },
    permit2,
  ] as const
const witnessed = (changes: object) =>
  [
    {
      PermitWitnessTransferFrom: `TokenPermissions permitted,${once},Order witness`,
      TokenPermissions,
      Order: 'address to,Leg[] legs',
      Leg: 'address token,uint256 amount',
    },
    {
      permitted: { token, amount: 5 },
      spender: router,
      nonce: 0,
      deadline: soon,
      witness: { to: thief, legs: [{ token, amount: 1 }] },
      ...changes,
    },
    permit2,
  ] as const

const stranger = 'Sluice doesn’t recognize the spender.'
const unlimited = 'Unlimited: it covers your entire current and future balance.'
const long = 'It stays valid for longer than usual.'
const longToSubmit = 'This signature can be submitted for longer than usual.'
const foreignOwner = 'It’s for a different account than the one signing.'
const wrongContract = 'It imitates a well-known contract but is for a different one.'
const note =
  'Sluice doesn’t recognize this data. A contract could act on your signature without asking you again.'

const trust = 'I trust this site with my signature'

type Case = [name: string, typed: readonly [Structs, object, string], ...says: string[]]

const cases: Case[] = [
  ['EIP-2612 to a stranger', permit({ spender: thief }), stranger],
  ['EIP-2612 without limit', permit({ value: most256 }), unlimited],
  ['EIP-2612 for two days', permit({ deadline: late }), longToSubmit],
  ['EIP-2612 for ever', permit({ deadline: most256 }), longToSubmit],
  [
    'EIP-2612 all at once',
    permit({ spender: thief, value: most256, deadline: most256 }),
    stranger,
    unlimited,
    longToSubmit,
  ],
  ['EIP-2612 of somebody else', permit({ owner: other }), foreignOwner],
  ['EIP-2612 to the signer’s own address', permit({ spender: account }), stranger],
  ['EIP-2612 to nobody', permit({ spender: address('00') }), stranger],
  ['DAI', dai({}), unlimited],
  ['DAI to a stranger', dai({ spender: thief }), stranger, unlimited],
  ['DAI for two days', dai({ expiry: late }), unlimited, longToSubmit],
  ['DAI for ever', dai({ expiry: 0 }), unlimited, longToSubmit],
  ['DAI of somebody else', dai({ holder: other }), unlimited, foreignOwner],
  ['Permit2, one token, to a stranger', single({ spender: thief }), stranger],
  ['Permit2, one token, without limit', single({}, permit2, { amount: most160 }), unlimited],
  ['Permit2, one token, for ever', single({}, permit2, { expiration: most48 }), long],
  ['Permit2, one token, to be shown for ever', single({ sigDeadline: most256 }), long],
  ['Permit2 at another address', single({}, thief), wrongContract],
  ['Permit2, several, to a stranger', batch({ spender: thief }), stranger],
  ['Permit2, several, the last without limit', batch({}, { amount: most160 }), unlimited],
  ['Permit2, several, the last for two days', batch({}, { expiration: late }), long],
  ['Permit2, a transfer to a stranger', transfer({ spender: thief }), stranger],
  ['Permit2, a transfer of everything', transfer({ permitted: { token, amount: most256 } }), unlimited],
  ['Permit2, a transfer to be shown for ever', transfer({ deadline: most256 }), long],
  ['Permit2, a transfer at another address', transfer({}, thief), wrongContract],
  ['Permit2, transfers to a stranger', transfers({ spender: thief }), stranger],
  ['Permit2, transfers of everything', transfers({ permitted: [{ token, amount: most256 }] }), unlimited],
  ['Permit2 with an order, to a stranger', witnessed({ spender: thief }), stranger],
  [
    'an order as Seaport has them',
    [
      {
        OrderComponents: 'address offerer,OfferItem[] offer,ConsiderationItem[] consideration',
        OfferItem: 'uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount',
        ConsiderationItem: 'uint8 itemType,address token,uint256 startAmount,address recipient',
      },
      {
        offerer: account,
        offer: [{ itemType: 1, token, identifierOrCriteria: 0, startAmount: most256 }],
        consideration: [{ itemType: 0, token: other, startAmount: 1, recipient: thief }],
      },
      seaport,
    ],
    note,
  ],
  [
    'permits inside another struct',
    [
      { Bundle: 'Permit[] permits', ...eip2612 },
      { permits: [{ owner: account, spender: thief, value: most256, nonce: 0, deadline: most256 }] },
      token,
    ],
    note,
  ],
  [
    'a permit with one field more',
    [{ Permit: `${eip2612.Permit},bool all` }, { ...permit({})[1], all: true }, token],
    note,
  ],
  [
    'Permit2 with a wider amount',
    [
      { ...single({})[0], PermitDetails: PermitDetails.replace('uint160', 'uint256') },
      single({})[1],
      permit2,
    ],
    note,
  ],
]

describe('signatureWarnings', () => {
  it('covers at least 30 permits and orders', () => {
    expect(cases.length).toBeGreaterThanOrEqual(30)
  })

  it.each(cases)('returns the expected warnings and acknowledgement for: %s', (_name, typed, ...says) => {
    const { isSpenderKnown, doubts: found, notes, tick } = doubts(...typed)
    expect([...found, ...notes]).toEqual(says)
    expect(notes).toEqual(says.includes(note) ? [note] : [])
    expect(tick).toBe(says.includes(note) ? trust : 'I understand the risk and want to sign')
    expect(isSpenderKnown).toBe(!says.includes(stranger))
  })

  it('adds a note and an acknowledgement for an unknown message for a contract', () => {
    const mail = [
      { Mail: 'Person from,string contents', Person: 'string name,address wallet' },
      { from: { name: 'Cow', wallet: account }, contents: 'Hello' },
      token,
    ] as const
    expect(doubts(...mail)).toEqual({ isSpenderKnown: true, doubts: [], notes: [note], tick: trust })
  })

  it.each<[string, Case[1], Address | undefined]>([
    ['a little, to a router that everybody knows', permit({}), undefined],
    ['a little, to the router that the user trusts', permit({ spender: thief }), thief],
    ['nothing any more', permit({ value: 0, deadline: most256, spender: thief }), undefined],
    ['nothing any more of DAI', dai({ allowed: false, expiry: 0, spender: thief }), undefined],
    ['a little through Permit2', single({}), undefined],
  ])('requires an acknowledgement without warnings for a permit of %s', (_name, typed, trusted) => {
    expect(doubts(...typed, trusted)).toEqual({
      isSpenderKnown: true,
      doubts: [],
      notes: [],
      tick: 'I allow the spender to take this',
    })
  })

  const ownTo = { spender: ownRouter(1)?.address }

  it.each<[string, Case[1]]>([
    ['by EIP-2612', permit(ownTo)],
    ['through Permit2, for a time', single(ownTo)],
    ['through Permit2, once', transfer(ownTo)],
  ])('marks a small permit to the wallet’s own router as calm: %s', (_name, typed) => {
    expect(doubts(...typed)).toEqual({
      isSpenderKnown: true,
      isCalm: true,
      doubts: [],
      notes: [],
      tick: 'I allow Sluice’s router to spend this',
    })
  })

  it.each<[string, Case[1], Address | undefined]>([
    ['without limit', permit({ ...ownTo, value: most256 }), undefined],
    ['for long', permit({ ...ownTo, deadline: late }), undefined],
    ['of all DAI', dai(ownTo), undefined],
    ['of another owner', permit({ ...ownTo, owner: thief }), undefined],
    ['with data of another contract', witnessed(ownTo), undefined],
    ['to another router', permit({}), undefined],
    ['to a router that only the user trusts', permit({ spender: thief }), thief],
    ['of nothing', permit({ ...ownTo, value: 0 }), undefined],
  ])('does not mark as calm a permit %s', (_name, typed, trusted) => {
    expect(doubts(...typed, trusted)).not.toHaveProperty('isCalm')
  })
})
