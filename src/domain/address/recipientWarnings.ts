import type { Call, CallBatch } from '../activity/callBatch.ts'
import { isSwapIntent } from '../activity/intent.ts'
import type { Swap } from '../swap/swap.ts'
import { type Address, zeroAddress } from '../token/token.ts'

export type RecipientFacts = {
  isContract: boolean
  earlier: Address[]
}

export type KnownAddresses = {
  /** Undefined while unknown: then none is called new. */
  earlier: readonly Address[] | undefined
  own: readonly Address[]
  contacts: readonly Address[]
}

export type RecipientWarning =
  /** Zero address: funds are lost. */
  | { kind: 'nobody' }
  /** Token contracts almost never return funds. */
  | { kind: 'token' }
  /** Same ends as a known address (address poisoning). */
  | { kind: 'look-alike'; of: Address }
  | { kind: 'contract' }
  | { kind: 'own' }
  | { kind: 'first-time' }

/** Hex digits at each end that people compare. */
const compared = 4

/** Returns the warnings about `to`, most severe first. */
export function recipientWarnings(
  to: Address,
  { token, isContract }: { token: Address } & Pick<RecipientFacts, 'isContract'>,
  { earlier, own, contacts }: KnownAddresses,
): RecipientWarning[] {
  const isOwn = own.includes(to)
  const isEarlier = earlier?.includes(to)
  const trusted = [...contacts, ...own]
  // The user may have paid a look-alike before.
  const known = isEarlier ? trusted : [...trusted, ...(earlier ?? [])]
  const of = trusted.includes(to) ? undefined : known.find((one) => looksLike(one, to))
  const notes: (RecipientWarning | false)[] = [
    to === zeroAddress && { kind: 'nobody' },
    to === token && { kind: 'token' },
    of !== undefined && { kind: 'look-alike', of },
    isContract && to !== token && { kind: 'contract' },
    isOwn && { kind: 'own' },
    !isOwn && isEarlier === false && { kind: 'first-time' },
  ]
  return notes.filter((note) => note !== false)
}

function looksLike(one: Address, other: Address): boolean {
  const ends = (address: Address) => address.slice(2, 2 + compared) + address.slice(-compared)
  return one !== other && ends(one) === ends(other)
}

/** Returns each recipient of completed activities once. */
export function pastRecipients(done: readonly (Swap | CallBatch)[]): Address[] {
  const found = done
    .filter(({ outcome }) => outcome.status === 'done')
    .map(({ intent }) => {
      if (isSwapIntent(intent)) return intent.receiver
      return intent.purpose?.kind === 'transfer' ? intent.purpose.to : undefined
    })
  return [...new Set(found.filter((to) => to !== undefined))]
}

/** Returns each recipient of completed transfers once, dapp requests included. */
export function paidBy(done: readonly (Swap | CallBatch)[]): Address[] {
  const asked = done
    .filter(({ outcome }) => outcome.status === 'done')
    .flatMap(({ intent }) => (isSwapIntent(intent) || intent.purpose ? [] : intent.calls.map(toRecipient)))
    .filter((to) => to !== undefined)
  return [...new Set([...pastRecipients(done), ...asked])]
}

const transferCall = /^0xa9059cbb0{24}([0-9a-f]{40})[0-9a-f]{64}$/

function toRecipient({ to, data, value }: Call): Address | undefined {
  if (data === '0x') return value > 0n ? (to?.toLowerCase() as Address | undefined) : undefined
  const [, recipient] = transferCall.exec(data.toLowerCase()) ?? []
  return recipient === undefined ? undefined : `0x${recipient}`
}
