import { useEffect, useRef, useState } from 'preact/hooks'
import { sayPrice } from '../format/price.ts'
import { use, useStores } from '../hooks/useStore.ts'

const quietMs = 10_000

/** Tells a screen reader the price, at most every ten seconds. */
export function QuoteVoice() {
  const { quote, trade } = useStores()
  const form = use(trade, (state) => state)
  const price = use(quote, (state) => (state.status === 'ready' ? state.quote : undefined))
  const text = price === undefined ? '' : sayPrice(form, price)
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
