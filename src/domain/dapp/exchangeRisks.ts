import type { BalanceChange } from '../activity/callBatch.ts'
import type { CallWords, SwapWords } from '../calldata/describeCall.ts'
import type { MarketRequest } from '../swap/market.ts'
import { findLookalike } from '../token/lookalike.ts'
import { type Address, nativeTokenAddress } from '../token/token.ts'
import { type CallFacts, isListed, isUndecoded, simulatedChange, simulatedChanges } from './callFacts.ts'
import { isFarBelow, type Risk } from './risk.ts'

/** Risks of exchanging one asset for another: a minimum that is none, a loss, a return of unknown worth. */
export function exchangeRisks(calls: CallWords[], facts: CallFacts): Risk[] {
  const minimums = minimumRisks(calls, facts)
  if (minimums.some(({ kind }) => kind === 'low-minimum')) return minimums
  return [...minimums, ...lossRisks(calls, facts)]
}

/** Trades whose market returns `exchangeRisks` compares, and `isFairExchange` of the same facts. */
export function exchangeQuestions(calls: CallWords[], facts: CallFacts): MarketRequest[] {
  const trades: MarketRequest[] = []
  const asking = {
    ...facts,
    returns(ask: MarketRequest) {
      trades.push(ask)
      return undefined
    },
  }
  minimumRisks(calls, asking)
  lossRisks(calls, asking)
  return trades
}

type Trade = SwapWords & { buy: Address; floor: bigint }

/** Swaps of one pair to one receiver count together. */
function tradesOf(calls: CallWords[], facts: CallFacts): Trade[] {
  const gained = simulatedChanges(facts).filter(({ amount }) => amount > 0n)
  // Calldata that names pools only: the token is the only one that arrives.
  const [only] = gained.length === 1 && gained[0]?.nft === undefined ? gained : []
  const trades = new Map<string, Trade>()
  for (const call of calls) {
    const buy = call.kind === 'swap' ? (call.buy ?? only?.token.address) : undefined
    if (call.kind !== 'swap' || buy === undefined) continue
    const key = [call.sell, buy, call.receiver].join(' ')
    const known = trades.get(key)
    const balance = facts.balances?.[call.sell]
    // A single call sells no more than the account has; in a row, an earlier one may bring more.
    const isCapped = calls.length === 1 && balance !== undefined && call.amount > balance
    const [amount, floor] = [isCapped ? balance : call.amount, call.floor]
    trades.set(key, {
      ...call,
      buy,
      amount: amount + (known?.amount ?? 0n),
      floor: floor + (known?.floor ?? 0n),
    })
  }
  return [...trades.values()]
}

/** Swaps whose minimum is no minimum: far below what the simulation gives, or the market. */
function minimumRisks(calls: CallWords[], facts: CallFacts): Risk[] {
  const risks = tradesOf(calls, facts).flatMap((trade): Risk[] => {
    const { buy, floor: promised } = trade
    const expected = most([simulatedReturn(trade, facts), worth(facts, trade.sell, buy, trade.amount)])
    if (expected === undefined || !isFarBelow(promised, expected)) return []
    return [{ kind: 'low-minimum', buy, promised, expected, isGrave: true }]
  })
  const isBare = calls.some(({ warnings }) => warnings.includes('no-floor'))
  if (risks.length === 0 && isBare) return [{ kind: 'call', warning: 'no-floor', isGrave: true }]
  return risks
}

/** By the rate of the simulation, for all that may be sold. */
function simulatedReturn({ sell, buy, amount, receiver }: Trade, facts: CallFacts): bigint | undefined {
  if (receiver !== facts.account) return undefined
  const [gained, spent] = [simulatedChange(facts, buy), -simulatedChange(facts, sell)]
  if (gained <= 0n) return undefined
  return spent > 0n ? (gained * amount) / spent : gained
}

/** `amount` of `sell` in `buy`. The native token and its wrapped one are the same. */
function worth(
  { wrapped, returns }: CallFacts,
  sell: Address,
  buy: Address,
  amount: bigint,
  only?: 'oracle',
): bigint | undefined {
  const plain = (token: Address) => (wrapped.includes(token) ? nativeTokenAddress : token)
  if (plain(sell) === plain(buy)) return amount
  return amount === 0n ? 0n : returns?.({ sell, buy, amount }, only)
}

