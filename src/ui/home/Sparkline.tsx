import { t } from '../../i18n/translate.ts'
import { formatCompactValue } from '../format/value.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'

const [width, height, margin] = [64, 20, 2]
/** Newest ones; two days of hours. */
const maxPoints = 48

/** Draws past totals, oldest first, in reading direction. */
export function Sparkline({ points: all }: { points: bigint[] }) {
  const { prices } = useStores()
  const rate = useStore(prices, (state) => state.rate)
  const points = all.slice(-maxPoints)
  const [low = 0n, high = low] = bounds(points)
  const label = t('Value over time: between {low} and {high}', {
    low: formatCompactValue(low, rate),
    high: formatCompactValue(high, rate),
  })
  return (
    <svg
      class="sparkline"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
    >
      <path
        d={toPath(points, low, high)}
        fill="none"
        stroke="currentColor"
        stroke-width="1.5"
        stroke-linejoin="round"
      />
    </svg>
  )
}

/** A total that never moved is a line in the middle. */
function toPath(points: bigint[], low: bigint, high: bigint): string {
  return points
    .map((point, index) => {
      const x = margin + (index * (width - 2 * margin)) / Math.max(points.length - 1, 1)
      const share = high === low ? 500 : Number(((point - low) * 1_000n) / (high - low))
      const y = height - margin - (share * (height - 2 * margin)) / 1_000
      return `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`
    })
    .join('')
}

function bounds(points: bigint[]): (bigint | undefined)[] {
  const sorted = points.toSorted((one, other) => (one < other ? -1 : 1))
  return [sorted[0], sorted.at(-1)]
}
