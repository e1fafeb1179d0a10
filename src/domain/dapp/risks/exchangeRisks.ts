import type { BalanceChange } from '../../activity/simulation.ts'
import type { DecodedCall, DecodedSwap } from '../../calldata/decodedCall.ts'
import type { MarketRequest } from '../../swap/market.ts'
import { findLookalike } from '../../token/lookalike.ts'
import { type Address, nativeTokenAddress } from '../../token/token.ts'
import { type CallFacts, isListed, isUndecoded, simulatedChange, simulatedChanges } from '../callFacts.ts'
import { isFarBelow, type Risk } from './risk.ts'

export function exchangeRisks(calls: DecodedCall[], facts: CallFacts): Risk[] {
  const minimums = minimumRisks(calls, facts)
  if (minimums.some(({ kind }) => kind === 'low-minimum')) return minimums
  return [...minimums, ...lossRisks(calls, facts)]
}

/** Returns the trades that `exchangeRisks` and `isFairExchange` compare. */
export function exchangeQuestions(calls: DecodedCall[], facts: CallFacts): MarketRequest[] {
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

type Trade = DecodedSwap & { buy: Address; floor: bigint }

/** Swaps of one pair to one recipient count together. */
function toTrades(calls: DecodedCall[], facts: CallFacts): Trade[] {
  const gained = simulatedChanges(facts).filter(({ amount }) => amount > 0n)
  // Calldata may name only pools.
  const [only] = gained.length === 1 && gained[0]?.nft === undefined ? gained : []
  const trades = new Map<string, Trade>()
  for (const call of calls) {
    const buy = call.kind === 'swap' ? (call.buy ?? only?.token.address) : undefined
    if (call.kind !== 'swap' || buy === undefined) continue
    const key = [call.sell, buy, call.receiver].join(' ')
    const known = trades.get(key)
    const balance = facts.balances?.[call.sell]
    // In a batch an earlier call may add to the balance.
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

function minimumRisks(calls: DecodedCall[], facts: CallFacts): Risk[] {
  const risks = toTrades(calls, facts).flatMap((trade): Risk[] => {
    const { buy, floor: promised } = trade
    const expected = most([simulatedReturn(trade, facts), worth(facts, trade.sell, buy, trade.amount)])
    if (expected === undefined || !isFarBelow(promised, expected)) return []
    return [{ kind: 'low-minimum', buy, promised, expected, isGrave: true }]
  })
  const isBare = calls.some(({ warnings }) => warnings.includes('no-floor'))
  if (risks.length === 0 && isBare) return [{ kind: 'call', warning: 'no-floor', isGrave: true }]
  return risks
}

function simulatedReturn({ sell, buy, amount, receiver }: Trade, facts: CallFacts): bigint | undefined {
  if (receiver !== facts.account) return undefined
  const [gained, spent] = [simulatedChange(facts, buy), -simulatedChange(facts, sell)]
  if (gained <= 0n) return undefined
  return spent > 0n ? (gained * amount) / spent : gained
}

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

function lossRisks(calls: DecodedCall[], facts: CallFacts): Risk[] {
  const imitations = findImitations(facts)
  const doubtful = findDoubtfulToken(calls, facts)
  const found = toValues(facts)
  if (imitations.length > 0) return imitations
  if (doubtful !== undefined) return [{ kind: 'doubtful-token', token: doubtful, isGrave: true }]
  if (found === undefined) return []
  if (typeof found === 'string') return [{ kind: 'unpriced', isGrave: found === 'doubtful' }]
  const { buy, received, expected } = found
  if (isFarBelow(received, expected)) return [{ kind: 'loss', buy, received, expected, isGrave: true }]
  // NFTs have no market price.
  return losesItem(facts) ? [{ kind: 'unpriced', isGrave: false }] : []
}

/** A list or a price does not make a token genuine: anyone can create a pool. */
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

function paidFor(facts: CallFacts): BalanceChange[] {
  const changes = simulatedChanges(facts)
  if (!changes.some(({ amount }) => amount < 0n)) return []
  return changes.filter(({ amount, nft }) => amount > 0n && nft === undefined)
}

function losesItem(facts: CallFacts): boolean {
  return simulatedChanges(facts).some(({ amount, nft }) => nft !== undefined && amount < 0n)
}

/** Pool prices do not count: the token's creator can create the pool. */
function findDoubtfulToken(calls: DecodedCall[], facts: CallFacts): Address | undefined {
  if (!calls.some((call) => isUndecoded(call, facts))) return undefined
  const isPriced = ({ token: { address }, amount }: BalanceChange) =>
    simulatedChanges(facts).length <= maxPriced &&
    worth(facts, address, nativeTokenAddress, amount, 'oracle') !== undefined
  const gained = paidFor(facts)
  return gained.filter((one) => !isListed(one.token, facts)).find((one) => !isPriced(one))?.token.address
}

/** True if market prices show it to be fair. */
export function isFairExchange(facts: CallFacts): boolean {
  const found = losesItem(facts) ? undefined : toValues(facts)
  return typeof found === 'object' && !isFarBelow(found.received, found.expected)
}

const maxPriced = 20

/**
 * In the first token that arrives, without NFTs. Undefined without an exchange. `doubtful`: too many tokens,
 * or an unpriced trifle, which could hide a loss.
 */
function toValues(facts: CallFacts): Values | 'unpriced' | 'doubtful' | undefined {
  const changes = simulatedChanges(facts).filter(({ nft }) => nft === undefined)
  const lost = changes.filter(({ amount }) => amount < 0n)
  if (lost.length === 0 || lost.length === changes.length) return undefined
  if (changes.length > maxPriced) return 'doubtful'
  const gained = changes.filter((one) => one.amount > 0n && !isTrifle(one, lost, facts))
  const buy = gained[0]?.token.address
  if (buy === undefined) return 'doubtful'
  const inBuy = (one: BalanceChange) => valueIn(one, buy, facts)
  const [received, expected] = [toTotal(gained.map(inBuy)), toTotal(lost.map(inBuy))]
  return received === undefined || expected === undefined ? 'unpriced' : { buy, received, expected }
}

function valueIn({ token, amount }: BalanceChange, buy: Address, facts: CallFacts): bigint | undefined {
  return worth(facts, token.address, buy, amount < 0n ? -amount : amount)
}

/**
 * True for less than a hundredth of the whole units of a token that leaves, without a price. Receipts of
 * deposits have about as many.
 */
function isTrifle(one: BalanceChange, lost: BalanceChange[], facts: CallFacts): boolean {
  const [value, ...others] = [one, ...lost].map((each) => valueIn(each, nativeTokenAddress, facts))
  if (value !== undefined || others.includes(undefined)) return false
  const { token, amount } = one
  const unit = ({ decimals }: BalanceChange['token']) => 10n ** BigInt(decimals)
  return lost.some((each) => amount * 100n * unit(each.token) < -each.amount * unit(token))
}

type Values = { buy: Address; received: bigint; expected: bigint }

function toTotal(amounts: (bigint | undefined)[]): bigint | undefined {
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
