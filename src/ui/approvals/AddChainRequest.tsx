import { t } from '../../i18n/translate.ts'
import { Row } from '../components/Row.tsx'
import { Note } from '../components/Warning.tsx'
import { showInvisible } from '../format/address.ts'
import { useStore, useStores } from '../hooks/useStore.ts'
import { Request, type ScreenProps } from './Request.tsx'

/** A site brings a network. */
export function AddChain({ approval, ask: { network } }: ScreenProps<'add-chain'>) {
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
      title={isKnown ? t('Use an RPC for {name}', { name }) : t('Add a network')}
      accept={{
        label: isKnown ? t('Use this RPC') : t('Add network'),
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
        <Row name={t('Coin')}>
          {showInvisible(network.coin.symbol)} <span class="dim">{showInvisible(network.coin.name)}</span>
        </Row>
        <Row name={t('RPC')}>
          <Host url={network.rpcUrl} />
        </Row>
        <Row name={t('Explorer')}>
          {network.explorerUrl ? <Host url={network.explorerUrl} /> : <span class="none">{t('None')}</span>}
        </Row>
      </dl>
      {isKnown && <Note>{t('This network is in the wallet, and has no RPC yet. The site offers one.')}</Note>}
      {namesake && (
        <Note>
          {t('You have a network called {name} already: chain {chainId}. This is another one.', {
            name: showInvisible(namesake.name),
            chainId: namesake.chainId,
          })}
        </Note>
      )}
      <Note>
        {t(
          'Whoever runs the RPC sees your addresses and all you do on this network, and what it says is believed. Add it only if you trust it.',
        )}
      </Note>
      <p class="dim small aside">
        {t('The site moves to it. To swap there yourself, name a swap service in the settings.')}
      </p>
    </Request>
  )
}

/** Paths of RPC URLs are long and often hold a key: whose machine it is counts. */
function Host({ url }: { url: string }) {
  const { host, protocol } = new URL(url)
  return <span title={url}>{protocol === 'https:' ? host : `${protocol}//${host}`}</span>
}
