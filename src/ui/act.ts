import type { AmountFault } from '../domain/amount.ts'
import type { Network } from '../domain/network.ts'
import { isNative, native } from '../domain/token.ts'
import type { Balances } from '../protocol.ts'
import type { QuoteState } from '../state/quote.ts'
import { isReady } from '../state/settings.ts'
import { amountOf, type TradeState } from '../state/trade.ts'
import { formatSymbol } from './format.ts'

/** The form's one button: what it says, and what it does when it can do something. */
export type Act = { label: string; does: 'set-up' | 'choose-buy' | 'fund' | 'resume' | 'review' | undefined }

export type Form = {
  network: Network
  trade: TradeState
  balances: Balances
  quote: QuoteState
}

/** The next act, or the first reason why there is none. */
export function nextAct({ network, trade, balances, quote }: Form): Act {
  if (!isReady(network)) return { label: `Set up ${network.name}`, does: 'set-up' }
  if (network.faucetUrl !== undefined && balances[native] === 0n) {
    return { label: 'Get test funds', does: 'fund' }
  }
  const { sell, buy } = trade
  if (sell === undefined) return no('Choose a token to sell')
  if (buy === undefined) return { label: 'Choose a token to buy', does: 'choose-buy' }
  const amount = amountOf(trade)
  if (amount === 'empty' || amount === 0n) return no('Enter an amount')
  if (typeof amount !== 'bigint') return no(faults[amount])
  const balance = balances[sell.address]
  if (balance !== undefined && amount > balance) return no(`Not enough ${formatSymbol(sell)}`)
  if (!isNative(sell.address) && balances[native] === 0n)
    return no(`No ${network.coin.symbol} for the network fee`)
  if (quote.status === 'resting') return { label: 'Resume prices', does: 'resume' }
  if (quote.status === 'failed') return no('No price right now')
  if (quote.status !== 'ready') return no('Getting a price…')
  return { label: 'Review swap', does: 'review' }
}

const faults: Record<Exclude<AmountFault, 'empty'>, string> = {
  'not-a-number': 'Enter a number',
  'ambiguous-separator': 'Use one decimal mark only',
  'too-many-decimals': 'Too many decimals',
  'too-large': 'That is too much',
}

function no(label: string): Act {
  return { label, does: undefined }
}
