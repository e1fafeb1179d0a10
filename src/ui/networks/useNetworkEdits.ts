import type { Network } from '../../domain/network/network.ts'
import { type NetworkFormValues, toFormValues } from '../../domain/network/networkTexts.ts'
import { useUnsavedEdits } from '../hooks/useKept.ts'
import type { Mutation } from '../hooks/useMutation.ts'
import { validateNode } from '../messages/network.ts'
import type { EditNetwork } from './NetworkFields.tsx'
import { validateNetwork } from './validateNetwork.ts'

/**
 * Draft of a network's form. Only edits are stored, so that other windows' changes are not overwritten.
 * `name` is the draft's key.
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

    /** Returns the field props. The RPC error of the last `save` is cleared by any edit. */
    fieldsFor(save: Pick<Mutation<never>, 'error' | 'forget'>) {
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
