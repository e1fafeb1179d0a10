import type { Address } from '../../domain/token/token.ts'
import { t } from '../../i18n/translate.ts'
import { canSign } from '../../state/account.ts'
import { AddressLabel } from '../components/address/AddressLabel.tsx'
import { ErrorMessage } from '../components/alerts/ErrorMessage.tsx'
import { SearchField, useSearch } from '../components/fields/SearchField.tsx'
import { Icon } from '../components/Icon.tsx'
import { Sheet } from '../components/Sheet.tsx'
import { accountName } from '../format/accountName.ts'
import { useMutation } from '../hooks/data/useMutation.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'
import { AddAccount } from './AddAccount.tsx'
import { findAccounts } from './accountGroups.ts'

export function AccountSheet({ onClose }: { onClose(): void }) {
  const { account, settings, router } = useStores()
  const state = useStore(account, (now) => now)
  const search = useSearch(state.step === 'open' ? state.accounts.length : 0)
  const choose = useMutation(async (address: Address) => {
    await settings.save({ account: address })
    onClose()
  })
  if (state.step !== 'open') return null
  const { accounts } = state
  const found = findAccounts(accounts, search.text, accountName)
  return (
    <Sheet title={t('Account')} onClose={onClose}>
      {search.isNeeded && (
        <SearchField label={t('Search accounts')} placeholder={t('Name or address')} {...search} />
      )}
      <ul class="list">
        {found.map((one) => (
          <li key={one.address}>
            <button
              type="button"
              class="list-row"
              aria-current={one.address === state.account.address}
              onClick={() => choose.run(one.address)}
            >
              <AddressLabel address={one.address} name={accountName(one)} />
              {!canSign(one) && <span class="tag">{t('Watch-only')}</span>}
              {one.address === state.account.address && <Icon name="check" />}
            </button>
          </li>
        ))}
        {found.length === 0 && (
          <li class="nothing">
            <p role="status">{t('No accounts found. Hidden accounts are in “Manage accounts”.')}</p>
          </li>
        )}
        <li>
          <AddAccount onAdded={({ address }) => settings.save({ account: address })} />
        </li>
        <li>
          <button
            type="button"
            class="list-row"
            onClick={() => {
              onClose()
              router.go('accounts')
            }}
          >
            <span class="add-sign">
              <Icon name="settings" size={16} />
            </span>
            {t('Manage accounts')}
          </button>
        </li>
      </ul>
      {choose.error && <ErrorMessage error={choose.error} />}
    </Sheet>
  )
}
