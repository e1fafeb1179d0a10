import { useState } from 'preact/hooks'
import { explorerOf } from '../../domain/explorer.ts'
import type { Network } from '../../domain/network.ts'
import { t } from '../../language/translate.ts'
import {
  editNetwork,
  faultsOfNetwork,
  type NetworkTexts,
  textsOfNetwork,
  versionsFor,
} from '../networkEdits.ts'
import { useStores, useTask } from '../use.ts'
import { Choice } from './Choice.tsx'
import { ErrorNote } from './ErrorNote.tsx'
import { Field } from './Field.tsx'

/** Whom a network asks, and which router it trusts: nothing is asked of any host that is not written here. */
export function NetworkForm({ network }: { network: Network }) {
  const { settings } = useStores()
  // Only what was edited: what changes elsewhere meanwhile shows here, and is not written over.
  const [edits, setEdits] = useState<Partial<NetworkTexts>>({})
  const [saved, setSaved] = useState(false)
  const texts = { ...textsOfNetwork(network), ...edits }
  const faults = faultsOfNetwork(texts)
  const isFaulty = Object.values(faults).some((fault) => fault !== undefined)

  const save = useTask(async () => {
    await settings.changeNetwork(network.chainId, (now) => editNetwork(now, edits))
    setEdits({})
    setSaved(true)
  })
  const edit =
    <Name extends keyof NetworkTexts>(name: Name) =>
    (value: NetworkTexts[Name]) => {
      setEdits((before) => ({ ...before, [name]: value }))
      setSaved(false)
    }
  return (
    <form
      class="stack group-field"
      aria-label={network.name}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isFaulty) save.run()
      }}
    >
      <Field
        label={t('Swap service URL')}
        inputMode="url"
        placeholder="https://"
        autocomplete="off"
        value={texts.serviceUrl}
        onInput={edit('serviceUrl')}
        fault={faults.serviceUrl}
      />
      <Choice<'6.1' | '3.0'>
        legend={t('Interface version of the service')}
        options={versionsFor(network).map((value) => ({ value, label: value }))}
        value={texts.serviceVersion}
        onChange={edit('serviceVersion')}
      />
      <Field
        label={t('Service key, if it needs one')}
        type="password"
        autocomplete="off"
        value={texts.serviceKey}
        onInput={edit('serviceKey')}
      />
      <Field
        label={t('RPC URL')}
        inputMode="url"
        placeholder="https://"
        autocomplete="off"
        value={texts.rpcUrl}
        onInput={edit('rpcUrl')}
        fault={faults.rpcUrl}
      />
      <Field
        label={t('Spare node, for when that one does not answer')}
        inputMode="url"
        placeholder="https://"
        autocomplete="off"
        value={texts.spareRpcUrl}
        onInput={edit('spareRpcUrl')}
        fault={faults.spareRpcUrl}
      />
      <Field
        label={t('Explorer, if it shall be another')}
        inputMode="url"
        placeholder={explorerOf(network) ?? 'https://'}
        autocomplete="off"
        value={texts.explorerUrl}
        onInput={edit('explorerUrl')}
        fault={faults.explorerUrl}
      />
      <Field
        label={t('Router, if it shall be one only')}
        placeholder={t('The known routers')}
        autocomplete="off"
        value={texts.router}
        onInput={edit('router')}
        fault={faults.router}
        hint={t(
          'When set, nothing is signed for any other contract. Empty: only for routers that the wallet knows.',
        )}
      />
      {save.error && <ErrorNote error={save.error} />}
      <button class="second" type="submit" disabled={isFaulty || save.isRunning}>
        {saved ? t('Saved') : t('Save')}
      </button>
    </form>
  )
}
