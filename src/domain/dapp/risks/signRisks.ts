import type { SignedAsset, Terms, TypedDataDescription } from '../../signing/description.ts'
import type { MarketRequest } from '../../swap/market.ts'
import { type Address, nativeTokenAddress } from '../../token/token.ts'
import { isFarBelow, type Risk } from './risk.ts'

/** Facts from the account's RPC; absent ones count as dangerous. */
export type SignFacts = {
  account: Address
  /** Of equal value to the native token. */
  wrapped: readonly Address[]
  balances?: Record<Address, bigint>
  returns?(ask: MarketRequest): bigint | undefined
}

/** Returns at least `typed-data`, unless harmless. */
export function signRisks(description: TypedDataDescription, facts: SignFacts): Risk[] {
  if (description.kind === 'sign-in') return []
  return [
    { kind: 'typed-data', isGrave: true },
    ...allowanceRisks(description, facts),
    ...orderRisks(description, facts),
  ]
}

export function signQuestions(description: TypedDataDescription, facts: SignFacts) {
  const trades: MarketRequest[] = []
  orderRisks(description, {
    ...facts,
    returns(ask) {
      trades.push(ask)
      return undefined
    },
  })
  const balances = toAllowances(description, facts).map(({ token }) => token)
  return { balances, trades }
}

function toAllowances(description: TypedDataDescription, { account }: SignFacts) {
  if (description.kind !== 'permit' || description.terms.owner !== account) return []
  const { leaves, spender } = description.terms
  const totals = new Map<Address, bigint | 'all'>()
  for (const { token, amount, item } of leaves) {
    const known = totals.get(token) ?? 0n
    if (item !== undefined || amount === 0n) continue
    totals.set(token, amount === 'all' || known === 'all' ? 'all' : known + amount)
  }
  return [...totals].map(([token, amount]) => ({ token, amount, spender: spender ?? account }))
}

function allowanceRisks(description: TypedDataDescription, facts: SignFacts): Risk[] {
  return toAllowances(description, facts).flatMap(({ token, amount, spender }): Risk[] => {
    const balance = facts.balances?.[token]
    if (balance !== undefined && amount !== 'all' && amount <= balance) return []
    const risk: Risk = { kind: 'beyond-balance', token, spender, isHidden: false, isGrave: true }
    return [balance === undefined ? risk : { ...risk, balance }]
  })
}

/** The first order of a kind, in a tree. */
function orderRisks(description: TypedDataDescription, facts: SignFacts): Risk[] {
  if (description.kind !== 'order' || description.terms.owner !== facts.account) return []
  const { terms, orders = [terms] } = description
  const risks = orders.flatMap((order) => termRisks(order, facts))
  return risks.filter(({ kind }, at) => risks.findIndex((other) => other.kind === kind) === at)
}

/** NFTs have no market price. */
function termRisks(order: Terms, facts: SignFacts): Risk[] {
  const terms = ownTerms(order, facts.account)
  const buy = terms.arrives[0]?.token
  if (terms.leaves.length === 0 || hasItems(terms)) return []
  if (buy === undefined) return []
  const [received, expected] = [totalIn(buy, terms.arrives, facts), totalIn(buy, terms.leaves, facts)]
  if (received === undefined || expected === undefined) return [{ kind: 'unpriced', isGrave: true }]
  return isFarBelow(received, expected) ? [{ kind: 'loss', buy, received, expected, isGrave: true }] : []
}

function ownTerms({ leaves, arrives }: Terms, account: Address) {
  return { leaves, arrives: arrives.filter(({ to }) => to === undefined || to === account) }
}

function hasItems({ leaves, arrives }: Pick<Terms, 'leaves' | 'arrives'>): boolean {
  return [...leaves, ...arrives].some(({ item, amount }) => item !== undefined || amount === 'all')
}

function totalIn(buy: Address, assets: SignedAsset[], { wrapped, returns }: SignFacts): bigint | undefined {
  const plain = (token: Address) => (wrapped.includes(token) ? nativeTokenAddress : token)
  return assets.reduce<bigint | undefined>((total, { token, amount }) => {
    if (total === undefined || amount === 'all') return undefined
    if (plain(token) === plain(buy)) return total + amount
    const worth = amount === 0n ? 0n : returns?.({ sell: token, buy, amount })
    return worth === undefined ? undefined : total + worth
  }, 0n)
}
