import type { Address } from '../../../domain/token/token.ts'

const cells = 5

export function Identicon({ address, size = 28 }: { address: Address; size?: number }) {
  const digits = Array.from(address.slice(2), (digit) => Number.parseInt(digit, 16))
  const hue = addressHue(address)
  const filled: string[] = []
  for (let row = 0; row < cells; row += 1) {
    for (let column = 0; column < cells; column += 1) {
      const mirrored = Math.min(column, cells - 1 - column)
      if ((digits[row * 3 + mirrored] ?? 0) % 2 === 0) filled.push(`M${column} ${row}h1v1h-1z`)
    }
  }
  return (
    <svg class="identicon" width={size} height={size} viewBox="-1 -1 7 7" aria-hidden="true">
      <rect x="-1" y="-1" width="7" height="7" fill={`hsl(${hue} 45% 88%)`} />
      <path d={filled.join('')} fill={`hsl(${(hue + 20) % 360} 55% 38%)`} shape-rendering="crispEdges" />
    </svg>
  )
}

/** Returns a hue (0–359) derived from the whole address. */
export function addressHue(address: Address): number {
  let hue = 0
  for (const digit of address.slice(2)) hue = (hue * 31 + Number.parseInt(digit, 16)) % 3_607
  return hue % 360
}
