import { useEffect, useState } from 'preact/hooks'
import type { SwapWords } from '../../domain/callWords.ts'
import type { Address } from '../../domain/token.ts'
import { t } from '../../language/translate.ts'
import { useStores } from '../use.ts'
import { Row } from './Row.tsx'
import { TokenAmount } from './TokenAmount.tsx'
import type { TokenOf } from './useTokens.ts'

type Props = { chainId: number; swap: SwapWords; buy: Address; tokenOf: TokenOf; round: unknown }

/** What the wallet's own service pays for the same, to compare with. Asked again with each `round`. */
export function OwnQuote({ chainId, swap: { sell, amount }, buy, tokenOf, round }: Props) {
  const { preview } = useStores()
  const [returns, setReturns] = useState<bigint | 'none' | undefined>()
  // A new round asks again.
  useEffect(() => {
    let isOver = false
    const keep = (found: bigint | 'none') => isOver || setReturns(found)
    preview.quote({ chainId, sell, buy, amount }).then(
      (quote) => keep(quote.returns),
      () => keep('none'),
    )
    return () => {
      isOver = true
    }
  }, [preview, chainId, sell, buy, amount, round])
  return (
    <Row name={t('Sluice quotes now')}>
      {returns === undefined ? (
        <span class="bone" />
      ) : returns === 'none' ? (
        <span class="none">{t('No price')}</span>
      ) : (
        <TokenAmount amount={returns} address={buy} token={tokenOf(buy)} />
      )}
    </Row>
  )
}
