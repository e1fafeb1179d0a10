import type { ApprovalMethod, StepKind, StepState } from '../../domain/swap/swap.ts'
import { isUnlimited } from '../../domain/token/amount.ts'
import { defineMessage, t } from '../../i18n/translate.ts'
import { formatAmount, formatInteger } from '../format/numbers.ts'

type Side = { symbol: string; decimals: number; amount: bigint }

/** Trade of a step. `buy.amount` is the minimum received. */
export type StepFacts = {
  sell: Side
  buy: Side
  permission?: ApprovalMethod | undefined
  /** True for tokens that only permit unlimited amounts. Undefined until known. */
  isForAll?: boolean | undefined
}

export function stepTitle(kind: StepKind, { sell, buy, permission }: StepFacts): string {
  const isPermit2 = permission?.via === 'permit2'
  const { symbol } = sell
  switch (kind) {
    case 'reset':
      return isPermit2
        ? t('Revoke Permit2’s existing {symbol} allowance', { symbol })
        : t('Revoke the router’s existing {symbol} allowance', { symbol })
    case 'approve':
      return approvalTitle(sell, permission)
    case 'swap':
      return t('Swap {sold} for at least {bought}', { sold: short(sell), bought: short(buy) })
    case 'wrap':
    case 'unwrap':
      return t('Convert {sold} to {bought}', { sold: short(sell), bought: short(buy) })
    case 'call':
      return t('Send transaction')
  }
}

/** Returns the signature's title, if one is needed. */
export function signatureTitle({ sell, permission, isForAll }: StepFacts): string | undefined {
  if (permission?.via !== 'permit' && permission?.via !== 'permit2') return undefined
  const isAll = permission.via === 'permit' ? isForAll : false
  if (isAll === undefined) return t('Sign a {symbol} approval', { symbol: sell.symbol })
  return isAll
    ? t('Sign an unlimited {symbol} approval', { symbol: sell.symbol })
    : t('Sign an approval of exactly {amount}', { amount: whole(sell) })
}

export const stepStates: Record<StepState, string> = {
  waiting: defineMessage('Not started'),
  signed: defineMessage('Sending'),
  sent: defineMessage('Pending'),
  mined: defineMessage('Confirmed'),
  final: defineMessage('Finalized'),
  reverted: defineMessage('Failed'),
  replaced: defineMessage('Replaced'),
  cancelled: defineMessage('Cancelled'),
  dropped: defineMessage('Dropped'),
}

function approvalTitle(sell: Side, permission: ApprovalMethod | undefined): string {
  const most = permission !== undefined && 'amount' in permission ? permission.amount : sell.amount
  const isPermit2 = permission?.via === 'permit2'
  const { symbol } = sell
  if (isUnlimited(most)) {
    return isPermit2
      ? t('Approve unlimited {symbol} for Permit2', { symbol })
      : t('Approve unlimited {symbol} for the router', { symbol })
  }
  const amount = whole({ ...sell, amount: most })
  if (most > sell.amount) {
    return isPermit2
      ? t('Approve up to {amount} for Permit2', { amount })
      : t('Approve up to {amount} for the router', { amount })
  }
  return isPermit2
    ? t('Approve exactly {amount} for Permit2', { amount })
    : t('Approve exactly {amount} for the router', { amount })
}

function short({ amount, decimals, symbol }: Side): string {
  return `${formatAmount(amount, decimals)} ${symbol}`
}

function whole({ amount, decimals, symbol }: Side): string {
  return `${formatInteger(amount, decimals)} ${symbol}`
}
