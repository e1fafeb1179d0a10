import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Activity } from '../../../src/domain/activity/activity.ts'
import { pastRecipients, recipientWarnings } from '../../../src/domain/address/recipientWarnings.ts'
import { type Address, zeroAddress } from '../../../src/domain/token/token.ts'
import { suggestRecipients } from '../../../src/ui/send/recipientSuggestions.ts'

const address = (start: string, end: string): Address =>
  `0x${start}${'5'.repeat(40 - start.length - end.length)}${end}`
const token: Address = `0x${'70'.repeat(20)}`
const own: Address = `0x${'aa'.repeat(20)}`
const friend = address('abcd', '1234')
const nobodyElse = { earlier: [], own: [own], contacts: [] }
const plain = { token, isContract: false }

const kinds = (...args: Parameters<typeof recipientWarnings>) =>
  recipientWarnings(...args).map(({ kind }) => kind)

describe('recipientWarnings', () => {
  it('returns no warning for a recipient used before', () => {
    expect(kinds(friend, plain, { ...nobodyElse, earlier: [friend] })).toEqual([])
  })

  it('warns of the first transfer to an address, including a contact', () => {
    expect(kinds(friend, plain, nobodyElse)).toEqual(['first-time'])
    expect(kinds(friend, plain, { ...nobodyElse, contacts: [friend] })).toEqual(['first-time'])
  })

  it('omits the first-time warning while past recipients are unknown, but reports look-alikes', () => {
    const unknown = { own: [own], contacts: [friend], earlier: undefined }
    expect(kinds(friend, plain, unknown)).toEqual([])
    expect(kinds(address('abcd9', '1234'), plain, unknown)).toEqual(['look-alike'])
  })

  it('warns when the recipient is an own account', () => {
    expect(kinds(own, plain, nobodyElse)).toEqual(['own'])
  })

  it('warns of an address whose first and last four digits match a known address', () => {
    const fake = address('abcd9', '1234')
    for (const known of [{ contacts: [friend] }, { own: [friend] }, { earlier: [friend] }]) {
      expect(recipientWarnings(fake, plain, { ...nobodyElse, ...known })).toEqual([
        { kind: 'look-alike', of: friend },
        { kind: 'first-time' },
      ])
    }
    for (const other of [address('abce', '1234'), address('abcd', '1235')]) {
      expect(kinds(other, plain, { ...nobodyElse, contacts: [friend] })).toEqual(['first-time'])
    }
  })

  it('warns of a look-alike of a contact even when it was used before', () => {
    const fake = address('abcd9', '1234')
    expect(kinds(fake, plain, { ...nobodyElse, contacts: [friend], earlier: [fake] })).toEqual(['look-alike'])
    // It is unknown which of two used addresses is false.
    expect(kinds(fake, plain, { ...nobodyElse, earlier: [friend, fake] })).toEqual([])
    expect(kinds(friend, plain, { ...nobodyElse, contacts: [friend, fake] })).toEqual(['first-time'])
  })

  it('warns of 1,000 random look-alikes and never suggests one', () => {
    const digit = fc.constantFrom(...'0123456789abcdef')
    const digits = (length: number) =>
      fc.array(digit, { minLength: length, maxLength: length }).map((all) => all.join(''))
    const ends = fc.record({ start: digits(4), end: digits(4) })
    const pair = fc.tuple(ends, digits(32), digits(32)).filter(([, one, two]) => one !== two)
    fc.assert(
      fc.property(pair, fc.nat(2), ([{ start, end }, one, two], which) => {
        const known: Address = `0x${start}${one}${end}`
        const fake: Address = `0x${start}${two}${end}`
        const somebody = [{ contacts: [known] }, { own: [known] }, { earlier: [known] }][which]!
        expect(recipientWarnings(fake, plain, { ...nobodyElse, ...somebody })).toContainEqual({
          kind: 'look-alike',
          of: known,
        })
        const contacts = (somebody.contacts ?? []).map((address) => ({ address, name: 'Friend' }))
        const accounts = (somebody.own ?? []).map((address) => ({ address, name: 'Mine' }))
        const people = { contacts, accounts, earlier: somebody.earlier ?? [] }
        for (const text of ['', start, `0x${start}`, end, fake]) {
          expect(suggestRecipients(people as never, own, text).map(({ address }) => address)).not.toContain(
            fake,
          )
        }
        // Proves that anything is suggested.
        expect(suggestRecipients(people as never, own, '').map(({ address }) => address)).toEqual([known])
      }),
      { numRuns: 1_000 },
    )
  })

  it('warns of a contract, the token contract and the zero address', () => {
    const contract = { token, isContract: true }
    expect(kinds(friend, contract, nobodyElse)).toEqual(['contract', 'first-time'])
    expect(kinds(token, contract, nobodyElse)).toEqual(['token', 'first-time'])
    expect(kinds(zeroAddress, plain, nobodyElse)).toEqual(['nobody', 'first-time'])
  })
})

describe('pastRecipients', () => {
  const base = { createdAt: 1, steps: [], paid: 0n }
  const done = { status: 'done', received: 0n } as const
  const failed = { status: 'failed', code: 'dropped', message: '', facts: {} } as const
  const calls = { id: '', account: own, chainId: 1, calls: [], feeCap: 0n, mayFail: false }
  const transfer = (to: Address, outcome: Activity['outcome']): Activity => ({
    ...base,
    intent: { ...calls, purpose: { kind: 'transfer', token, to, amount: 1n } },
    outcome,
  })
  const swap = (receiver?: Address): Activity => ({
    ...base,
    intent: {
      id: '',
      account: own,
      trade: { chainId: 1, sell: token, buy: own, amount: 1n },
      slippageBps: 1,
      floor: 1n,
      router: own,
      feeCap: 1n,
      ...(receiver && { receiver }),
    },
    outcome: done,
  })

  it('lists each recipient of a successful transfer or swap once', () => {
    const list = [
      transfer(friend, done),
      transfer(friend, done),
      transfer(zeroAddress, failed),
      swap(token),
      swap(),
      { ...base, intent: calls, outcome: done },
    ]
    expect(pastRecipients(list)).toEqual([friend, token])
  })
})
