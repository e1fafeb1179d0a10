import { h } from 'preact'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { describeTypedData } from '../../../../src/domain/signing/describeTypedData.ts'
import { parseTypedData } from '../../../../src/domain/signing/typedData.ts'
import type { Address } from '../../../../src/domain/token/token.ts'
import { signatureWarnings } from '../../../../src/ui/approvals/sign/signatureWarnings.ts'
import { PermitTimes } from '../../../../src/ui/approvals/signed/PermitWords.tsx'
import { clearDocument, draw, Node, standInDocument } from '../../../helpers/ui/render.ts'

const address = (byte: string): Address => `0x${byte.repeat(20)}`
const [account, spender, token] = [address('aa'), address('5e'), address('70')]
const now = 1_700_000_000_000
const soon = 1_700_000_600
const nextWeek = 1_700_600_000
const context = { account, chainId: 1, now, origin: 'https://app.example' }

let place: Node
beforeEach(() => {
  standInDocument()
  place = new Node('dl')
})
afterEach(async () => {
  await draw(null, place)
  await clearDocument()
})

function describePermit(members: string, message: object, primaryType = 'Permit') {
  const fields = members.split(',').map((text) => {
    const [type, name] = text.split(' ')
    return { type, name }
  })
  const description = describeTypedData(
    parseTypedData({
      domain: { chainId: 1, verifyingContract: token },
      types: { [primaryType]: fields },
      primaryType,
      message,
    }),
    context,
  )
  if (description.kind !== 'permit') throw new Error('No permit')
  return description
}

const eip2612 = (value: bigint | string, deadline = soon) =>
  describePermit('address owner,address spender,uint256 value,uint256 nonce,uint256 deadline', {
    owner: account,
    spender,
    value: `${value}`,
    nonce: '0',
    deadline: `${deadline}`,
  })

it.each([
  ['an exact amount', () => eip2612('5'), 'Until it’s used or you revoke it'],
  ['no limit', () => eip2612(2n ** 256n - 1n), 'Until you revoke it'],
  [
    'DAI, all of it',
    () =>
      describePermit('address holder,address spender,uint256 nonce,uint256 expiry,bool allowed', {
        holder: account,
        spender,
        nonce: '0',
        expiry: `${soon}`,
        allowed: true,
      }),
    'Until you revoke it',
  ],
  [
    'an NFT',
    () =>
      describePermit('address spender,uint256 tokenId,uint256 nonce,uint256 deadline', {
        spender,
        tokenId: '7',
        nonce: '0',
        deadline: `${soon}`,
      }),
    'Until it’s used or you revoke it',
  ],
  [
    'a whole collection',
    () =>
      describePermit(
        'address operator,bool approved,uint256 nonce,uint256 deadline',
        { operator: spender, approved: true, nonce: '0', deadline: `${soon}` },
        'PermitForAll',
      ),
    'Until you revoke it',
  ],
  [
    'a credit of Aave',
    () =>
      describePermit(
        'address delegatee,uint256 value,uint256 nonce,uint256 deadline',
        { delegatee: spender, value: '5', nonce: '0', deadline: `${soon}` },
        'DelegationWithSig',
      ),
    'Until it’s used or you revoke it',
  ],
])(
  'shows when the signature expires and how long the approval lasts for a permit for %s',
  async (_name, permit, inForce) => {
    await draw(h(PermitTimes, { permit: permit(), now }), place)
    expect(place.text).toContain('Signature validity')
    expect(place.text).toContain('10 minutes')
    expect(place.text).toContain(`Validity ${inForce}`)
    expect(place.text).not.toContain('Validity for')
  },
)

it('shows only the signature validity for a permit that revokes', async () => {
  await draw(h(PermitTimes, { permit: eip2612('0'), now }), place)
  expect(place.text).toContain('Signature validity')
  expect(place.text).not.toContain('Validity')
})

it('warns that a permit with a late deadline can be submitted for longer than usual', () => {
  const { doubts } = signatureWarnings(eip2612('5', nextWeek), {
    router: spender,
    networkName: 'Ethereum',
    chainId: 1,
  })
  expect(doubts).toContain('This signature can be submitted for longer than usual.')
  expect(doubts).not.toContain('It stays valid for longer than usual.')
})
