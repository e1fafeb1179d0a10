import type { Network } from '../../domain/network/network.ts'
import { isWrap } from '../../domain/swap/wrap.ts'
import type { AmountError } from '../../domain/token/amount.ts'
import { isNative, nativeTokenAddress } from '../../domain/token/token.ts'
import type { WalletError } from '../../errors.ts'
import { defineMessage, t } from '../../i18n/translate.ts'
import type { Balances } from '../../protocol.ts'
import { isReachable, isReady, isReadyFor } from '../../state/settings.ts'
import type { QuoteState } from '../../state/swap/quote.ts'
import { deductFee, type FeeDeduction, type SwapFormState, typedAmount } from '../../state/swap/swapForm.ts'
import { formatSymbol } from '../format/address.ts'

export type PrimaryAction =
  | { label: string; does: 'set-up' | 'choose-buy' | 'fund' | 'add-funds' | 'resume' | 'review' | undefined }
  | { label: string; does: 'sell-less'; less: FeeDeduction }

export type FormSnapshot = {
  network: Network
  trade: SwapFormState
  balances: Balances
  /** Error that left the balances outdated. */
  balanceError?: WalletError | undefined
  quote: QuoteState
  /** True if the account holds nothing on the network, and this view leads to Receive. */
  isEmpty?: boolean
  /** True for a watch-only account. */
  isWatched?: boolean
  /** Site's minimum, in base units. */
  atLeast?: bigint | undefined
}

/** Returns the next action, or the first reason against it. */
export function primaryAction(form: FormSnapshot): PrimaryAction {
  const { network, trade, balances, quote } = form
  const setUp: PrimaryAction = { label: t('Set up {name}', { name: network.name }), does: 'set-up' }
  if (!isReachable(network)) return { label: t('Choose where to swap'), does: 'set-up' }
  if (!isReady(network) && network.wrapped === undefined) return setUp
  const { coin } = network
  const coins = balances[nativeTokenAddress]
  if (network.faucetUrl !== undefined && coins === 0n) return { label: t('Get test funds'), does: 'fund' }
  if (form.isEmpty && !form.isWatched) return { label: t('Add funds'), does: 'add-funds' }
  const { sell, buy } = trade
  if (sell === undefined) return no(t('Select a token to sell'))
  if (buy === undefined) return { label: t('Select a token to buy'), does: 'choose-buy' }
  const pair = { sell: sell.address, buy: buy.address }
  if (!isReadyFor(network, pair)) return setUp
  const amount = typedAmount(trade)
  if (amount === 'empty' || amount === 0n) return no(t('Enter an amount'))
  if (typeof amount !== 'bigint') return no(t(faults[amount]))
  if (form.isWatched) {
    return quote.status === 'resting'
      ? { label: t('Resume quotes'), does: 'resume' }
      : no(t('Watch-only: can’t sign'))
  }
  if (isNodeDown(form.balanceError)) return no(t('Can’t reach the RPC'))
  const sold = enteredSellAmount(form)
  const balance = balances[sell.address]
  if (sold !== undefined && balance !== undefined && sold > balance)
    return no(t('Not enough {symbol}', { symbol: formatSymbol(sell) }))
  if (!isNative(sell.address) && coins === 0n)
    return no(t('No {symbol} for the network fee', { symbol: coin.symbol }))
  const isWrapping = isWrap(pair, network)
  if (isWrapping && trade.receiver !== undefined) return no(t('Can’t wrap to another address'))
  if (quote.status === 'resting') return { label: t('Resume quotes'), does: 'resume' }
  if (quote.status === 'failed') return no(t('No quote available'))
  if (quote.status !== 'ready')
    return no(trade.side === 'buy' ? t('Calculating amount…') : t('Fetching quote…'))
  const missing =
    (quote.quote.mostNetworkFee ?? 0n) + (isNative(sell.address) ? quote.trade.amount : 0n) - (coins ?? 0n)
  if (coins !== undefined && missing > 0n) {
    const less = isNative(sell.address) ? deductFee(trade, quote.trade.amount, missing, coins) : undefined
    return less === undefined
      ? no(t('Not enough {symbol} for the network fee', { symbol: coin.symbol }))
      : { label: t('Keep some {symbol} for fees', { symbol: coin.symbol }), does: 'sell-less', less }
  }
  if (form.atLeast !== undefined && quote.quote.returns < form.atLeast) {
    return no(t('Below the site’s minimum'))
  }
  return { label: isWrapping ? t('Review') : t('Review swap'), does: 'review' }
}

/** False for a busy RPC, which may recover, and one on another chain, which the review reports. */
export function isNodeDown(error: WalletError | undefined): boolean {
  if (error?.code !== 'node-unreachable') return false
  const { status, rpcCode } = error.facts
  return status === undefined && rpcCode === undefined
}

/** Returns the typed or quoted amount. Undefined until known. */
export function enteredSellAmount({
  trade,
  quote,
}: Pick<FormSnapshot, 'trade' | 'quote'>): bigint | undefined {
  if (trade.side === 'buy') return quote.status === 'ready' ? quote.trade.amount : undefined
  const amount = typedAmount(trade)
  return typeof amount === 'bigint' ? amount : undefined
}

const faults: Record<Exclude<AmountError, 'empty'>, string> = {
  'not-a-number': defineMessage('Enter a number'),
  abbreviated: defineMessage('Enter a number'),
  'ambiguous-separator': defineMessage('Remove thousands separators'),
  'too-many-decimals': defineMessage('Too many decimals'),
  'too-large': defineMessage('Amount too large'),
}

function no(label: string): PrimaryAction {
  return { label, does: undefined }
}
