import { t } from '../../i18n/translate.ts'
import { Icon } from '../components/Icon.tsx'
import { useNetwork } from '../hooks/data/useNetwork.ts'
import { useStores } from '../hooks/data/useStore.ts'
import { Request, type ScreenProps } from './Request.tsx'

export function SwitchChainRequest({ approval, ask }: ScreenProps<'switch-chain'>) {
  const { approvals } = useStores()
  const target = useNetwork(ask.to)
  return (
    <Request
      approval={approval}
      question={target ? t('Switch network to {name}?', { name: target.name }) : t('Switch network?')}
      accept={{
        label: t('Switch'),
        run: () => approvals.approve(approval.id, { kind: 'switch-chain' }),
      }}
    >
      <section class="panel sides">
        <Side says={t('From')} chainId={approval.chainId} />
        <Icon name="down" size={18} />
        <Side says={t('To')} chainId={ask.to} />
      </section>
      <p class="dim small aside">
        {t('Only this site switches. The network you swap on in Sluice doesn’t change.')}
      </p>
    </Request>
  )
}

function Side({ says, chainId }: { says: string; chainId: number }) {
  const network = useNetwork(chainId)
  return (
    <div class="side">
      <span class="side-words">
        <span class="dim small">{says}</span>
        <strong class="side-network">{network?.name ?? t('Unknown network')}</strong>
      </span>
      <span class="num dim small side-end">{t('Chain ID {chainId}', { chainId })}</span>
    </div>
  )
}
