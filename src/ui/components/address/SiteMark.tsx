import { isIpAddress, splitOrigin } from '../../format/origin.ts'
import { markColor } from '../markColor.ts'

/** Letter of a site's host, or a globe for an IP address. Its own icon would be fetched from the site. */
export function SiteMark({ origin, size = 32 }: { origin: string; size?: number }) {
  const { host } = splitOrigin(origin)
  const [letter = '?'] = Array.from(host.replace(/^(www|app)\.(?=.*\.)/, ''))
  return (
    <svg class="token-icon" width={size} height={size} viewBox="0 0 40 40" aria-hidden="true">
      <circle cx="20" cy="20" r="20" fill={markColor(hostHue(host))} />
      {isIpAddress(host) ? (
        <path d={globe} fill="none" stroke="#fff" stroke-width="2" />
      ) : (
        <text x="20" y="20" dy=".36em" text-anchor="middle" font-size={18}>
          {letter.toUpperCase()}
        </text>
      )}
    </svg>
  )
}

const globe = 'M20 9a11 11 0 1 0 0 22 11 11 0 0 0 0-22zM9 20h22M20 9q-5 4.5-5 11t5 11q5-4.5 5-11t-5-11z'

function hostHue(host: string): number {
  let hue = 0
  for (const sign of host) hue = (hue * 31 + (sign.codePointAt(0) ?? 0)) % 3_607
  return hue % 360
}
