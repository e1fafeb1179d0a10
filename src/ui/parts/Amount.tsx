import type { Token } from '../../domain/token/token.ts'
import { formatSymbol } from '../format/format.ts'
import { formatWhole, formatWithSymbol } from '../format/numbers.ts'

type Props = { amount: bigint; token: Pick<Token, 'symbol' | 'address' | 'decimals'>; isExact?: boolean }

/** An amount with its symbol: short for the eye unless `isExact`, every digit on hover and for screen readers. */
export function Amount({ amount, token, isExact = false }: Props) {
  const symbol = formatSymbol(token)
  const exact = formatWhole(amount, token.decimals)
  return (
    <span class="num" title={`${exact} ${symbol}`}>
      {formatWithSymbol(amount, token, isExact)}
    </span>
  )
}
