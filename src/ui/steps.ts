import type { Permission, StepKind, StepState } from '../domain/swap.ts'
import { isUnlimited } from '../domain/unlimited.ts'
import { formatAmount, formatWhole } from './numbers.ts'

type Side = { symbol: string; decimals: number; amount: bigint }

/** What the words about a step are made of. `sell` and `buy` are what goes in and what comes out at the least. */
export type StepFacts = {
  sell: Side
  buy: Side
  permission?: Permission | undefined
  /** The signature cannot be had for an amount; undefined while nobody knows. */
  isForAll?: boolean | undefined
}

/** What a transaction will do, in words. */
export function stepTitle(kind: StepKind, { sell, buy, permission }: StepFacts): string {
  const spender = permission?.via === 'permit2' ? 'Permit2' : 'the router'
  switch (kind) {
    case 'reset':
      return `Take back the old permission of ${spender} for ${sell.symbol}`
    case 'approve':
      return `Let ${spender} take ${approvedWords(sell, permission)}`
    case 'swap':
      return `Swap ${short(sell)} for at least ${short(buy)}`
    case 'wrap':
    case 'unwrap':
      return `Turn ${short(sell)} into ${short(buy)}`
    case 'call':
      return 'Send the transaction'
  }
}

/** What is signed so that no transaction has to allow it, in words. Undefined where nothing is. */
export function signatureTitle({ sell, permission, isForAll }: StepFacts): string | undefined {
  if (permission?.via === 'permit2') return `Sign for Permit2 to hand over exactly ${whole(sell)}`
  if (permission?.via !== 'permit') return undefined
  if (isForAll === undefined) return `Sign a permit for ${sell.symbol}`
  return `Sign a permit for ${isForAll ? `all your ${sell.symbol}` : `exactly ${whole(sell)}`}`
}

export const stepStates: Record<StepState, string> = {
  waiting: 'Next',
  signed: 'Sending',
  sent: 'Waiting for the network',
  mined: 'Included',
  final: 'Done',
  reverted: 'Failed',
  replaced: 'Replaced',
  dropped: 'Forgotten',
}

function approvedWords(sell: Side, permission: Permission | undefined): string {
  const amount = permission !== undefined && 'amount' in permission ? permission.amount : sell.amount
  if (isUnlimited(amount)) return `any amount of ${sell.symbol}`
  if (amount > sell.amount) return `up to ${whole({ ...sell, amount })}`
  return `exactly ${whole(sell)}`
}

function short({ amount, decimals, symbol }: Side): string {
  return `${formatAmount(amount, decimals)} ${symbol}`
}

function whole({ amount, decimals, symbol }: Side): string {
  return `${formatWhole(amount, decimals)} ${symbol}`
}
