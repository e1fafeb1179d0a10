import { useContext } from 'preact/hooks'
import type { Token } from '../../domain/token/token.ts'
import { shortAddress, showInvisible } from '../format/address.ts'
import { useNetwork } from '../hooks/data/useNetwork.ts'
import { NetworkLogo } from '../networks/NetworkLogo.tsx'
import { TokenChainContext, useTokenLogo } from '../tokens/tokenLogos.ts'
import { addressHue } from './address/Identicon.tsx'
import { markColor } from './markColor.ts'

type Props = {
  token: Pick<Token, 'symbol' | 'address'>
  /** Chain of the token; otherwise the nearest `TokenChain`'s. */
  chainId?: number | undefined
  size?: number
  /** Chain whose logo is drawn on the corner. */
  badge?: number | undefined
}

/** Bundled logo by chain and address, otherwise letters. Fetched images would reveal the user's tokens. */
export function TokenIcon({ token, chainId, size = 28, badge }: Props) {
  const nearest = useContext(TokenChainContext)
  const logo = useTokenLogo(chainId ?? nearest, token.address)
  const disc =
    logo === 'none' || logo === 'reading' ? (
      <LetterDisc token={token} size={size} isBlank={logo === 'reading'} />
    ) : (
      <img class="token-icon" src={logo.src} width={size} height={size} alt="" decoding="sync" />
    )
  if (badge === undefined) return disc
  return (
    <span class="token-badged">
      {disc}
      <NetworkBadge chainId={badge} size={Math.round(size * 0.47)} />
    </span>
  )
}

const fontSizes = [0, 16, 15, 12, 10.5]

type DiscProps = { token: Props['token']; size: number; isBlank: boolean }

/** Blank while the logos are read, so that letters do not flash. */
function LetterDisc({ token: { symbol, address }, size, isBlank }: DiscProps) {
  const isUnnamed = symbol === shortAddress(address)
  const letters = isUnnamed ? '?' : Array.from(showInvisible(symbol)).slice(0, 4).join('').toUpperCase()
  return (
    <svg class="token-icon" width={size} height={size} viewBox="0 0 40 40" aria-hidden="true">
      <circle
        cx="20"
        cy="20"
        r="20"
        class={isBlank ? 'token-blank' : ''}
        fill={markColor(addressHue(address))}
      />
      {isBlank || (
        <text x="20" y="20" dy=".36em" text-anchor="middle" font-size={fontSizes[letters.length]}>
          {letters}
        </text>
      )}
    </svg>
  )
}

function NetworkBadge({ chainId, size }: { chainId: number; size: number }) {
  const name = useNetwork(chainId)?.name ?? '?'
  return <NetworkLogo network={{ chainId, name }} size={size} />
}
