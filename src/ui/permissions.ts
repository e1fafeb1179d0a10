import type { Permission, PermissionOffer } from '../domain/swap.ts'
import { isUnlimited } from '../domain/unlimited.ts'
import { formatAmount } from './numbers.ts'

type Sold = { amount: bigint; decimals: number; symbol: string }

/** A permission in a few words, for the list of numbers: how, and how much. */
export function sayPermission(permission: Permission, sold: Sold, isForAll: boolean): string {
  const { via } = permission
  if (via === 'permit') return isForAll ? 'Sign, for everything' : 'Sign once, exactly this'
  const how = via === 'approve' ? 'Approve' : 'Permit2'
  if (isUnlimited(permission.amount)) return `${how}, unlimited`
  if (permission.amount <= sold.amount) return `${how}, exactly this`
  return `${how}, ${formatAmount(permission.amount, sold.decimals)} ${sold.symbol}`
}

/** Whether a way of this token is for all there is or nothing. */
export function isForAll(offers: PermissionOffer[], via: Permission['via']): boolean {
  return offers.find((offer) => offer.via === via)?.isUnlimited ?? false
}

/** A signature to the token, for all there is where it knows no less. Only who was told so says yes to that. */
export function permitOf(offers: PermissionOffer[]): Permission {
  return { via: 'permit', ...(isForAll(offers, 'permit') && { isUnlimited: true }) }
}

const multiples = { least: 2, most: 1_000 }

/** How many times the amount, as typed, or the sentence that says why not. */
export function parseMultiple(text: string): bigint | string {
  const typed = /^\d{1,6}$/.test(text.trim()) ? Number(text) : 0
  const isOne = typed >= multiples.least && typed <= multiples.most
  return isOne
    ? BigInt(typed)
    : `A whole number from ${multiples.least} to ${multiples.most.toLocaleString()}.`
}
