import type { Token } from '../../domain/token/token.ts'
import { useValue } from '../hooks/data/useValue.ts'

type Props = {
  amount: bigint | undefined
  token: Pick<Token, 'address'> | undefined
  /** Default: the network shown. */
  chainId?: number
}

/** An amount's value, "$1,234.56"; nothing without a price. */
export function Value({ amount, token, chainId }: Props) {
  const value = useValue(token, amount, chainId)
  return value === undefined ? null : <span class="num value">{value.text}</span>
}
