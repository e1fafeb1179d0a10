import type { Exchange } from '../../abi/routers/exchange.ts'
import type { Outcome } from '../../activity/simulation.ts'
import type { DecodedCall } from '../../calldata/decodedCall.ts'
import { type Address, nativeTokenAddress } from '../../token/token.ts'
import type { CallFacts } from '../callFacts.ts'
import { isBeyondNoise, ownOutcomes } from '../ownOutcomes.ts'
import { isFarBelow, type Risk } from './risk.ts'

/** Returns the risks of swaps in undecoded calls: a missing or low minReturn, or a return below it. */
export function undecodedSwapRisks(calls: DecodedCall[], facts: CallFacts): Risk[] {
  const outcomes = ownOutcomes(facts.simulation, calls.length)
  return calls.flatMap((call, index): Risk[] => {
    const own = outcomes[index]
    if (call.kind !== 'unknown' || call.exchange === undefined || own === undefined) return []
    return toRisks(call.exchange, own, outcomes.slice(0, index), facts)
  })
}

function toRisks(
  exchange: Exchange,
  own: Outcome,
  earlier: (Outcome | undefined)[],
  { wrapped }: CallFacts,
): Risk[] {
  const plain = (token: Address) => (wrapped.includes(token) ? nativeTokenAddress : token)
  const changes = own.changes.filter((change) => isBeyondNoise(change, earlier))
  const gained = new Map<Address, { buy: Address; amount: bigint }>()
  for (const { token, nft, amount } of changes) {
    if (nft !== undefined || amount <= 0n) continue
    const before = gained.get(plain(token))
    gained.set(plain(token), { buy: before?.buy ?? token, amount: amount + (before?.amount ?? 0n) })
  }
  const gains = [...gained]
  const promises = toPromises(exchange, gains.length === 1 ? gains[0]?.[0] : undefined)
  const missing = [...promises].flatMap(([token, promised]): Risk[] => {
    const received = gained.get(token)?.amount ?? 0n
    return received * 100n < promised * minShare
      ? [
          {
            kind: 'below-minimum',
            buy: token,
            received,
            promised,
            isGrave: true,
          },
        ]
      : []
  })
  const low = gains.flatMap(([token, { buy, amount: expected }]): Risk[] => {
    const promised = promises.get(token)
    return promised !== undefined && isFarBelow(promised, expected)
      ? [{ kind: 'low-minimum', buy, promised, expected, isGrave: true }]
      : []
  })
  if (missing.length > 0 || low.length > 0) return [...missing, ...low]
  const isPaid = changes.some(({ amount }) => amount < 0n)
  const isReturned =
    gains.some(([token]) => promises.has(token)) ||
    changes.some(({ nft, amount }) => nft !== undefined && amount > 0n)
  return isPaid && !isReturned ? [{ kind: 'call', warning: 'no-floor', isGrave: true }] : []
}

function toPromises({ minimums }: Exchange, only: Address | undefined): Map<Address, bigint> {
  const promises = new Map<Address, bigint>()
  for (const { token = only, amount } of minimums) {
    if (token !== undefined) promises.set(token, (promises.get(token) ?? 0n) + amount)
  }
  return promises
}

/** Percent: a site may take a fee of 3. */
const minShare = 97n
