import { t } from '../../language/translate.ts'
import type { Account } from '../../protocol.ts'
import { useStores, useTask } from '../use.ts'
import { ErrorNote } from './ErrorNote.tsx'
import { Icon } from './Icon.tsx'

/** Derives the next account from the seed. */
export function AddAccount({ onAdded }: { onAdded(account: Account): unknown }) {
  const { account } = useStores()
  const add = useTask(async () => onAdded(await account.add()))
  return (
    <div>
      <button type="button" class="list-row add" disabled={add.isRunning} onClick={() => add.run()}>
        <span class="add-sign">
          <Icon name="plus" size={16} />
        </span>
        {add.isRunning ? t('Adding…') : t('Add an account')}
      </button>
      {add.error && <ErrorNote error={add.error} />}
    </div>
  )
}
