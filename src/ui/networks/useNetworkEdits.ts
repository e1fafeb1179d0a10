import type { Network } from '../../domain/network/network.ts'
import { type NetworkFormValues, toFormValues } from '../../domain/network/networkTexts.ts'
import { useUnsavedEdits } from '../hooks/useKept.ts'
import type { Task } from '../hooks/useMutation.ts'
import { validateNode } from '../messages/network.ts'
import type { EditNetwork } from './NetworkFields.tsx'
import { validateNetwork } from './validateNetwork.ts'

/**
 * What is typed about a network: the edits alone, so that what changes elsewhere meanwhile shows, and is not written over. `name` says what
 * it is of.
 */
export function useNetworkEdits(network: Network, name = `network-${network.chainId}`) {
  const { edits, edit, drop } = useUnsavedEdits<NetworkFormValues>(name)
  const texts = { ...toFormValues(network), ...edits }
  const typed = validateNetwork(texts)
  return {
    edits,
    drop,
    texts,
    isFaulty: Object.values(typed).some((fault) => fault !== undefined),

    /** What the fields show, with what its nodes made of the last `save`: any edit answers that. */
    fieldsFor(save: Pick<Task<never>, 'error' | 'forget'>) {
      const node = save.error && validateNode(save.error)
      const faults = { ...typed, ...(node && { [node.field]: typed[node.field] ?? node.says }) }
      const editField: EditNetwork = (name) => (value) => {
        edit({ [name]: value })
        save.forget()
      }
      return { node, fields: { texts, faults, edit: editField } }
    },
  }
}
