import type { Outcome } from '../../activity/simulation.ts'
import type { DecodedCall } from '../../calldata/decodedCall.ts'
import { type Address, nativeTokenAddress } from '../../token/token.ts'
import type { CallFacts } from '../callFacts.ts'
import { isBeyondNoise, ownOutcomes } from '../ownOutcomes.ts'
import type { Risk } from './risk.ts'

/**
 * Returns the risks of decoded exchanges below their promise: the contract is not what it seems. A swap to
 * another recipient has its own risk.
 */
export function returnRisks(calls: DecodedCall[], facts: CallFacts): Risk[] {
  const outcomes = ownOutcomes(facts.simulation, calls.length)
  return calls.flatMap((call, index): Risk[] => {
    const [promise, own] = [toPromise(call, facts.account), outcomes[index]]
    if (promise === undefined || own === undefined) return []
    const { buy } = promise
    const promised = promise.isPartial
      ? promise.promised * spentShare(promise, own)
      : promise.promised * whole
    const [token, received] = mostGained(own, buy, facts)
    const missing = { token: token ?? nativeTokenAddress, amount: promised / whole - received }
    const isMissing = received <= 0n || received * whole < promised
    if (!isMissing || (index > 0 && !isBeyondNoise(missing, outcomes.slice(0, index)))) return []
    return [
      {
        kind: 'below-minimum',
        ...(buy !== undefined && { buy }),
        received: received < 0n ? 0n : received,
        promised: promise.promised,
        isGrave: true,
      },
    ]
  })
}

/** `buy` is absent if not in the calldata. */
type Promised = { sell: Address; amount: bigint; buy?: Address; promised: bigint; isPartial: boolean }

function toPromise(call: DecodedCall, account: Address): Promised | undefined {
  switch (call.kind) {
    case 'swap': {
      if (call.receiver !== account) return undefined
      const { sell, amount, buy, floor: promised } = call
      const isPartial = call.warnings.includes('partial-fill')
      return { sell, amount, ...(buy !== undefined && { buy }), promised, isPartial }
    }
    case 'wrap': {
      const { token: buy, amount } = call
      return { sell: nativeTokenAddress, amount, buy, promised: amount, isPartial: false }
    }
    case 'unwrap': {
      const { token: sell, amount } = call
      return { sell, amount, buy: nativeTokenAddress, promised: amount, isPartial: false }
    }
    default:
      return undefined
  }
}

const whole = 10n ** 18n

/** A partial fill promises the same part of its minimum. */
function spentShare({ sell, amount }: Promised, own: Outcome): bigint {
  const spent = -toChange(own, sell)
  return amount === 0n || spent >= amount ? whole : spent <= 0n ? 0n : (spent * whole) / amount
}

/** Of the token that gained most, if none is named. Wrapped counts as native. */
function mostGained(
  own: Outcome,
  buy: Address | undefined,
  { wrapped }: CallFacts,
): [token: Address | undefined, amount: bigint] {
  const isCoin = (token: Address) => token === nativeTokenAddress || wrapped.includes(token)
  const isAsked = (token: Address) => buy === undefined || token === buy || (isCoin(buy) && isCoin(token))
  const gained = own.changes.filter(
    ({ token, nft, amount }) => nft === undefined && amount > 0n && isAsked(token),
  )
  const [best] = gained.sort((one, other) => (one.amount > other.amount ? -1 : 1))
  return [best?.token ?? buy, best?.amount ?? 0n]
}

function toChange(own: Outcome, token: Address): bigint {
  return own.changes.find((one) => one.token === token && one.nft === undefined)?.amount ?? 0n
}
