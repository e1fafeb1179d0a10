import { ownRouter } from '../../../domain/swap/routers.ts'
import type { Address } from '../../../domain/token/token.ts'
import { t } from '../../../i18n/translate.ts'
import { useNetwork } from '../../hooks/data/useNetwork.ts'

type Props = { address: Address; chainId: number; isKnown: boolean }

export function RouterTag({ address, chainId, isKnown }: Props) {
  const network = useNetwork(chainId)
  if (!isKnown) return <span class="tag tag-bad">{t('unknown')}</span>
  const isOwn = address === network?.router || address === ownRouter(chainId)?.address
  return <span class="tag tag-plain">{isOwn ? t('trusted router') : t('known router')}</span>
}
