import type { SignedAsset } from '../../../domain/signing/description.ts'
import { t } from '../../../i18n/translate.ts'
import { TokenIcon } from '../../components/TokenIcon.tsx'
import { TokenOrigin } from '../../tokens/TokenOrigin.tsx'
import { TokenSide } from '../../tokens/TokenSide.tsx'
import type { FindToken } from '../../tokens/useTokens.ts'

type Props = { what: string; asset: SignedAsset; tokenOf: FindToken; isGain?: boolean }

export function AssetSide({ what, asset: { token, amount, item }, tokenOf, isGain = false }: Props) {
  if (item === undefined) {
    return <TokenSide what={what} amount={amount} address={token} token={tokenOf(token)} isGain={isGain} />
  }
  return (
    <div class="side">
      <TokenIcon token={{ address: token, symbol: 'NFT' }} size={36} />
      <span class="side-words">
        <span class="dim small side-what">{what}</span>
        <strong class={isGain ? 'side-amount side-floor' : 'side-amount'}>
          <span class={item === 'any' && !isGain ? 'bad' : ''}>{toName(amount, item)}</span>
        </strong>
        <TokenOrigin address={token} token={undefined} />
      </span>
    </div>
  )
}

const maxId = 12

function toName(amount: bigint | 'all', item: bigint | 'any'): string {
  if (amount === 'all') return t('All NFTs in the collection')
  if (item === 'any') return t('{count} × NFT of the taker’s choice', { count: `${amount}` })
  const digits = `${item}`
  const id = digits.length > maxId ? `${digits.slice(0, 5)}…${digits.slice(-5)}` : digits
  return amount === 1n
    ? t('NFT {id}', { id: `#${id}` })
    : t('{count} × NFT {id}', { count: `${amount}`, id: `#${id}` })
}
