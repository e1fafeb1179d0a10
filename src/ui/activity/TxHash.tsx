import { explorerLink } from '../../domain/network/explorer.ts'
import type { Hex } from '../../domain/token/token.ts'
import { t } from '../../i18n/translate.ts'
import { CopyButton } from '../components/CopyButton.tsx'
import { Icon } from '../components/Icon.tsx'
import { shortAddress } from '../format/address.ts'
import { useNetwork } from '../hooks/useNetwork.ts'

export function TxHash({ hash, chainId }: { hash: Hex; chainId: number }) {
  const network = useNetwork(chainId)
  const link = network && explorerLink(network, 'tx', hash)
  return (
    <>
      <CopyButton text={hash} label={t('Copy transaction hash')}>
        <span class="num">{shortAddress(hash)}</span>
      </CopyButton>
      {link && (
        <a href={link} target="_blank" rel="noreferrer" aria-label={t('View on explorer')}>
          <Icon name="out" size={15} />
        </a>
      )}
    </>
  )
}
