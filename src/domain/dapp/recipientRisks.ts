import { type KnownAddresses, recipientNotes } from '../address/recipientWarnings.ts'
import type { CallWords } from '../calldata/describeCall.ts'
import type { Description } from '../signing/description.ts'
import { type Address, nativeTokenAddress, zeroAddress } from '../token/token.ts'
import { type Risk, riskKey } from './risk.ts'

/** Another account that a request names. */
export type Party = {
  address: Address
  /** The token, or the collection, that a transfer sends there. Absent for spenders and for recipients of a payout. */
  sent?: Address
}

/**
 * Doubts about the parties of a request, as the wallet's own transfers have them: a look-alike of an address that the user knows,
 * and a transfer to the token's own contract or to the zero address, are grave; a first transfer to an address is not.
 */
export function recipientRisks(parties: Party[], people: KnownAddresses): Risk[] {
  const risks = parties.flatMap(({ address, sent }): Risk[] => {
    const notes = recipientNotes(address, { token: sent ?? zeroAddress, isContract: false }, people)
    return notes.flatMap((note): Risk[] => {
      if (note.kind === 'look-alike') {
        return [{ kind: 'look-alike', address, of: note.of, isGrave: true }]
      }
      if (sent === undefined) return []
      if (note.kind === 'nobody' || note.kind === 'token') {
        return [{ kind: 'lost', recipient: address, token: sent, isGrave: true }]
      }
      return note.kind === 'first-time' ? [{ kind: 'new-recipient', recipient: address, isGrave: false }] : []
    })
  })
  return [...new Map(risks.map((risk) => [riskKey(risk), risk])).values()]
}

/** Returns the parties of calls in the name of `account`, itself left out. */
export function partiesOfCalls(calls: CallWords[], account: Address): Party[] {
  return calls.flatMap(partiesOfCall).filter(({ address }) => address !== account)
}

function partiesOfCall(call: CallWords): Party[] {
  switch (call.kind) {
    case 'transfer':
      return [{ address: call.to, sent: call.token }]
    case 'transfer-items':
      return [{ address: call.to, sent: call.collection }]
    case 'approve':
    case 'permit':
      return call.amount > 0n ? [{ address: call.spender }] : []
    case 'approve-all':
    case 'operator':
      return call.approved ? [{ address: call.operator }] : []
    case 'delegate':
      return [{ address: call.delegatee }]
    case 'swap':
      return [{ address: call.receiver }]
    case 'unknown':
      return [
        ...(call.payees ?? []).map((address) => ({ address, sent: nativeTokenAddress })),
        ...(call.recipients ?? []).map((address) => ({ address })),
      ]
    default:
      return []
  }
}

/** Returns the parties of typed data, the account itself left out. `calls` are its inner calls, in words. */
export function partiesOfSignature(
  description: Description,
  account: Address,
  calls: CallWords[] = [],
): Party[] {
  if (description.kind === 'calls') return partiesOfCalls(calls, description.sender)
  if (description.kind === 'authorization') {
    return description.isAllowed ? [{ address: description.manager }] : []
  }
  if (!('terms' in description)) return []
  const { leaves, arrives, spender } = description.terms
  const sent = leaves.flatMap(({ to, token }) => (to === undefined ? [] : [{ address: to, sent: token }]))
  const others = [spender, ...arrives.map(({ to }) => to)].filter((one) => one !== undefined)
  const parties: Party[] = [...sent, ...others.map((address) => ({ address }))]
  return parties.filter(({ address }) => address !== account)
}
