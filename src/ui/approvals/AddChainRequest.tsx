import { t } from '../../i18n/translate.ts'
import { Warning } from '../components/alerts/Warning.tsx'
import { Row } from '../components/Row.tsx'
import { showInvisible } from '../format/address.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'
import { Request, type ScreenProps } from './Request.tsx'

export function AddChainRequest({ approval, ask: { network } }: ScreenProps<'add-chain'>) {
  const { approvals, settings } = useStores()
  const name = showInvisible(network.name)
  const networks = useStore(settings, (state) => state.settings?.networks) ?? []
  const isKnown = networks.some(({ chainId }) => chainId === network.chainId)
  const namesake = networks.find(
    (one) => one.chainId !== network.chainId && one.name.toLowerCase() === name.toLowerCase(),
  )
  return (
    <Request
      approval={approval}
      question={isKnown ? t('Add an RPC for {name}?', { name }) : t('Add this network?')}
      warnings={
        <>
          {isKnown && (
            <Warning>
              {t('This network is already in your wallet but has no RPC yet. The site is suggesting one.')}
            </Warning>
          )}
          {namesake && (
            <Warning>
              {t(
                'You already have a network named {name} (chain ID {chainId}). This is a different network.',
                {
                  name: showInvisible(namesake.name),
                  chainId: namesake.chainId,
                },
              )}
            </Warning>
          )}
          <Warning>
            {t(
              'The RPC operator can see your addresses and all your activity on this network, and Sluice relies on its data. Only add RPCs you trust.',
            )}
          </Warning>
        </>
      }
      accept={{
        label: isKnown ? t('Add RPC') : t('Add network'),
        async run() {
          await settings.allow([network.rpcUrl])
          await approvals.approve(approval.id, { kind: 'add-chain' })
        },
      }}
    >
      <dl class="rows panel wraps">
        <Row name={t('Name')}>{name}</Row>
        <Row name={t('Chain ID')}>
          {network.chainId} <span class="dim">{`0x${network.chainId.toString(16)}`}</span>
        </Row>
        <Row name={t('Native token')}>
          {showInvisible(network.coin.symbol)} <span class="dim">{showInvisible(network.coin.name)}</span>
        </Row>
        <Row name={t('RPC')}>
          <Host url={network.rpcUrl} />
        </Row>
        <Row name={t('Block explorer')}>
          {network.explorerUrl ? <Host url={network.explorerUrl} /> : <span class="none">{t('None')}</span>}
        </Row>
      </dl>
      <p class="dim small aside">
        {t('The site will switch to this network. To swap on it in Sluice, add a swap service in Settings.')}
      </p>
    </Request>
  )
}

/** Host alone: paths of RPC URLs often hold a key. */
function Host({ url }: { url: string }) {
  const { host, protocol } = new URL(url)
  return <span title={url}>{protocol === 'https:' ? host : `${protocol}//${host}`}</span>
}
