import type { DecodedCall } from '../../calldata/decodedCall.ts'
import { isUnlimited } from '../../token/amount.ts'
import type { Address } from '../../token/token.ts'
import { type CallFacts, type NeededFacts, simulatedChange } from '../callFacts.ts'
import type { Risk } from './risk.ts'

export function allowanceRisks(calls: DecodedCall[], facts: CallFacts): Risk[] {
  const said = toApprovals(calls, facts.account)
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
    if (!approval.isLent) judged.add(approvalKey(token, spender, left.amount))
    if (!isKnown) found.set('stranger', { kind: 'call', warning: 'unknown-spender', isGrave: false })
    if (exceeds(left, token, facts, isKnown)) note(token, spender, left, false, !isKnown)
  }
  for (const { token, spender, amount, nft } of toGrants(facts)) {
    if (nft !== undefined || judged.has(approvalKey(token.address, spender, amount))) continue
    const isNew = amount === 'all' || amount > allowanceBefore(facts, token.address, spender)
    const left: Left = { amount, isRead: true }
    if (isNew && exceeds(left, token.address, facts, false)) note(token.address, spender, left, true, true)
  }
  return [...found.values()]
}

/** Separate keys: a call that states one may hide the other. */
function approvalKey(token: Address, spender: Address, amount: bigint | 'all'): string {
  return [token, spender, amount === 'all'].join(' ')
}

export function allowanceQuestions(calls: DecodedCall[], facts: CallFacts): NeededFacts['allowances'] {
  const said = toApprovals(calls, facts.account).map(({ token, spender }) => ({ token, spender }))
  return [...said, ...toGrants(facts).map(({ token, spender }) => ({ token: token.address, spender }))]
}

type Approval = {
  token: Address
  spender: Address
  amount: bigint | 'all'
  adds: boolean
  /** By Permit2, whose allowances the simulation does not show. */
  isLent: boolean
  isKnown: boolean
}

function toApprovals(calls: DecodedCall[], account: Address): Approval[] {
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

function toGrants({ simulation }: CallFacts) {
  return simulation?.status === 'succeeds' ? simulation.grants : []
}

/** Unless `isRead` from the simulation, an upper bound that the calls may spend. */
type Left = { amount: bigint | 'all'; isRead: boolean }

/** Undefined if none remains. */
function leftBy(approval: Approval, facts: CallFacts): Left | undefined {
  const { token, spender, amount, adds, isLent } = approval
  if (amount === 'all') return { amount, isRead: true }
  if (facts.simulation?.status === 'succeeds' && !isLent) {
    const own = toGrants(facts).filter((grant) => grant.token.address === token && grant.spender === spender)
    // For ERC-721 the amount is a token id.
    if (own.some(({ nft }) => nft === amount)) return undefined
    const grant = own.find(({ nft }) => nft === undefined)
    if (grant !== undefined) return { amount: grant.amount, isRead: true }
    // The simulation reads a raised allowance only if the token logs it.
    if (!adds) return undefined
  }
  return { amount: adds ? amount + allowanceBefore(facts, token, spender) : amount, isRead: false }
}

function allowanceBefore({ allowances = [] }: CallFacts, token: Address, spender: Address): bigint {
  return allowances.find((one) => one.token === token && one.spender === spender)?.amount ?? 0n
}

/**
 * With an unknown balance a known spender counts only when unlimited: it takes no more than a swap states.
 */
function exceeds({ amount, isRead }: Left, token: Address, facts: CallFacts, isKnown: boolean): boolean {
  if (amount === 'all') return true
  const before = facts.balances?.[token]
  if (before === undefined) return !isKnown || isUnlimited(amount)
  const after = before + simulatedChange(facts, token)
  return amount > (isRead || after > before ? after : before)
}
