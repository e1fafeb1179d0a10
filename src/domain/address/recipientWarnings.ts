import type { Call, CallBatch } from '../activity/callBatch.ts'
import { isSwapIntent } from '../activity/intent.ts'
import type { Swap } from '../swap/swap.ts'
import { type Address, zeroAddress } from '../token/token.ts'

/** What the chain and the journal know of somebody who is to receive something. */
export type RecipientFacts = {
  isContract: boolean
  /** Everybody whom something was sent to from this wallet, on any network. */
  earlier: Address[]
}

/** Whom the user knows. */
export type KnownAddresses = {
  /** Whom something was sent to before. Undefined until that is known: of somebody new nothing is claimed. */
  earlier: readonly Address[] | undefined
  /** The wallet's own accounts. */
  own: readonly Address[]
  contacts: readonly Address[]
}

/** What the user should know of a receiver before anything is sent. */
export type RecipientWarning =
  /** Nobody has the zero address: what is sent there is lost. */
  | { kind: 'nobody' }
  /** The token's own contract, which nearly never gives anything back. */
  | { kind: 'token' }
  /** It begins and ends as somebody's whom the user knows, and is another: how addresses are passed off as theirs. */
  | { kind: 'look-alike'; of: Address }
  | { kind: 'contract' }
  | { kind: 'own' }
  | { kind: 'first-time' }

/** Hex digits at each end: as many as people compare. */
const compared = 4

/** All that is to be said of `to`, what weighs most first. */
export function recipientNotes(
  to: Address,
  { token, isContract }: { token: Address } & Pick<RecipientFacts, 'isContract'>,
  { earlier, own, contacts }: KnownAddresses,
): RecipientWarning[] {
  const isOwn = own.includes(to)
  const isEarlier = earlier?.includes(to)
  const trusted = [...contacts, ...own]
  // Somebody may have been taken in by it before.
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

/** Everybody who got something by what is done: once each, the newest first where those are. */
export function pastRecipients(done: readonly (Swap | CallBatch)[]): Address[] {
  const found = done
    .filter(({ outcome }) => outcome.status === 'done')
    .map(({ intent }) => {
      if (isSwapIntent(intent)) return intent.receiver
      return intent.purpose?.kind === 'transfer' ? intent.purpose.to : undefined
    })
  return [...new Set(found.filter((to) => to !== undefined))]
}

/** Returns the addresses that confirmed transfers went to, those that sites asked for included, each once. */
export function paidBy(done: readonly (Swap | CallBatch)[]): Address[] {
  const asked = done
    .filter(({ outcome }) => outcome.status === 'done')
    .flatMap(({ intent }) => (isSwapIntent(intent) || intent.purpose ? [] : intent.calls.map(recipientOf)))
    .filter((to) => to !== undefined)
  return [...new Set([...pastRecipients(done), ...asked])]
}

const transferCall = /^0xa9059cbb0{24}([0-9a-f]{40})[0-9a-f]{64}$/

/** Recipient of native tokens, or of an ERC-20 transfer. */
function recipientOf({ to, data, value }: Call): Address | undefined {
  if (data === '0x') return value > 0n ? (to?.toLowerCase() as Address | undefined) : undefined
  const [, recipient] = transferCall.exec(data.toLowerCase()) ?? []
  return recipient === undefined ? undefined : `0x${recipient}`
}
