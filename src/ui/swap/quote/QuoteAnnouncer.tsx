import { useEffect, useRef, useState } from 'preact/hooks'
import type { Quote } from '../../../domain/swap/quote.ts'
import { t } from '../../../i18n/translate.ts'
import type { SwapFormState } from '../../../state/swap/swapForm.ts'
import { formatSymbol } from '../../format/address.ts'
import { formatAmount } from '../../format/numbers.ts'
import { useStore, useStores } from '../../hooks/data/useStore.ts'

const quietMs = 10_000

/** Announces quotes to screen readers, at most every ten seconds. */
export function QuoteAnnouncer() {
  const { quote, trade } = useStores()
  const form = useStore(trade, (state) => state)
  const price = useStore(quote, (state) => (state.status === 'ready' ? state.quote : undefined))
  const text = price === undefined ? '' : formatPrice(form, price)
  const [said, setSaid] = useState('')
  const saidAt = useRef(-quietMs)
  useEffect(() => {
    if (text === '') return setSaid('')
    const wait = Math.max(0, saidAt.current + quietMs - performance.now())
    const timer = setTimeout(() => {
      saidAt.current = performance.now()
      setSaid(text)
    }, wait)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <p class="unseen" aria-live="polite">
      {said}
    </p>
  )
}

/** Formats the side of a quote that was not typed. */
export function formatPrice({ side, sell, buy }: SwapFormState, { trade, returns }: Quote): string {
  if (sell === undefined || buy === undefined) return ''
  return side === 'sell'
    ? t('You receive {amount}', {
        amount: `${formatAmount(returns, buy.decimals)} ${formatSymbol(buy)}`,
      })
    : t('You sell up to {amount}', {
        amount: `${formatAmount(trade.amount, sell.decimals)} ${formatSymbol(sell)}`,
      })
}
