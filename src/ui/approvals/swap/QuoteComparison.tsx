import type { DecodedSwap } from '../../../domain/calldata/decodedCall.ts'
import type { Address } from '../../../domain/token/token.ts'
import { t } from '../../../i18n/translate.ts'
import { createPreview } from '../../../state/approvals/callPreview.ts'
import { Row } from '../../components/Row.tsx'
import { useQuery } from '../../hooks/data/useQuery.ts'
import { useStores } from '../../hooks/data/useStore.ts'
import { useLatest } from '../../hooks/useLatest.ts'
import { TokenAmount } from '../../tokens/TokenAmount.tsx'
import type { FindToken } from '../../tokens/useTokens.ts'

type Props = { chainId: number; swap: DecodedSwap; buy: Address; tokenOf: FindToken; round: unknown }

/** Compares a site's swap with the own quote, fetched again when `round` changes. */
export function QuoteComparison({ chainId, swap: { sell, amount }, buy, tokenOf, round }: Props) {
  const preview = useStores().get(createPreview)
  const asked = useQuery(
    () => preview.quote({ chainId, sell, buy, amount }),
    [preview, chainId, sell, buy, amount, round],
  )
  const returns = useLatest(asked.status === 'failed' ? 'none' : asked.value?.returns)
  return (
    <Row name={t('Sluice quote')}>
      {returns === undefined ? (
        <span class="bone" />
      ) : returns === 'none' ? (
        <span class="none">{t('No quote')}</span>
      ) : (
        <TokenAmount amount={returns} address={buy} token={tokenOf(buy)} />
      )}
    </Row>
  )
}
