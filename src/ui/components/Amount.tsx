import type { Token } from '../../domain/token/token.ts'
import { formatSymbol } from '../format/address.ts'
import { decimalMark, formatInteger, formatWithSymbol } from '../format/numbers.ts'

type Props = { amount: bigint; token: Pick<Token, 'symbol' | 'address' | 'decimals'>; isExact?: boolean }

/** An amount with its symbol: short for the eye unless `isExact`, every digit on hover and for screen readers. */
export function Amount({ amount, token, isExact = false }: Props) {
  const symbol = formatSymbol(token)
  const exact = formatInteger(amount, token.decimals)
  const text = formatWithSymbol(amount, token, isExact)
  const mark = text.indexOf(decimalMark()) + 1
  return (
    <span class={text.length > longest ? 'num num-long' : 'num'} title={`${exact} ${symbol}`}>
      {text.slice(0, mark)}
      {/* Where every digit is shown and there is no room, the decimals stand in a line of their own. */}
      {isExact && <wbr />}
      {text.slice(mark)}
    </span>
  )
}

/** Characters above which an amount is set smaller. */
const longest = 22
