import type { ApprovalMethod, ApprovalMethodOffer } from '../../../domain/swap/swap.ts'
import { isUnlimited } from '../../../domain/token/amount.ts'
import { t } from '../../../i18n/translate.ts'
import { formatAmount } from '../../format/numbers.ts'

type Sold = { amount: bigint; decimals: number; symbol: string }

/** Formats method and amount. */
export function formatSpendingApproval(permission: ApprovalMethod, sold: Sold, isForAll: boolean): string {
  const { via } = permission
  if (via === 'permit') return isForAll ? t('Unlimited signature') : t('Signature, no fee')
  if (isUnlimited(permission.amount)) return t('Unlimited approval')
  if (permission.amount > sold.amount) {
    const amount = `${formatAmount(permission.amount, sold.decimals)} ${sold.symbol}`
    return t('Approval up to {amount}', { amount })
  }
  return via === 'permit2' ? t('Approval and signature') : t('One-time approval')
}

/** Texts of an offer. `sold` with its symbol; `fee` of its approval, if known. */
export function describeOffer(
  { via, isUnlimited }: ApprovalMethodOffer,
  { sold, symbol, fee }: { sold: string; symbol: string; fee?: string | undefined },
): { name: string; hint: string } {
  if (via === 'approve') {
    const hint =
      fee === undefined
        ? t('An extra transaction before the swap.')
        : t('Extra transaction, network fee {fee}.', { fee })
    return { name: t('One-time approval'), hint }
  }
  if (via === 'permit2') {
    const hint = t('An approval if needed, then a signature for exactly {sold} (Permit2).', { sold })
    return { name: t('Approval and signature'), hint }
  }
  if (isUnlimited) {
    const hint = t(
      '{symbol} only supports unlimited signatures. The router can take all {symbol} in this account until you revoke it.',
      { symbol },
    )
    return { name: t('Unlimited signature, no fee'), hint }
  }
  const hint = t('For exactly {sold}, valid for 10 minutes (EIP-2612).', { sold })
  return { name: t('Signature, no fee'), hint }
}

/** True if the method only permits unlimited amounts. */
export function isAllOrNothing(offers: ApprovalMethodOffer[], via: ApprovalMethod['via']): boolean {
  return offers.find((offer) => offer.via === via)?.isUnlimited ?? false
}

/** Returns the permit, unlimited if the token supports no exact one: the user must be told. */
export function findPermit(offers: ApprovalMethodOffer[]): ApprovalMethod {
  return { via: 'permit', ...(isAllOrNothing(offers, 'permit') && { isUnlimited: true }) }
}
