import { isSame } from '../../domain/isSame.ts'
import type { Network } from '../../domain/network/network.ts'
import { type NetworkFormValues, toFormValues } from '../../domain/network/networkTexts.ts'
import type { Mutation } from '../hooks/data/useMutation.ts'
import { useUnsavedEdits } from '../hooks/data/useUnsavedEdits.ts'
import { validateNode } from '../messages/network.ts'
import type { EditNetwork } from './NetworkFields.tsx'
import { readAddresses, validateNetwork } from './validateNetwork.ts'

/** Draft of a network's form under `name`. Only edits, to not overwrite changes of other windows. */
export function useNetworkEdits(network: Network, name = `network-${network.chainId}`) {
  const { edits, edit, drop } = useUnsavedEdits<NetworkFormValues>(name)
  const texts = { ...toFormValues(network), ...edits }
  const typed = validateNetwork(texts)
  return {
    edits,
    edit,
    drop,
    texts,

    /** Returns the edits to save. The draft gets their plain addresses, to be dropped once they are saved. */
    settle(): Partial<NetworkFormValues> {
      const plain = readAddresses(edits)
      if (!isSame(plain, edits)) edit(plain)
      return plain
    },

    isFaulty: Object.values(typed).some((fault) => fault !== undefined),

    /** Any edit clears the RPC error of the last `save`. */
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
