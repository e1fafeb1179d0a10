import type { Token } from '../../domain/token/token.ts'
import { t } from '../../i18n/translate.ts'
import { formatNft, formatSymbol } from '../format/address.ts'

export function NftName({ token, nft }: { token: Token; nft: bigint }) {
  const symbol = formatSymbol(token)
  return <span title={t('{symbol} #{number}', { symbol, number: `${nft}` })}>{formatNft(token, nft)}</span>
}
