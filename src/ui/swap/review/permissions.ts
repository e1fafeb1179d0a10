import type { ApprovalMethod, ApprovalMethodOffer } from '../../../domain/swap/swap.ts'
import { isUnlimited } from '../../../domain/token/amount.ts'
import { plainDigits } from '../../../domain/token/plainDigits.ts'
import { spokenLocale, t } from '../../../i18n/translate.ts'
import { formatAmount } from '../../format/numbers.ts'

type Sold = { amount: bigint; decimals: number; symbol: string }

/** Formats method and amount. */
export function formatSpendingApproval(permission: ApprovalMethod, sold: Sold, isForAll: boolean): string {
  const { via } = permission
  if (via === 'permit') return isForAll ? t('Permit, unlimited') : t('Permit, exact amount')
  const isPermit2 = via === 'permit2'
  if (isUnlimited(permission.amount)) return t(isPermit2 ? 'Permit2, unlimited' : 'Approve unlimited')
  if (permission.amount <= sold.amount) return t(isPermit2 ? 'Permit2, exact amount' : 'Approve exact amount')
  const amount = `${formatAmount(permission.amount, sold.decimals)} ${sold.symbol}`
  return isPermit2 ? t('Permit2, {amount}', { amount }) : t('Approve {amount}', { amount })
}

/** True if the method only permits unlimited amounts. */
export function isAllOrNothing(offers: ApprovalMethodOffer[], via: ApprovalMethod['via']): boolean {
  return offers.find((offer) => offer.via === via)?.isUnlimited ?? false
}

/** Returns the permit, unlimited if the token supports no exact one: the user must be told. */
export function findPermit(offers: ApprovalMethodOffer[]): ApprovalMethod {
  return { via: 'permit', ...(isAllOrNothing(offers, 'permit') && { isUnlimited: true }) }
}

const multiples = { least: 2, most: 1_000 }

/** Parses a multiple, or returns a validation error. */
export function parseMultiple(text: string): bigint | string {
  const digits = plainDigits(text)
  const typed = /^\d{1,6}$/.test(digits) ? Number(digits) : 0
  const isOne = typed >= multiples.least && typed <= multiples.most
  return isOne
    ? BigInt(typed)
    : t('Enter a whole number from {least} to {most}', {
        least: multiples.least,
        most: multiples.most.toLocaleString(spokenLocale()),
      })
}