/** Exchanges that return far less than they take by the market, or whose return nothing prices. */
function lossRisks(calls: CallWords[], facts: CallFacts): Risk[] {
  const imitations = findImitations(facts)
  const doubtful = findDoubtfulToken(calls, facts)
  const found = valuesOf(facts)
  if (imitations.length > 0) return imitations
  if (doubtful !== undefined) return [{ kind: 'doubtful-token', token: doubtful, isGrave: true }]
  if (found === undefined) return []
  if (found === 'unpriced') return [{ kind: 'unpriced', isGrave: false }]
  const { buy, received, expected } = found
  if (isFarBelow(received, expected)) return [{ kind: 'loss', buy, received, expected, isGrave: true }]
  // Items are worth something that no market tells.
  return losesItem(facts) ? [{ kind: 'unpriced', isGrave: false }] : []
}

/**
 * Tokens given for something that look like a well-known one of the network or like its native token. A list
 * that has them makes them no more real, and so does a price: anybody can make a pool.
 */
function findImitations(facts: CallFacts): Risk[] {
  const { network } = facts
  if (network === undefined) return []
  return paidFor(facts).flatMap(({ token }): Risk[] => {
    const original = findLookalike(token, [], network)?.address
    return original === undefined
      ? []
      : [{ kind: 'imitation', token: token.address, original, isGrave: true }]
  })
}

/** The fungible tokens that arrive where something leaves. */
function paidFor(facts: CallFacts): BalanceChange[] {
  const changes = simulatedChanges(facts)
  if (!changes.some(({ amount }) => amount < 0n)) return []
  return changes.filter(({ amount, nft }) => amount > 0n && nft === undefined)
}

function losesItem(facts: CallFacts): boolean {
  return simulatedChanges(facts).some(({ amount, nft }) => nft !== undefined && amount < 0n)
}

/**
 * Returns a token that an undecoded call gives for something, known to neither a list nor an oracle. Its
 * price in a pool does not count: who makes the token can make the pool.
 */
function findDoubtfulToken(calls: CallWords[], facts: CallFacts): Address | undefined {
  if (!calls.some((call) => isUndecoded(call, facts))) return undefined
  const isPriced = ({ token: { address }, amount }: BalanceChange) =>
    simulatedChanges(facts).length <= mostPriced &&
    worth(facts, address, nativeTokenAddress, amount, 'oracle') !== undefined
  const gained = paidFor(facts)
  return gained.filter((one) => !isListed(one.token, facts)).find((one) => !isPriced(one))?.token.address
}

/** True for an exchange that market prices show to be fair. */
export function isFairExchange(facts: CallFacts): boolean {
  const found = losesItem(facts) ? undefined : valuesOf(facts)
  return found !== undefined && found !== 'unpriced' && !isFarBelow(found.received, found.expected)
}

/** More tokens than this in one exchange are not priced. */
const mostPriced = 20

/**
 * All that leaves and arrives, in the first token that arrives; undefined unless fungible tokens are
 * exchanged. Items are left out.
 */
function valuesOf(facts: CallFacts): Values | 'unpriced' | undefined {
  const changes = simulatedChanges(facts).filter(({ nft }) => nft === undefined)
  const [gained, lost] = [
    changes.filter(({ amount }) => amount > 0n),
    changes.filter(({ amount }) => amount < 0n),
  ]
  const buy = gained[0]?.token.address
  if (buy === undefined || lost.length === 0) return undefined
  if (changes.length > mostPriced) return 'unpriced'
  const inBuy = ({ token: { address }, amount }: BalanceChange) =>
    worth(facts, address, buy, amount < 0n ? -amount : amount)
  const [received, expected] = [totalOf(gained.map(inBuy)), totalOf(lost.map(inBuy))]
  return received === undefined || expected === undefined ? 'unpriced' : { buy, received, expected }
}

type Values = { buy: Address; received: bigint; expected: bigint }

function totalOf(amounts: (bigint | undefined)[]): bigint | undefined {
  return amounts.reduce<bigint | undefined>(
    (total, amount) => (total === undefined || amount === undefined ? undefined : total + amount),
    0n,
  )
}

function most(amounts: (bigint | undefined)[]): bigint | undefined {
  return amounts.reduce((one, other) =>
    one === undefined || (other !== undefined && other > one) ? other : one,
  )
}
