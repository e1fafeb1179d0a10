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

describe('what is said of a receiver', () => {
  it('is nothing of one that was sent to before', () => {
    expect(kinds(friend, plain, { ...nobodyElse, earlier: [friend] })).toEqual([])
  })

  it('is that nothing was sent there yet, also of a contact', () => {
    expect(kinds(friend, plain, nobodyElse)).toEqual(['first-time'])
    expect(kinds(friend, plain, { ...nobodyElse, contacts: [friend] })).toEqual(['first-time'])
  })

  it('is nothing of what was sent before while nobody knows that; who looks like a contact is told all the same', () => {
    const unknown = { own: [own], contacts: [friend], earlier: undefined }
    expect(kinds(friend, plain, unknown)).toEqual([])
    expect(kinds(address('abcd9', '1234'), plain, unknown)).toEqual(['look-alike'])
  })

  it('is that it is one’s own', () => {
    expect(kinds(own, plain, nobodyElse)).toEqual(['own'])
  })

  it('is that it looks like somebody’s: the first four and the last four, and not all', () => {
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

  it('is that it looks like a contact, although something was sent there before', () => {
    const fake = address('abcd9', '1234')
    expect(kinds(fake, plain, { ...nobodyElse, contacts: [friend], earlier: [fake] })).toEqual(['look-alike'])
    // It is unknown which of two used addresses is false.
    expect(kinds(fake, plain, { ...nobodyElse, earlier: [friend, fake] })).toEqual([])
    expect(kinds(friend, plain, { ...nobodyElse, contacts: [friend, fake] })).toEqual(['first-time'])
  })

  it('is that it looks like somebody’s, of all of 1,000 look-alikes, none of which is ever offered', () => {
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

  it('is that it is a contract, the token itself, or nobody', () => {
    const contract = { token, isContract: true }
    expect(kinds(friend, contract, nobodyElse)).toEqual(['contract', 'first-time'])
    expect(kinds(token, contract, nobodyElse)).toEqual(['token', 'first-time'])
    expect(kinds(zeroAddress, plain, nobodyElse)).toEqual(['nobody', 'first-time'])
  })
})

describe('the receivers of before', () => {
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

  it('are those who got something, once each', () => {
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
