import type { CallWords, SwapWords, Warning } from '../abi/callWords.ts'
import type { Change, Simulation } from '../activity/calls.ts'
import type { MarketAsk } from '../swap/market.ts'
import { type Address, native } from '../token/token.ts'
import { isUnlimited } from '../token/unlimited.ts'
import { isFarBelow, type Risk } from './risk.ts'
import { unseenChanges } from './unseenChanges.ts'

/** What the account's own node tells about calls. Whatever is absent could not be read, and counts as dangerous. */
export type CallFacts = {
  account: Address
  /** The network's wrapped token, worth as much as the native token. */
  wrapped: readonly Address[]
  simulation?: Simulation
  /** The account's balances before the calls. */
  balances?: Record<Address, bigint>
  /** What spenders may take before the calls; none of what is missing. */
  allowances?: { token: Address; spender: Address; amount: bigint }[]
  /** Market return of a trade, in base units of `buy`. */
  returns?(ask: MarketAsk): bigint | undefined
}

/** What has to be known to judge `calls`. */
export type CallQuestions = {
  balances: Address[]
  allowances: { token: Address; spender: Address }[]
  trades: MarketAsk[]
}

const graveWarnings: ReadonlySet<Warning> = new Set([
  'foreign-receiver',
  'unknown-router',
  'coins-along',
  'operator',
])
/** Judged with the facts. */
const amountWarnings: ReadonlySet<Warning> = new Set(['unknown-spender', 'no-floor'])

/** Why `calls` need a second look. Amounts are compared with what the account has and with the market, not with constants. */
export function callRisks(calls: CallWords[], facts: CallFacts): Risk[] {
  const minimums = minimumRisks(calls, facts)
  const warnings = new Set(calls.flatMap((call) => call.warnings).filter((one) => !amountWarnings.has(one)))
  return [
    ...simulationRisks(facts.simulation),
    ...unseenChanges(calls, facts.simulation),
    ...allowanceRisks(calls, facts),
    ...minimums,
    ...(minimums.some(({ kind }) => kind === 'low-minimum') ? [] : lossRisks(facts)),
    ...[...warnings].map(
      (warning) => ({ kind: 'call', warning, isGrave: graveWarnings.has(warning) }) as const,
    ),
  ]
}

/** About the simulation itself: one that saw only a part, or that contracts may have played to. */
export function simulationRisks(simulation: Simulation | undefined): Risk[] {
  if (simulation?.status === 'unknown' && simulation.isCrowded) return [{ kind: 'unseen', isGrave: true }]
  if (simulation?.status !== 'succeeds') return []
  return [
    ...(simulation.isUnstable ? [{ kind: 'unstable', isGrave: true } as const] : []),
    ...(simulation.isWeak ? [{ kind: 'weak', isGrave: isExchange(simulation.changes) } as const] : []),
  ]
}

/** True where one asset leaves and another arrives: a contract that knows it is simulated can promise the latter. */
function isExchange(changes: Change[]): boolean {
  return changes.some(({ amount }) => amount < 0n) && changes.some(({ amount }) => amount > 0n)
}

/** Everything that `callRisks` would like to know about `calls`. */
export function questionsOf(calls: CallWords[], facts: CallFacts): CallQuestions {
  const trades: MarketAsk[] = []
  const returns = (ask: MarketAsk) => {
    trades.push(ask)
    return undefined
  }
  minimumRisks(calls, { ...facts, returns })
  valuesOf(facts, returns)
  const said = approvalsOf(calls, facts.account).map(({ token, spender }) => ({ token, spender }))
  const granted = grantsOf(facts).map(({ token, spender }) => ({ token: token.address, spender }))
  const allowances = [...said, ...granted]
  const sold = calls.flatMap((call) => (call.kind === 'swap' ? [call.sell] : []))
  return { balances: [...new Set([...allowances.map(({ token }) => token), ...sold])], allowances, trades }
}

type Approval = {
  token: Address
  spender: Address
  amount: bigint | 'all'
  /** On top of what may be taken already. */
  adds: boolean
  /** By Permit2, of whose allowances the simulation tells nothing. */
  isLent: boolean
  isKnown: boolean
}

/** What `account` lets others take, as the calls say it. */
function approvalsOf(calls: CallWords[], account: Address): Approval[] {
  return calls.flatMap((call): Approval[] => {
    const isKnown = !call.warnings.includes('unknown-spender')
    if (call.kind === 'approve-all' && call.approved) {
      const { collection: token, operator: spender } = call
      return [{ token, spender, amount: 'all', adds: false, isLent: false, isKnown }]
    }
    const isPermit = call.kind === 'permit' && call.owner === account
    if ((call.kind !== 'approve' && !isPermit) || call.amount === 0n) return []
    const { token, spender, amount } = call
    const adds = call.kind === 'approve' && call.adds === true
    return [
      { token, spender, amount, adds, isLent: call.kind === 'approve' && call.until !== undefined, isKnown },
    ]
  })
}

function grantsOf({ simulation }: CallFacts) {
  return simulation?.status === 'succeeds' ? simulation.grants : []
}

function changesOf({ simulation }: CallFacts): Change[] {
  return simulation?.status === 'succeeds' ? simulation.changes : []
}

/** By how much a fungible balance changes. */
function changeOf(facts: CallFacts, token: Address): bigint {
  return changesOf(facts).find((each) => each.token.address === token && each.nft === undefined)?.amount ?? 0n
}

