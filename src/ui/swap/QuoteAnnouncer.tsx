import { useEffect, useRef, useState } from 'preact/hooks'
import { formatPrice } from '../format/price.ts'
import { useStore, useStores } from '../hooks/useStore.ts'

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
