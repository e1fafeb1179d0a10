import { t } from '../../i18n/translate.ts'
import { canSign } from '../../state/account.ts'
import { Warning } from '../components/alerts/Warning.tsx'
import { Page } from '../components/Page.tsx'
import { accountName } from '../format/accountName.ts'
import { useStores } from '../hooks/data/useStore.ts'
import type { ScreenProps } from '../screenProps.ts'
import { JustReceived } from './JustReceived.tsx'
import { ReceiveCard } from './ReceiveCard.tsx'
import { ReceiveNetworks } from './ReceiveNetworks.tsx'

export function ReceiveScreen({ account, network }: ScreenProps) {
  const { router } = useStores()
  return (
    <Page title={t('Receive')} onBack={router.back}>
      {!canSign(account) && (
        <Warning>
          {t('This is a watch-only account. Make sure you or its owner has the private key.')}
        </Warning>
      )}
      <ReceiveCard account={account} heading={accountName(account)}>
        <ReceiveNetworks network={network} />
      </ReceiveCard>
      <JustReceived account={account.address} network={network} />
    </Page>
  )
}
