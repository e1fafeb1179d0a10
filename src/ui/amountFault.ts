import type { AmountFault } from '../domain/amount.ts'
import type { Token } from '../domain/token.ts'
import type { Balances } from '../protocol.ts'
import { amountOf, type TradeState } from '../state/trade.ts'
import { formatSymbol } from './format.ts'
import { formatAmount } from './numbers.ts'

/** Why the typed amount cannot be sold, with the limit that it passes. An empty field is no fault. */
export function faultOfAmount(trade: TradeState, balances: Balances): string | undefined {
  const { sell } = trade
  const amount = amountOf(trade)
  if (sell === undefined || amount === 'empty') return undefined
  if (typeof amount !== 'bigint') return sentences[amount](sell)
  const balance = balances[sell.address]
  if (balance === undefined || amount <= balance) return undefined
  return `You have ${formatAmount(balance, sell.decimals)} ${formatSymbol(sell)}.`
}

const sentences: Record<Exclude<AmountFault, 'empty'>, (token: Token) => string> = {
  'not-a-number': () => 'An amount is digits and one decimal mark.',
  'ambiguous-separator': () => 'Write it as 1234.5 or 1234,5.',
  'too-many-decimals': (token) => `${formatSymbol(token)} has ${decimalsOf(token)}.`,
  'too-large': (token) => `There can never be so much ${formatSymbol(token)}.`,
}

function decimalsOf({ decimals }: Token): string {
  if (decimals === 0) return 'no decimals'
  return decimals === 1 ? '1 decimal' : `${decimals} decimals`
}
