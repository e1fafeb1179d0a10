import { toFormValues } from '../../domain/network/networkTexts.ts'
import type { ChangeOutcome, PermittedChange } from '../../domain/network/permittedChange.ts'
import type { createUnsavedEdits } from '../../state/drafts/unsavedEdits.ts'
import type { PopupRoute } from '../../state/router.ts'
import { toOptionTexts } from '../networks/routeOptions.ts'

/** As in useKept.ts. */
type Draft = [name: string, edits: Record<string, unknown>]

type Kept = ReturnType<typeof createUnsavedEdits>

/** Restores an unsaved draft. Returns the form's route. */
export function fillForm(
  kept: Kept,
  change: PermittedChange,
  outcome: ChangeOutcome | undefined,
): PopupRoute {
  for (const [name, edits] of toDrafts(change, outcome)) kept.edit(name, edits)
  return toRoute(change)
}

export function dropForm(kept: Kept, change: PermittedChange): void {
  if (change.kind === 'find-chain') return
  for (const [name, edits] of toDrafts(change, undefined)) kept.drop(name, edits)
}

function toDrafts(change: PermittedChange, outcome: ChangeOutcome | undefined): Draft[] {
  switch (change.kind) {
    case 'edit-network':
      return [[`network-${change.chainId}`, change.edits]]
    case 'set-route-options': {
      const { protocols = [], excludedProtocols = [] } = change.options
      return [
        [`routes-${change.chainId}`, { protocols, excludedProtocols, ...toOptionTexts(change.options) }],
      ]
    }
    case 'add-network': {
      const { chainId, rpcUrl } = change.network
      return [
        ['network-new', { rpcUrl, found: { url: rpcUrl, chainId } }],
        [`network-new-${chainId}`, toFormValues(change.network)],
      ]
    }
    case 'find-chain': {
      const chainId = outcome?.isDone ? outcome.chainId : undefined
      const { rpcUrl } = change
      return [['network-new', { rpcUrl, ...(chainId !== undefined && { found: { url: rpcUrl, chainId } }) }]]
    }
    default:
      return []
  }
}

function toRoute(change: PermittedChange): PopupRoute {
  switch (change.kind) {
    case 'add-network':
    case 'find-chain':
      return { at: 'network', of: 'new' }
    case 'set-notices':
      return { at: 'settings', of: 'preferences' }
    case 'import':
      return { at: 'settings', of: 'backup' }
    default:
      return { at: 'network', of: String(change.chainId) }
  }
}
