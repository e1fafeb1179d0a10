import type { ComponentChildren } from 'preact'
import { parseAddress } from '../../domain/token/token.ts'
import { t } from '../../i18n/translate.ts'
import type { OwnAccount } from '../../protocol.ts'
import { Page } from '../components/Page.tsx'
import { useStore, useStores } from '../hooks/data/useStore.ts'

type Props = { of: string | undefined; children(account: OwnAccount): ComponentChildren }

/** Renders the account in the route, or a not-found screen. */
export function WithAccount({ of, children }: Props) {
  const { account, router } = useStores()
  const address = parseAddress(of ?? '')
  const found = useStore(account, (now) =>
    now.step === 'open' ? now.owned.find((one) => one.address === address) : undefined,
  )
  if (found !== undefined) return <>{children(found)}</>
  return (
    <Page title={t('Account')} onBack={router.back}>
      <p class="nothing">{t('This account is no longer in your wallet.')}</p>
    </Page>
  )
}
