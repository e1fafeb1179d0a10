import { useState } from 'preact/hooks'
import type { Network } from '../../domain/network/network.ts'
import type { RouteOptions } from '../../domain/swap/routeOptions.ts'
import { t } from '../../i18n/translate.ts'
import { setRouteOptions } from '../../state/networks/networkChanges.ts'
import { ErrorMessage } from '../components/alerts/ErrorMessage.tsx'
import { Field } from '../components/fields/Field.tsx'
import { useMutation } from '../hooks/data/useMutation.ts'
import { useStores } from '../hooks/data/useStore.ts'
import { useUnsavedEdits } from '../hooks/data/useUnsavedEdits.ts'
import { type OptionTexts, optionFields, parseRouteOptions, toOptionTexts } from './routeOptions.ts'
import { SourceCheckboxes } from './SourceCheckboxes.tsx'

type Edits = Pick<RouteOptions, 'protocols' | 'excludedProtocols'> & OptionTexts

/** Edits route options. Empty fields use the service's defaults. */
export function RouteSettings({ network }: { network: Network }) {
  const { settings } = useStores()
  const { options: stored = {} } = network
  // Only edits, to not overwrite changes of other windows.
  const { edits, edit, drop } = useUnsavedEdits<Edits>(`routes-${network.chainId}`)
  const [wasSaved, setSaved] = useState(false)
  const {
    protocols: only = stored.protocols ?? [],
    excludedProtocols: never = stored.excludedProtocols ?? [],
    ...typed
  } = edits
  const texts = { ...toOptionTexts(stored), ...typed }
  const { options, faults } = parseRouteOptions(texts)
  const isFaulty = Object.keys(faults).length > 0

  const save = useMutation(async (next: RouteOptions) => {
    await setRouteOptions(settings, network.chainId, next)
    drop(edits)
    setSaved(true)
  })
  const isEdited = Object.keys(edits).length > 0
  return (
    <form
      class="stack group-field"
      aria-label={t('Routing on {network}', { network: network.name })}
      onSubmit={(event) => {
        event.preventDefault()
        if (isFaulty) return
        save.run({
          ...options,
          ...(only.length > 0 && { protocols: only }),
          ...(never.length > 0 && { excludedProtocols: never }),
        })
      }}
    >
      <p class="dim small">{t('For advanced users. Empty fields use the swap service’s defaults.')}</p>
      <SourceCheckboxes
        title={t('Only use these sources')}
        chainId={network.chainId}
        ticked={only}
        onTick={(protocols) => edit({ protocols })}
      />
      <SourceCheckboxes
        title={t('Exclude these sources')}
        chainId={network.chainId}
        ticked={never}
        onTick={(excludedProtocols) => edit({ excludedProtocols })}
      />
      {optionFields.map(({ name, label, hint }) => (
        <Field
          key={name}
          label={t(label)}
          autocomplete="off"
          placeholder={t('Service default')}
          value={texts[name]}
          onInput={(text) => edit({ [name]: text })}
          fault={faults[name]}
          hint={t(hint)}
        />
      ))}
      {save.error && <ErrorMessage error={save.error} />}
      <div class="request-acts">
        <button type="button" class="second" disabled={save.isRunning} onClick={() => save.run({})}>
          {t('Reset')}
        </button>
        <button type="submit" class="second" disabled={isFaulty || save.isRunning}>
          {wasSaved && !isEdited ? t('Saved') : t('Save')}
        </button>
      </div>
    </form>
  )
}
