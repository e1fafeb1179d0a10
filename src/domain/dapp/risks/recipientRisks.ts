import { type KnownAddresses, recipientWarnings } from '../../address/recipientWarnings.ts'
import type { DecodedCall } from '../../calldata/decodedCall.ts'
import type { TypedDataDescription } from '../../signing/description.ts'
import { type Address, nativeTokenAddress, zeroAddress } from '../../token/token.ts'
import { type Risk, riskKey } from './risk.ts'

export type Party = {
  address: Address
  /** Token or collection; absent for spenders and payout recipients. */
  sent?: Address
}

/**
 * Returns the risks of a request's parties. Grave: look-alikes, token contracts and the zero address. Not
 * grave: a first transfer.
 */
export function recipientRisks(parties: Party[], people: KnownAddresses): Risk[] {
  const risks = parties.flatMap(({ address, sent }): Risk[] => {
    const notes = recipientWarnings(address, { token: sent ?? zeroAddress, isContract: false }, people)
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

/** Returns the parties without `account` itself. */
export function callParties(calls: DecodedCall[], account: Address): Party[] {
  return calls.flatMap(partiesOfCall).filter(({ address }) => address !== account)
}

function partiesOfCall(call: DecodedCall): Party[] {
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

/** Returns the parties without the account. `calls`: decoded inner calls. */
export function signatureParties(
  description: TypedDataDescription,
  account: Address,
  calls: DecodedCall[] = [],
): Party[] {
  if (description.kind === 'calls') return callParties(calls, description.sender)
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
