import '../style/lazy/toast.css'
import { useEffect } from 'preact/hooks'
import type { ChangeOutcome, PermittedChange, UnreadChange } from '../../domain/network/permittedChange.ts'
import { WalletError } from '../../errors.ts'
import { t } from '../../i18n/translate.ts'
import { createUnsavedEdits } from '../../state/drafts/unsavedEdits.ts'
import { ErrorWhat } from '../components/alerts/ErrorWhat.tsx'
import { Icon } from '../components/Icon.tsx'
import { useStore, useStores } from '../hooks/data/useStore.ts'
import { dropForm, fillForm } from './changeForms.ts'

type Props = { change: UnreadChange; onClose(): Promise<void> }

export function ChangeToast({ change: { change, outcome, isPermitted }, onClose }: Props) {
  const stores = useStores()
  const kept = stores.get(createUnsavedEdits)
  const name = useNetworkName(change)
  const isUnderWay = outcome === undefined && isPermitted
  const isDone = outcome?.isDone === true
  useEffect(() => {
    if (isDone) dropForm(kept, change)
  }, [isDone])
  const open = () => {
    const place = fillForm(kept, change, outcome)
    onClose()
    stores.router.go(place.at, place.of)
  }
  return (
    <div
      class={`toast ${isDone || isUnderWay ? '' : 'toast-bad'}`}
      role={isDone || isUnderWay ? 'status' : 'alert'}
    >
      <span class="grow">
        {isUnderWay ? (
          t('Checking…')
        ) : isDone ? (
          formatDone(change, outcome, name)
        ) : (
          <>
            {formatFailed(change, name)} <ErrorWhat error={toError(outcome)} />
          </>
        )}
      </span>
      {!isUnderWay && (!isDone || change.kind === 'find-chain') && (
        <button type="button" class="link" onClick={open}>
          {isDone ? t('Continue') : t('Back to form')}
        </button>
      )}
      {!isUnderWay && (
        <button type="button" class="round" aria-label={t('Close')} onClick={onClose}>
          <Icon name="close" size={16} />
        </button>
      )}
    </div>
  )
}

function useNetworkName(change: PermittedChange): string {
  const { settings } = useStores()
  return useStore(settings, (state) => {
    if (change.kind === 'add-network') return change.network.name
    if (!('chainId' in change)) return ''
    return state.settings?.networks.find(({ chainId }) => chainId === change.chainId)?.name ?? ''
  })
}

function formatDone(
  change: PermittedChange,
  outcome: ChangeOutcome & { isDone: true },
  name: string,
): string {
  switch (change.kind) {
    case 'find-chain':
      return t('Network found: chain ID {chainId}', { chainId: String(outcome.chainId ?? '') })
    case 'set-notices':
      return t('Notifications turned on')
    case 'import':
      return t('Settings imported')
    default:
      return t('{name} saved', { name })
  }
}

function formatFailed(change: PermittedChange, name: string): string {
  switch (change.kind) {
    case 'find-chain':
      return t('Couldn’t check the new network.')
    case 'set-notices':
      return t('Notifications weren’t turned on.')
    case 'import':
      return t('The settings weren’t imported.')
    default:
      return t('{name} wasn’t saved.', { name })
  }
}

/** Without an outcome, the browser permission is missing. */
function toError(outcome: ChangeOutcome | undefined): WalletError {
  if (outcome?.isDone === false) return new WalletError(outcome.code, outcome.message, outcome.facts)
  return new WalletError('invalid-input', 'The browser has not given its permission.', { why: 'not-allowed' })
}
