import type { Risk } from '../../domain/dapp/risks/risk.ts'
import { createPreview } from '../../state/approvals/callPreview.ts'
import { useQuery } from '../hooks/data/useQuery.ts'
import { useStores } from '../hooks/data/useStore.ts'
import { useDelayedFlag } from '../hooks/useDelayedFlag.ts'

/**
 * Recipient warnings, which need no RPC. `isAwaited` until the worker has answered, which takes milliseconds:
 * a screen that names a recipient waits for them, as they add lines.
 */
export function useRecipientRisks(id: string): { risks: Risk[]; isAwaited: boolean } {
  const { get } = useStores()
  const preview = get(createPreview)
  const { status, value = none } = useQuery(() => preview.recipientRisks(id), [preview, id])
  const isLate = useDelayedFlag(status === 'asking')
  return { risks: value, isAwaited: status === 'asking' && !isLate }
}

const none: Risk[] = []
