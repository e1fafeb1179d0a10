import type { SwapApi } from '../../api/client.ts'
import type { Call } from '../../domain/activity/callBatch.ts'
import { supportsPermit } from '../../domain/swap/routers.ts'
import type { Permission, PermissionOffer, StepKind, SwapIntent } from '../../domain/swap/swap.ts'
import type { Address } from '../../domain/token/token.ts'
import { unlimitedAmount } from '../../domain/token/unlimited.ts'
import { WalletError } from '../../errors.ts'
import type { Chain, Permit2Info, PermitInfo } from '../../evm/client.ts'
import { type ApprovalCall, approval, permit2Approval } from '../tokens/approvalCalls.ts'

/** How the router gets at what is sold, as things stand on the chain. */
export type ApprovalPlan = {
  /** The transactions to come, in order. */
  steps: StepKind[]
  /** The ones before the swap. */
  before: Approval[]
  /** Who is approved by them. */
  spender: Address
  /** Absent where the router may take enough already. */
  permission?: Permission
  offers: PermissionOffer[]
  /** What has to be signed when the swap is built. */
  toSign?: PermitInfo | Permit2Info
  /** What has the same effect as that signature, to try the swap out before there is one. */
  standIns: Call[]
  /** The signature gives away all there is, and not an amount (DAI's own permit). */
  isUnlimited: boolean
  /** What may be taken of the sold token now, by who would be approved. */
  allowed: bigint
  /** The account's coins, in wei. */
  coin: bigint
}

/** Sets what may be taken to `amount`. */
export type Approval = { kind: StepKind; call: ApprovalCall; amount: bigint }

/** `hasPermit`: the service's list says that the token takes one (EIP-2612). */
export type ApprovalRequest = Pick<SwapIntent, 'account' | 'trade' | 'router' | 'permission'> & {
  hasPermit?: boolean
}

/** Permit2 counts in 160 bits. */
const mostOfPermit2 = 2n ** 160n

/**
 * The way that was chosen, or the usual one: a permit for exactly the amount where the list knows of one, else an approval of exactly
 * the amount. Throws `not-enough-balance`, and `invalid-input` for a way that is not open.
 */
export async function planApprovals(
  chain: Chain,
  api: Pick<SwapApi, 'takesPermits'>,
  ask: ApprovalRequest,
): Promise<ApprovalPlan> {
  const { account, trade, router } = ask
  const { sell, amount } = trade
  const { balance, allowance, coin } = await chain.position(account, sell, router)
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

  const [own, shared] =
    api.takesPermits && supportsPermit(router)
      ? await Promise.all([chain.permit(sell, account), chain.permit2(sell, account, router)])
      : []
  const permit2 = amount < mostOfPermit2 ? shared : undefined
  const offers: PermissionOffer[] = [{ via: 'approve', isUnlimited: false }]
  if (own) offers.push({ via: 'permit', isUnlimited: own.style === 'dai' })
  if (permit2) offers.push({ via: 'permit2', isUnlimited: false })
  const usual: Permission =
    ask.hasPermit && own?.style === 'eip2612' ? { via: 'permit' } : { via: 'approve', amount }
  const permission = ask.permission ?? usual

  /** Approves `spender`, after a reset for tokens that refuse to change an allowance that is not zero. */
  async function approve(spender: Address, allowed: bigint, wanted: bigint): Promise<Approval[]> {
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
    // The node names the style, and may name another than it did when the user chose.
    if (isUnlimited && !permission.isUnlimited) throw staleReview()
    return way({
      toSign: own,
      isUnlimited,
      standIns: [approval(sell, router, isUnlimited ? unlimitedAmount : amount)],
    })
  }
  if (permit2 === undefined) throw notOpen()
  const allowed = permit2.allowance
  const before = allowed < amount ? await approve(permit2.permit2, allowed, permission.amount) : []
  // Whether what was allowed there is still good when the swap is mined nobody knows, so it is signed anew.
  const standIns = [permit2Approval(sell, router, amount)]
  return way({ before, spender: permit2.permit2, allowed, toSign: permit2, standIns })
}

/** The way that a review showed. Throws `stale-review` when it would take a permission that the user was not asked for. */
export async function agreedPlan(
  chain: Chain,
  api: Pick<SwapApi, 'takesPermits'>,
  intent: ApprovalRequest,
): Promise<ApprovalPlan> {
  const way = await planApprovals(chain, api, intent)
  // The review said that the router may take enough already.
  if (way.permission !== undefined && intent.permission === undefined) throw staleReview()
  return way
}

/** What was agreed to does not fit the chain of now. */
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
