import type { Address } from '../../domain/token.ts'
import { t } from '../../language/translate.ts'
import { accountName } from '../accountName.ts'
import { shortAddress } from '../format.ts'
import { use, useStores, useTask } from '../use.ts'
import { AddAccount } from './AddAccount.tsx'
import { ErrorNote } from './ErrorNote.tsx'
import { Icon } from './Icon.tsx'
import { Identicon } from './Identicon.tsx'
import { Sheet } from './Sheet.tsx'

/** The accounts to choose from, and one more. */
export function AccountSheet({ onClose }: { onClose(): void }) {
  const { account, settings } = useStores()
  const state = use(account, (now) => now)
  const choose = useTask(async (address: Address) => {
    await settings.save({ account: address })
    onClose()
  })
  if (state.step !== 'open') return null
  return (
    <Sheet title={t('Account')} onClose={onClose}>
      <ul class="list">
        {state.accounts.map(({ address, name }) => (
          <li key={address}>
            <button
              type="button"
              class="list-row"
              aria-current={address === state.account.address}
              onClick={() => choose.run(address)}
            >
              <Identicon address={address} />
              <span class="who" title={address}>
                <span class="who-name">{accountName({ name })}</span>
                <span class="num dim small">{shortAddress(address)}</span>
              </span>
              {address === state.account.address && <Icon name="check" />}
            </button>
          </li>
        ))}
        <li>
          <AddAccount onAdded={({ address }) => settings.save({ account: address })} />
        </li>
      </ul>
      {choose.error && <ErrorNote error={choose.error} />}
    </Sheet>
  )
}
