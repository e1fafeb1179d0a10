import type { Approval } from '../../domain/dapp/approval.ts'
import { t } from '../../i18n/translate.ts'
import { useMutation } from '../hooks/data/useMutation.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'
import { useMessage } from '../messages/useMessages.ts'

/** Position in the queue, with a button to reject all. */
export function RequestQueue({ approval }: { approval: Approval }) {
  const { approvals } = useStores()
  const open = useStore(approvals, (state) => state.open)
  const rejectAll = useMutation(approvals.rejectAll)
  const fault = useMessage(rejectAll.error)
  const place = open.findIndex(({ id }) => id === approval.id) + 1
  if (open.length < 2 || place === 0) return null
  return (
    <div class="request-queue">
      <span class="num dim">{t('Request {place} of {count}', { place, count: open.length })}</span>
      {fault && (
        <span class="small line-bad" role="alert">
          {fault}
        </span>
      )}
      <button type="button" class="link" disabled={rejectAll.isRunning} onClick={() => rejectAll.run()}>
        {t('Reject all')}
      </button>
    </div>
  )
}
