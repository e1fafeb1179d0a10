import { formatValue } from '../format/value.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'

/** A past value in the chosen currency, at its rate of now; nothing if values are off. */
export function PastValue({ usd }: { usd: bigint | undefined }) {
  const text = usePastValue()(usd)
  return text === undefined ? null : <span class="num">{text}</span>
}

export function usePastValue(): (usd: bigint | undefined) => string | undefined {
  const { prices } = useStores()
  const isShown = useStore(prices, (state) => state.isShown)
  const rate = useStore(prices, (state) => state.rate)
  return (usd) => (usd === undefined || !isShown ? undefined : formatValue(usd, rate))
}
