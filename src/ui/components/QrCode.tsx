import { encode } from 'uqr'

/** Quiet zone in modules (ISO/IEC 18004 requires four). */
const frame = 4

/** Draws dark on light in every theme: many readers require it. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, data } = encode(text, { ecc: 'M', border: 0 })
  const across = size + 2 * frame
  const dots = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg class="qr" role="img" aria-label={label} viewBox={`${-frame} ${-frame} ${across} ${across}`}>
      <path d={dots.join('')} fill="#000" shape-rendering="crispEdges" />
    </svg>
  )
}
