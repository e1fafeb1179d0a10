import { useEffect, useRef, useState } from 'preact/hooks'
import type { Quote } from '../../../domain/swap/quote.ts'
import type { QuoteState } from '../../../state/swap/quote.ts'
import { formatPercent } from '../../format/numbers.ts'

const shownMs = 3_000

/** Shows for a moment by how much the price moved since the last quote of the same trade. */
export function PriceMove({ quote: state }: { quote: QuoteState }) {
  const before = useRef<{ want: unknown; quote: Quote } | undefined>(undefined)
  const [moved, setMoved] = useState<{ bps: number; at: Quote } | undefined>()
  const now = state.status === 'ready' ? state : undefined
  useEffect(() => {
    if (now === undefined) return
    const last = before.current
    before.current = { want: now.want, quote: now.quote }
    if (last === undefined || last.want !== now.want || last.quote === now.quote) return
    const bps = toPriceMove(last.quote, now.quote)
    setMoved(bps === 0 ? undefined : { bps, at: now.quote })
  }, [now?.quote])
  useEffect(() => {
    if (moved === undefined) return
    const timer = setTimeout(() => setMoved(undefined), shownMs)
    return () => clearTimeout(timer)
  }, [moved])
  const isShown = moved !== undefined && moved.at === now?.quote
  // The amounts are announced, at intervals.
  return (
    <span class="moved num" aria-hidden="true">
      {isShown && (
        <span key={moved.at.returns} data-up={moved.bps > 0}>
          {formatPriceMove(moved.bps)}
        </span>
      )}
    </span>
  )
}

/** Returns basis points by which a unit sold returns more, rounded towards zero. */
export function toPriceMove(before: Quote, now: Quote): number {
  const was = before.returns * now.trade.amount
  return was === 0n ? 0 : Number(((now.returns * before.trade.amount - was) * 10_000n) / was)
}

export function formatPriceMove(bps: number): string {
  return bps > 0 ? `▲ +${formatPercent(bps)}` : `▼ −${formatPercent(-bps)}`
}
