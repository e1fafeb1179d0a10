import { useEffect, useRef, useState } from 'preact/hooks'
import { formatSymbol } from '../format.ts'
import { formatAmount } from '../numbers.ts'
import { use, useStores } from '../use.ts'

const quietMs = 10_000

/** Tells a screen reader the price, at most every ten seconds. */
export function QuoteVoice() {
  const { quote, trade } = useStores()
  const buy = use(trade, (form) => form.buy)
  const returns = use(quote, (state) => (state.status === 'ready' ? state.quote.returns : undefined))
  const text =
    buy && returns !== undefined
      ? `You receive ${formatAmount(returns, buy.decimals)} ${formatSymbol(buy)}`
      : ''
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
