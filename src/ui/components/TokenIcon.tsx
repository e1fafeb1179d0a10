import type { Token } from '../../domain/token/token.ts'
import { shortAddress, showInvisible } from '../format/address.ts'
import { addressHue } from './address/Identicon.tsx'

const sizes = [0, 16, 15, 12, 10.5]

/** Shows the symbol's first letters. Fetched images would reveal the user's tokens. */
export function TokenIcon({ token, size = 28 }: { token: Pick<Token, 'symbol' | 'address'>; size?: number }) {
  const isUnnamed = token.symbol === shortAddress(token.address)
  const letters = isUnnamed ? '?' : Array.from(showInvisible(token.symbol)).slice(0, 4).join('').toUpperCase()
  const hue = addressHue(token.address)
  return (
    <svg class="token-icon" width={size} height={size} viewBox="0 0 40 40" aria-hidden="true">
      <circle cx="20" cy="20" r="20" fill={`hsl(${hue} 48% 42%)`} />
      <text x="20" y="20" dy=".36em" text-anchor="middle" font-size={sizes[letters.length]}>
        {letters}
      </text>
    </svg>
  )
}
