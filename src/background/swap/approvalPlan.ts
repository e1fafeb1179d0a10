import type { SwapApi } from '../../api/client.ts'
import type { Call } from '../../domain/activity/callBatch.ts'
import { supportsPermit } from '../../domain/swap/routers.ts'
import type { ApprovalMethod, ApprovalMethodOffer, StepKind, SwapIntent } from '../../domain/swap/swap.ts'
import { maxUint256 } from '../../domain/token/amount.ts'
import type { Address } from '../../domain/token/token.ts'
import { WalletError } from '../../errors.ts'
import type { Chain } from '../../evm/client.ts'
import type { Permit2Info, PermitInfo } from '../../evm/permits.ts'
import { type ApprovalCall, approval, permit2Approval } from '../tokens/approvalCalls.ts'

/** Approvals and permits that a swap needs now. */
export type ApprovalPlan = {
  steps: StepKind[]
  before: PlannedApproval[]
  spender: Address
  /** Absent if the allowance suffices. */
  permission?: ApprovalMethod
  offers: ApprovalMethodOffer[]
  /** Signed when the swap is built. */
  toSign?: PermitInfo | Permit2Info
  /** Same effect as the signature, for simulation. */
  standIns: Call[]
  /** DAI permits are unlimited. */
  isUnlimited: boolean
  /** Allowance of `spender`. */
  allowed: bigint
  /** Native balance in wei. */
  coin: bigint
}

export type PlannedApproval = { kind: StepKind; call: ApprovalCall; amount: bigint }

/** `hasPermit`: EIP-2612 by the token list. */
export type ApprovalRequest = Pick<SwapIntent, 'account' | 'trade' | 'router' | 'permission'> & {
  hasPermit?: boolean
}

const maxPermit2Amount = 2n ** 160n

/**
 * Plans the chosen permission, by default an exact listed permit, else an exact approval. Throws
 * `not-enough-balance`, or `invalid-input` for an unavailable one.
 */
export async function planApprovals(
  chain: Chain,
  api: Pick<SwapApi, 'permitKinds'>,
  ask: ApprovalRequest,
): Promise<ApprovalPlan> {
  const { account, trade, router } = ask
  const { sell, amount } = trade
  const { balance, allowance, native: coin } = await chain.position(account, sell, router)
  if (balance < amount) throw insufficientBalance(balance, amount)
  const none = {
    before: [],
    spender: router,
    offers: [],
    standIns: [],
    isUnlimited: false,
    allowed: allowance,
    coin,
  }
  if (allowance >= amount) return { ...none, steps: ['swap'] }

  const takes = (kind: 'permit' | 'permit2') => supportsPermit(router) && api.permitKinds.includes(kind)
  const [own, shared] = await Promise.all([
    takes('permit') ? chain.permit(sell, account) : undefined,
    takes('permit2') ? chain.permit2(sell, account, router) : undefined,
  ])
  const permit2 = amount < maxPermit2Amount ? shared : undefined
  const offers: ApprovalMethodOffer[] = [{ via: 'approve', isUnlimited: false }]
  if (own) offers.push({ via: 'permit', isUnlimited: own.style === 'dai' })
  if (permit2) offers.push({ via: 'permit2', isUnlimited: false })
  const usual: ApprovalMethod =
    ask.hasPermit && own?.style === 'eip2612' ? { via: 'permit' } : { via: 'approve', amount }
  const permission = ask.permission ?? usual

  /** Some tokens need a reset first. */
  async function approve(spender: Address, allowed: bigint, wanted: bigint): Promise<PlannedApproval[]> {
    if (wanted < amount) throw notOpen()
    const to = (kind: StepKind, amount: bigint) => ({ kind, call: approval(sell, spender, amount), amount })
    const reset = allowed > 0n && (await chain.needsReset(account, sell, spender, wanted))
    return [...(reset ? [to('reset', 0n)] : []), to('approve', wanted)]
  }

  const way = (parts: Partial<ApprovalPlan>): ApprovalPlan => {
    const { before = [] } = parts
    return { ...none, offers, permission, ...parts, steps: [...before.map(({ kind }) => kind), 'swap'] }
  }

  if (permission.via === 'approve')
    return way({ before: await approve(router, allowance, permission.amount) })
  if (permission.via === 'permit') {
    if (own === undefined) throw notOpen()
    const isUnlimited = own.style === 'dai'
    // The RPC may change the style after the choice.
    if (isUnlimited && !permission.isUnlimited) throw staleReview()
    return way({
      toSign: own,
      isUnlimited,
      standIns: [approval(sell, router, isUnlimited ? maxUint256 : amount)],
    })
  }
  if (permit2 === undefined) throw notOpen()
  const allowed = permit2.allowance
  const before = allowed < amount ? await approve(permit2.permit2, allowed, permission.amount) : []
  // The existing allowance may expire too early.
  const standIns = [permit2Approval(sell, router, amount)]
  return way({ before, spender: permit2.permit2, allowed, toSign: permit2, standIns })
}

/** Returns the reviewed plan. Throws `stale-review` for a permission that was not shown. */
export async function agreedPlan(
  chain: Chain,
  api: Pick<SwapApi, 'permitKinds'>,
  intent: ApprovalRequest,
): Promise<ApprovalPlan> {
  const way = await planApprovals(chain, api, intent)
  // Shown as sufficient.
  if (way.permission !== undefined && intent.permission === undefined) throw staleReview()
  return way
}

export function staleReview(): WalletError {
  return new WalletError('stale-review', 'What may be spent changed since the review.')
}

export function insufficientBalance(balance: bigint, amount: bigint): WalletError {
  return new WalletError('not-enough-balance', `The account holds ${balance} of the ${amount} base units.`, {
    balance: balance.toString(),
    amount: amount.toString(),
  })
}

function notOpen(): WalletError {
  return new WalletError('invalid-input', 'permission: the swap cannot be allowed this way.', {
    field: 'permission',
  })
}
