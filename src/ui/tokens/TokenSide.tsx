import type { ComponentChildren } from 'preact'
import type { Address, Token } from '../../domain/token/token.ts'
import { TokenIcon } from '../components/TokenIcon.tsx'
import { NftName } from './NftName.tsx'
import { TokenAmount } from './TokenAmount.tsx'
import { TokenOrigin } from './TokenOrigin.tsx'

type Props = {
  what: ComponentChildren
  amount: bigint | 'all'
  /** NFT id. */
  nft?: bigint | undefined
  address: Address
  token: Token | null | undefined
  isGain?: boolean
  /** Rounding must not understate outgoing amounts. */
  isExact?: boolean
}

export function TokenSide({ what, amount, nft, address, token, isGain = false, isExact = false }: Props) {
  return (
    <div class="side">
      <TokenIcon token={token ?? { address, symbol: '?' }} size={36} />
      <span class="side-words">
        <span class="dim small side-what">{what}</span>
        <strong class={isGain ? 'side-amount side-floor' : 'side-amount'}>
          {nft === undefined || !token ? (
            <TokenAmount amount={amount} address={address} token={token} isExact={isExact} />
          ) : (
            <NftName token={token} nft={nft} />
          )}
        </strong>
        <TokenOrigin address={address} token={token} />
      </span>
    </div>
  )
}
