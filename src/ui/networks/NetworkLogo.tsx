import { findPublicChain } from '../../domain/network/chains.ts'
import type { Network } from '../../domain/network/network.ts'
import { markColor } from '../components/markColor.ts'
import { showInvisible } from '../format/address.ts'

type Props = { network: Pick<Network, 'chainId' | 'name'>; size?: number }

/** A file of the package for the public networks, the first letter for others. Nothing is fetched. */
export function NetworkLogo({ network: { chainId, name }, size = 28 }: Props) {
  if (findPublicChain(chainId)) {
    return <img class="network-logo" src={`/networks/${chainId}.svg`} width={size} height={size} alt="" />
  }
  const [letter = '?'] = Array.from(showInvisible(name))
  return (
    <svg class="token-icon network-logo" width={size} height={size} viewBox="0 0 40 40" aria-hidden="true">
      <rect width="40" height="40" fill={markColor((chainId * 47) % 360)} />
      <text x="20" y="20" dy=".36em" text-anchor="middle" font-size={18}>
        {letter.toUpperCase()}
      </text>
    </svg>
  )
}
