import '../style/places.css'
import { useState } from 'preact/hooks'
import type { Network } from '../../domain/network/network.ts'
import { editNetwork } from '../../domain/network/networkTexts.ts'
import { networkUrls } from '../../domain/network/permittedChange.ts'
import { t } from '../../i18n/translate.ts'
import { changeNetwork } from '../../state/networks/networkChanges.ts'
import { isOwn, raisesFeeLimits } from '../../state/networks/networkForm.ts'
import { ErrorNote } from '../components/ErrorMessage.tsx'
import { Sheet } from '../components/Sheet.tsx'
import { Note } from '../components/Warning.tsx'
import { useIsMounted } from '../hooks/useIsMounted.ts'
import { useMutation } from '../hooks/useMutation.ts'
import { useStores } from '../hooks/useStore.ts'
import { PasswordForm } from '../secrets/PasswordForm.tsx'
import { NameFields, NodeField, OtherFields, ServiceFields } from './NetworkFields.tsx'
import { useNetworkEdits } from './useNetworkEdits.ts'

/** Whom a network asks, and which router it trusts: nothing is asked of any host that is not written here. */
export function NetworkForm({ network }: { network: Network }) {
  const stores = useStores()
  const { settings } = stores
  const { edits, drop, isFaulty, fieldsFor } = useNetworkEdits(network)
  const [wasSaved, setSaved] = useState(false)
  const [asks, setAsks] = useState<'password' | 'press' | undefined>()
  const isHere = useIsMounted()

  const save = useMutation(async (how: { isChecked: boolean; isPermitted?: boolean }) => {
    await changeNetwork(settings, network.chainId, edits, how)
    drop(edits)
    setSaved(true)
  })
  const isEdited = Object.keys(edits).length > 0
  // A node that says nothing may do so later. One that serves another chain is never used.
  const { node, fields } = fieldsFor(save)
  // A node that asks for too much is the reason to lift a limit only seldom.
  const raise = async (password: string) => {
    await stores.account.unlock(password)
    // The browser only asks for a host in the turn of a press, and that of the password is over.
    const isPermitted = await settings.isPermitted(networkUrls(editNetwork(network, edits)))
    if (!isHere()) return
    setAsks(isPermitted ? undefined : 'press')
    if (isPermitted) save.run({ isChecked: true, isPermitted })
  }
  return (
    <>
      <form
        class="stack group-field network-form"
        aria-label={network.name}
        onSubmit={(event) => {
          event.preventDefault()
          if (!isEdited || isFaulty) return
          if (raisesFeeLimits(network, edits)) setAsks('password')
          else save.run({ isChecked: true })
        }}
      >
        {isOwn(network) && <NameFields {...fields} />}
        <ServiceFields network={network} {...fields} />
        <NodeField {...fields} />
        <OtherFields network={network} {...fields} />
        {save.error && !node && <ErrorNote error={save.error} />}
        {node?.isSilent && (
          <button
            type="button"
            class="second"
            disabled={save.isRunning}
            onClick={() => save.run({ isChecked: false })}
          >
            {t('Save anyway')}
          </button>
        )}
        <button class="second" type="submit" disabled={!isEdited || isFaulty || save.isRunning}>
          {save.isRunning ? t('Checking…') : wasSaved && !isEdited ? t('Saved') : t('Save')}
        </button>
      </form>
      {asks && (
        <Sheet title={t('Raise the fee limit?')} onClose={() => setAsks(undefined)}>
          <Note>
            {t(
              'A dishonest RPC could then make you pay fees up to the new limit. Raise it only if network fees are really that high.',
            )}
          </Note>
          {asks === 'password' ? (
            <PasswordForm act={t('Raise limit')} acting={t('Checking…')} isFirst onPassword={raise} />
          ) : (
            <button
              type="button"
              class="main"
              onClick={() => {
                setAsks(undefined)
                save.run({ isChecked: true })
              }}
            >
              {t('Save')}
            </button>
          )}
        </Sheet>
      )}
    </>
  )
}
