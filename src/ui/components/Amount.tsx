import type { Token } from '../../domain/token/token.ts'
import { formatSymbol } from '../format/address.ts'
import { decimalMark, formatInteger, formatWithSymbol } from '../format/numbers.ts'

type Props = { amount: bigint; token: Pick<Token, 'symbol' | 'address' | 'decimals'>; isExact?: boolean }

/** Shortens the amount unless `isExact`. The title has every digit. */
export function Amount({ amount, token, isExact = false }: Props) {
  const symbol = formatSymbol(token)
  const exact = formatInteger(amount, token.decimals)
  const text = formatWithSymbol(amount, token, isExact)
  const mark = text.indexOf(decimalMark()) + 1
  return (
    <span class={text.length > longest ? 'num num-long' : 'num'} title={`${exact} ${symbol}`}>
      {text.slice(0, mark)}
      {/* Break opportunity for long amounts. */}
      {isExact && <wbr />}
      {text.slice(mark)}
    </span>
  )
}

/** Longer amounts get a smaller font. */
const longest = 22
