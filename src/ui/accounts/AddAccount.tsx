import { t } from '../../i18n/translate.ts'
import type { Account } from '../../protocol.ts'
import { ErrorMessage } from '../components/alerts/ErrorMessage.tsx'
import { Icon } from '../components/Icon.tsx'
import { useMutation } from '../hooks/data/useMutation.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'

/** Derives the next account of the first phrase. */
export function AddAccount({ onAdded }: { onAdded(account: Account): unknown }) {
  const { account } = useStores()
  const hasSeed = useStore(account, (now) => now.step === 'open' && now.seeds.length > 0)
  const add = useMutation(async () => onAdded(await account.add()))
  if (!hasSeed) return null
  return (
    <div>
      <button type="button" class="list-row add" disabled={add.isRunning} onClick={() => add.run()}>
        <span class="add-sign">
          <Icon name="plus" size={16} />
        </span>
        {add.isRunning ? t('Adding…') : t('Add account')}
      </button>
      {add.error && <ErrorMessage error={add.error} />}
    </div>
  )
}
