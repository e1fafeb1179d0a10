import type { CallWords } from '../calldata/describeCall.ts'
import type { Address } from '../token/token.ts'
import { isUnlimited } from '../token/unlimited.ts'
import { type CallFacts, type NeededFacts, simulatedChange } from './callFacts.ts'
import type { Risk } from './risk.ts'

/** Risks of what others may take after the calls. */
export function allowanceRisks(calls: CallWords[], facts: CallFacts): Risk[] {
  const said = approvalsOf(calls, facts.account)
  const found = new Map<string, Risk>()
  const judged = new Set<string>()
  const note = (token: Address, spender: Address, { amount }: Left, isHidden: boolean, isGrave: boolean) => {
    const balance = facts.balances?.[token]
    found.set(`${token} ${spender}`, {
      kind: 'beyond-balance',
      token,
      spender,
      isHidden,
      isGrave,
      ...(balance !== undefined && { balance }),
      ...(amount === 'all' && { isCollection: true }),
    })
  }
  for (const approval of said) {
    const { token, spender, isKnown } = approval
    const left = leftBy(approval, facts)
    if (left === undefined) continue
    if (!approval.isLent) judged.add(keyOf(token, spender, left.amount))
    if (!isKnown) found.set('stranger', { kind: 'call', warning: 'unknown-spender', isGrave: false })
    if (exceeds(left, token, facts, isKnown)) note(token, spender, left, false, !isKnown)
  }
  for (const { token, spender, amount, nft } of grantsOf(facts)) {
    if (nft !== undefined || judged.has(keyOf(token.address, spender, amount))) continue
    const isNew = amount === 'all' || amount > allowanceBefore(facts, token.address, spender)
    const left: Left = { amount, isRead: true }
    if (isNew && exceeds(left, token.address, facts, false)) note(token.address, spender, left, true, true)
  }
  return [...found.values()]
}

/** Whole collections and amounts are apart: the call that says one may hide the other. */
function keyOf(token: Address, spender: Address, amount: bigint | 'all'): string {
  return [token, spender, amount === 'all'].join(' ')
}

/** Allowances that `allowanceRisks` compares. */
export function allowanceQuestions(calls: CallWords[], facts: CallFacts): NeededFacts['allowances'] {
  const said = approvalsOf(calls, facts.account).map(({ token, spender }) => ({ token, spender }))
  return [...said, ...grantsOf(facts).map(({ token, spender }) => ({ token: token.address, spender }))]
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

/** Returns the allowances that `account` gives by the calls. */
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

/**
 * An allowance after the calls; unless `isRead` from the simulation an upper bound, of which they may
 * spend.
 */
type Left = { amount: bigint | 'all'; isRead: boolean }

/** Returns the allowance that remains after an approval; undefined for none. */
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

/**
 * True when it is more than the account holds, also where the balance is not known; a known spender takes
 * no more than a swap says.
 */
function exceeds({ amount, isRead }: Left, token: Address, facts: CallFacts, isKnown: boolean): boolean {
  if (amount === 'all') return true
  const before = facts.balances?.[token]
  if (before === undefined) return !isKnown || isUnlimited(amount)
  const after = before + simulatedChange(facts, token)
  return amount > (isRead || after > before ? after : before)
}