function allowanceRisks(calls: CallWords[], facts: CallFacts): Risk[] {
  const said = approvalsOf(calls, facts.account)
  const found = new Map<string, Risk>()
  const note = (token: Address, spender: Address, isHidden: boolean, isGrave: boolean) => {
    const balance = facts.balances?.[token]
    const risk: Risk = { kind: 'beyond-balance', token, spender, isHidden, isGrave }
    found.set(`${token} ${spender}`, balance === undefined ? risk : { ...risk, balance })
  }
  for (const approval of said) {
    const { token, spender, isKnown } = approval
    const left = leftBy(approval, facts)
    if (left === undefined) continue
    if (!isKnown) found.set('stranger', { kind: 'call', warning: 'unknown-spender', isGrave: false })
    if (exceeds(left, token, facts, isKnown)) note(token, spender, false, !isKnown)
  }
  for (const { token, spender, amount, nft } of grantsOf(facts)) {
    const isSaid = said.some((one) => one.token === token.address && one.spender === spender)
    if (isSaid || nft !== undefined) continue
    const isNew = amount === 'all' || amount > allowanceBefore(facts, token.address, spender)
    const left: Left = { amount, isRead: true }
    if (isNew && exceeds(left, token.address, facts, false)) note(token.address, spender, true, true)
  }
  return [...found.values()]
}

/** An allowance after the calls. Unless `isRead` from the simulation it is an upper bound, of which they may spend. */
type Left = { amount: bigint | 'all'; isRead: boolean }

/** What an approval leaves behind; undefined for nothing. */
function leftBy(approval: Approval, facts: CallFacts): Left | undefined {
  const { token, spender, amount, adds, isLent } = approval
  if (amount === 'all') return { amount, isRead: true }
  if (facts.simulation?.status === 'succeeds' && !isLent) {
    const own = grantsOf(facts).filter((grant) => grant.token.address === token && grant.spender === spender)
    // Of an ERC-721 collection, which has the same function, the amount is one item's number.
    if (own.some(({ nft }) => nft === amount)) return undefined
    const grant = own.find(({ nft }) => nft === undefined)
    if (grant !== undefined) return { amount: grant.amount, isRead: true }
    // The simulation reads every approved allowance; a raised one only where the token writes a log.
    if (!adds) return undefined
  }
  return { amount: adds ? amount + allowanceBefore(facts, token, spender) : amount, isRead: false }
}

function allowanceBefore({ allowances = [] }: CallFacts, token: Address, spender: Address): bigint {
  return allowances.find((one) => one.token === token && one.spender === spender)?.amount ?? 0n
}

/** True when it is more than the account holds, also where nobody knows; a known spender takes no more than a swap says. */
function exceeds({ amount, isRead }: Left, token: Address, facts: CallFacts, isKnown: boolean): boolean {
  if (amount === 'all') return true
  const before = facts.balances?.[token]
  if (before === undefined) return !isKnown || isUnlimited(amount)
  const after = before + changeOf(facts, token)
  return amount > (isRead || after > before ? after : before)
}

type Trade = SwapWords & { buy: Address; floor: bigint }

/** Swaps of one pair to one receiver count together. */
function tradesOf(calls: CallWords[], facts: CallFacts): Trade[] {
  const gained = changesOf(facts).filter(({ amount }) => amount > 0n)
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
  const [gained, spent] = [changeOf(facts, buy), -changeOf(facts, sell)]
  if (gained <= 0n) return undefined
  return spent > 0n ? (gained * amount) / spent : gained
}

/** `amount` of `sell` in `buy`. The native token and its wrapped one are the same. */
function worth(
  { wrapped, returns }: CallFacts,
  sell: Address,
  buy: Address,
  amount: bigint,
): bigint | undefined {
  const plain = (token: Address) => (wrapped.includes(token) ? native : token)
  if (plain(sell) === plain(buy)) return amount
  return amount === 0n ? 0n : returns?.({ sell, buy, amount })
}

/** What arrives is worth far less than what leaves. Nothing is claimed of what cannot be priced. */
function lossRisks(facts: CallFacts): Risk[] {
  const found = valuesOf(facts, facts.returns)
  if (found === undefined) return []
  if (found === 'unpriced') return [{ kind: 'unpriced', isGrave: false }]
  const { buy, received, expected } = found
  return isFarBelow(received, expected) ? [{ kind: 'loss', buy, received, expected, isGrave: true }] : []
}

/** True for an exchange that market prices show to be fair. */
export function isFairExchange(facts: CallFacts): boolean {
  const found = valuesOf(facts, facts.returns)
  return found !== undefined && found !== 'unpriced' && !isFarBelow(found.received, found.expected)
}

/** More tokens than this in one exchange are not priced. */
const mostPriced = 20

/** All that leaves and all that arrives, in the first token that arrives. Undefined for what is no exchange of fungible tokens. */
function valuesOf(facts: CallFacts, returns: CallFacts['returns']): Values | 'unpriced' | undefined {
  const changes = changesOf(facts)
  const [gained, lost] = [
    changes.filter(({ amount }) => amount > 0n),
    changes.filter(({ amount }) => amount < 0n),
  ]
  const buy = gained[0]?.token.address
  if (buy === undefined || lost.length === 0 || changes.some(({ nft }) => nft !== undefined)) return undefined
  if (changes.length > mostPriced) return 'unpriced'
  const inBuy = ({ token: { address }, amount }: Change) =>
    worth({ ...facts, ...(returns && { returns }) }, address, buy, amount < 0n ? -amount : amount)
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
