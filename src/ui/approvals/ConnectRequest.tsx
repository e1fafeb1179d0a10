import { useState } from 'preact/hooks'
import type { Address } from '../../domain/token/token.ts'
import { t } from '../../i18n/translate.ts'
import { canSign } from '../../state/account.ts'
import { AccountChecks } from '../accounts/AccountChecks.tsx'
import { AddAccount } from '../accounts/AddAccount.tsx'
import { Icon } from '../components/Icon.tsx'
import { useStore, useStores } from '../hooks/data/useStore.ts'
import { Request, type ScreenProps } from './Request.tsx'
import { SiteNetwork } from './SiteNetwork.tsx'

export function ConnectRequest({ approval, ask }: ScreenProps<'connect'>) {
  const { approvals, account } = useStores()
  const state = useStore(account, (now) => now)
  const [chosen, setChosen] = useState<Address[]>(() => {
    if (ask.accounts.length > 0 || state.step !== 'open') return ask.accounts
    return canSign(state.account) ? [state.account.address] : []
  })
  const [chainId, setChainId] = useState(approval.chainId)
  if (state.step !== 'open') return null
  const isNew = ask.accounts.length === 0
  const offered = state.accounts.filter(canSign)
  // Some may be hidden or removed by now.
  const shown = chosen.filter((one) => offered.some(({ address }) => address === one))
  return (
    <Request
      approval={approval}
      question={isNew ? t('Connect to this site?') : t('Update account access?')}
      accept={{
        label: isNew ? t('Connect') : t('Allow'),
        disabled: shown.length === 0,
        run: () => approvals.approve(approval.id, { kind: 'connect', accounts: shown, chainId }),
      }}
    >
      <fieldset class="panel group" aria-label={t('Accounts to share')}>
        <AccountChecks accounts={offered} checked={shown} onChange={setChosen} />
        <AddAccount onAdded={({ address }) => setChosen((before) => [...before, address])} />
      </fieldset>
      <div class="panel group">
        <SiteNetwork chainId={chainId} onChange={setChainId} />
      </div>
      <ul class="says">
        <li>
          <Icon name="check" size={18} />
          {t('Can view these addresses, their balances and their activity')}
        </li>
        <li>
          <Icon name="lock" size={18} />
          {t('Can’t move funds without your approval')}
        </li>
      </ul>
    </Request>
  )
}
