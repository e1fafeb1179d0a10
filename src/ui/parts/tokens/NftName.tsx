import type { Token } from '../../../domain/token/token.ts'
import { t } from '../../../language/translate.ts'
import { formatSymbol } from '../../format/format.ts'

const longestNumber = 10

/** One item of a collection. Some numbers are a page long. */
export function NftName({ token, nft }: { token: Token; nft: bigint }) {
  const symbol = formatSymbol(token)
  const digits = nft.toString()
  return (
    <span title={t('{symbol} number {number}', { symbol, number: `${nft}` })}>
      {symbol} #{digits.length > longestNumber ? `${digits.slice(0, 4)}…${digits.slice(-4)}` : digits}
    </span>
  )
}
