import { useEffect } from 'preact/hooks'
import type { Site } from '../../domain/dapp/site.ts'
import { plural, t } from '../../i18n/translate.ts'
import type { Account, OwnAccount } from '../../protocol.ts'
import { canSign } from '../../state/account.ts'
import { AccountChecks } from '../accounts/AccountChecks.tsx'
import { SiteNetwork } from '../approvals/SiteNetwork.tsx'
import { SiteMark } from '../components/address/SiteMark.tsx'
import { ErrorMessage } from '../components/alerts/ErrorMessage.tsx'
import { RetryScreen } from '../components/alerts/RetryScreen.tsx'
import { Icon } from '../components/Icon.tsx'
import { Page } from '../components/Page.tsx'
import { shortOrigin } from '../format/origin.ts'
import { useMutation } from '../hooks/data/useMutation.ts'
import { useNetwork } from '../hooks/data/useNetwork.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'

export function SitesScreen() {
  const stores = useStores()
  const { sites, error } = useStore(stores.sites, (state) => state)
  const accounts = useStore(stores.account, (state) => (state.step === 'open' ? state.accounts : none))
  useEffect(() => {
    stores.sites.load()
  }, [stores])
  return (
    <Page title={t('Manage connected sites')} onBack={stores.router.back}>
      {error && <RetryScreen error={error} onRetry={stores.sites.load} />}
      {sites?.length === 0 && (
        <p class="nothing">
          {t('No connected sites. To connect one, press the “Connect wallet” button on the site.')}
        </p>
      )}
      {sites !== undefined && sites.length > 0 && (
        <div class="panel group">
          {sites.map((site) => (
            <OneSite key={site.origin} site={site} accounts={accounts.filter(canSign)} />
          ))}
        </div>
      )}
    </Page>
  )
}

const none: OwnAccount[] = []

function OneSite({ site: kept, accounts }: { site: Site; accounts: Account[] }) {
  // The site does not see hidden and removed accounts.
  const seen = kept.accounts.filter((one) => accounts.some(({ address }) => address === one))
  const site = { ...kept, accounts: seen }
  const { sites } = useStores()
  const network = useNetwork(site.chainId)
  const save = useMutation(sites.save)
  const disconnect = useMutation(sites.disconnect)
  const error = save.error ?? disconnect.error
  return (
    <details>
      <summary class="list-row site">
        <SiteMark origin={site.origin} />
        <span class="grow">
          <strong class="site-origin">{shortOrigin(site.origin)}</strong>
          <span class="dim small">
            {plural(site.accounts.length, '{count} account', '{count} accounts')} ·{' '}
            {network?.name ?? t('Chain ID {chainId}', { chainId: site.chainId })}
          </span>
        </span>
        <Icon name="down" size={16} />
      </summary>
      <fieldset
        class="site-sees"
        aria-label={t('What {site} can see', { site: shortOrigin(site.origin) })}
        disabled={save.isRunning}
      >
        <AccountChecks
          accounts={accounts}
          checked={site.accounts}
          needsOne
          onChange={(chosen) => save.run({ ...site, accounts: chosen })}
        />
        <SiteNetwork chainId={site.chainId} onChange={(chainId) => save.run({ ...site, chainId })} />
        <button
          type="button"
          class="second second-danger"
          disabled={disconnect.isRunning}
          onClick={() => disconnect.run(site.origin)}
        >
          {t('Disconnect')}
        </button>
      </fieldset>
      {error && <ErrorMessage error={error} />}
    </details>
  )
}
