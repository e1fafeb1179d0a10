import '../../style/places.css'
import { useState } from 'preact/hooks'
import type { Network } from '../../../domain/network/network.ts'
import { t } from '../../../language/translate.ts'
import { changeNetwork } from '../../../state/networks/networkChanges.ts'
import { createNetworks } from '../../../state/networks/networks.ts'
import { editNetwork, isOwn } from '../../../state/networks/setUp.ts'
import { useStores } from '../../hooks/use.ts'
import { useTask } from '../../hooks/useTask.ts'
import { ErrorNote } from '../ErrorNote.tsx'
import { NameFields, NodeField, OtherFields, ServiceFields } from './NetworkFields.tsx'
import { useNetworkEdits } from './useNetworkEdits.ts'

/** Whom a network asks, and which router it trusts: nothing is asked of any host that is not written here. */
export function NetworkForm({ network }: { network: Network }) {
  const stores = useStores()
  const { settings } = stores
  const networks = stores.get(createNetworks)
  const { edits, drop, isFaulty, fieldsFor } = useNetworkEdits(network)
  const [wasSaved, setSaved] = useState(false)

  const save = useTask(async (isChecked: boolean) => {
    await changeNetwork(
      settings,
      network.chainId,
      (now) => editNetwork(now, edits),
      isChecked ? networks.check : undefined,
    )
    drop(edits)
    setSaved(true)
  })
  const isEdited = Object.keys(edits).length > 0
  // A node that says nothing may do so later. One that serves another chain is never used.
  const { node, fields } = fieldsFor(save)
  return (
    <form
      class="stack group-field network-form"
      aria-label={network.name}
      onSubmit={(event) => {
        event.preventDefault()
        if (isEdited && !isFaulty) save.run(true)
      }}
    >
      {isOwn(network) && <NameFields {...fields} />}
      <ServiceFields network={network} {...fields} />
      <NodeField {...fields} />
      <OtherFields network={network} {...fields} />
      {save.error && !node && <ErrorNote error={save.error} />}
      {node?.isSilent && (
        <button type="button" class="second" disabled={save.isRunning} onClick={() => save.run(false)}>
          {t('Save all the same')}
        </button>
      )}
      <button class="second" type="submit" disabled={!isEdited || isFaulty || save.isRunning}>
        {save.isRunning ? t('Checking…') : wasSaved && !isEdited ? t('Saved') : t('Save')}
      </button>
    </form>
  )
}
