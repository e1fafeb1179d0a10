import { expect, it } from 'vitest'
import { zeroAddress } from '../../../src/domain/token/token.ts'
import {
  formatFoundName,
  formatRecipientWarning,
  validateRecipient,
} from '../../../src/ui/messages/recipient.ts'
import { account, dai, friend } from '../../helpers/samples/activitySamples.ts'
import { usdc } from '../../helpers/state/fakes.ts'

const known = { token: usdc, account, to: friend, nameOf: (one: string) => (one === dai ? 'Zoë' : undefined) }

it('warns gravely about the zero address and about the token contract', () => {
  expect(formatRecipientWarning({ kind: 'nobody' }, known)).toMatchObject({ tone: 'grave' })
  expect(formatRecipientWarning({ kind: 'token' }, known)).toMatchObject({
    tone: 'grave',
    words: expect.stringContaining('USDC'),
  })
})

it('names the known address that a look-alike imitates, and returns it', () => {
  expect(formatRecipientWarning({ kind: 'look-alike', of: dai }, known)).toEqual({
    tone: 'grave',
    words: 'Possible scam: this address looks like “Zoë” but isn’t. Compare every character.',
    of: dai,
  })
  const unnamed = formatRecipientWarning({ kind: 'look-alike', of: friend }, known)
  expect(unnamed.words).toContain('0xf1f1…f1f1')
})

it('distinguishes the sending account from another own account', () => {
  expect(formatRecipientWarning({ kind: 'own' }, known).words).toContain('one of your accounts')
  expect(formatRecipientWarning({ kind: 'own' }, { ...known, to: account }).words).toContain(
    'you’re sending from',
  )
})

it('reports a normalized name and adds a second note for a foreign one', () => {
  const found = {
    status: 'found',
    name: 'bob.eth',
    address: friend,
    isChanged: false,
    isForeign: false,
  } as const
  expect(formatFoundName(found)).toEqual([])
  expect(formatFoundName({ ...found, isChanged: true })).toEqual([
    { tone: 'warn', words: 'The name was normalized to bob.eth.' },
  ])
  expect(formatFoundName({ ...found, isChanged: true, isForeign: true })).toHaveLength(2)
})

it('explains why each name or recipient text cannot be used', () => {
  const faults = (['invalid', 'unknown', 'elsewhere', 'no-registry'] as const).map((status) =>
    validateRecipient({ kind: 'no-name', answer: { status, name: 'far.eth', hosts: [] } }),
  )
  const answer = { status: 'elsewhere' as const, name: 'far.eth', hosts: ['names.example', 'b.example'] }
  expect(validateRecipient({ kind: 'no-name', answer })).toBe(
    'far.eth is stored off-chain at names.example, b.example, which Sluice didn’t contact. Paste the address.',
  )
  expect(new Set(faults).size).toBe(4)
  for (const fault of faults) expect(fault).toMatch(/\.$/)
  expect(validateRecipient({ kind: 'mistyped' })).toMatch(/Invalid checksum/)
  expect(validateRecipient({ kind: 'other-network', chainId: 137 })).toMatch(/another network: Polygon/)
  expect(validateRecipient({ kind: 'unknown-network', network: 'xyz' })).toMatch(/“xyz”/)
  expect(validateRecipient({ kind: 'call' })).toMatch(/contract/)
  expect(validateRecipient({ kind: 'amount-link' })).toMatch(/includes an amount/)
  for (const kind of ['empty', 'words'] as const) expect(validateRecipient({ kind })).toBeUndefined()
  expect(validateRecipient({ kind: 'known', address: zeroAddress, isContract: undefined })).toBeUndefined()
})
