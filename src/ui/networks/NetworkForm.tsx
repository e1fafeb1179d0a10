import '../style/lazy/networks.css'
import { useRef, useState } from 'preact/hooks'
import type { Network } from '../../domain/network/network.ts'
import { editNetwork, type NetworkFormValues } from '../../domain/network/networkTexts.ts'
import { networkUrls } from '../../domain/network/permittedChange.ts'
import { t } from '../../i18n/translate.ts'
import { changeNetwork, isFirstReachable } from '../../state/networks/networkChanges.ts'
import { isOwn, type RpcChoice, raisesFeeLimits } from '../../state/networks/networkForm.ts'
import { ErrorMessage } from '../components/alerts/ErrorMessage.tsx'
import { Warning } from '../components/alerts/Warning.tsx'
import { Sheet } from '../components/Sheet.tsx'
import { useMutation } from '../hooks/data/useMutation.ts'
import { useStores } from '../hooks/data/useStore.ts'
import { useIsMounted } from '../hooks/useIsMounted.ts'
import { PasswordForm } from '../secrets/PasswordForm.tsx'
import { AdvancedFields } from './AdvancedFields.tsx'
import { CheckResult, NextRpc } from './CheckResult.tsx'
import { NameFields, RpcField } from './NetworkFields.tsx'
import { RpcPresets } from './RpcPresets.tsx'
import { ServiceFields } from './ServiceFields.tsx'
import { useNetworkEdits } from './useNetworkEdits.ts'

/** Edits the network. Only hosts entered here are contacted. */
export function NetworkForm({ network }: { network: Network }) {
  const stores = useStores()
  const { settings } = stores
  const { edits, edit, settle, drop, texts, isFaulty, fieldsFor } = useNetworkEdits(network)
  const [wasSaved, setSaved] = useState(false)
  const [asks, setAsks] = useState<'password' | 'press' | undefined>()
  const isHere = useIsMounted()
  const foot = useRef<HTMLDivElement>(null)
  const showFoot = () => foot.current?.scrollIntoView({ block: 'nearest' })

  type How = { isChecked: boolean; isPermitted?: boolean; changes?: Partial<NetworkFormValues> }
  const save = useMutation(async ({ changes = settle(), ...how }: How) => {
    const isChosen = isFirstReachable(settings, network, changes)
    await changeNetwork(settings, network.chainId, changes, { ...how, ...(isChosen && { isChosen }) })
    drop(changes)
    setSaved(true)
  })
  // In the form too, which shows an error at the field and survives a closed popup.
  const choose = ({ edits: changes }: RpcChoice) => {
    edit(changes)
    save.run({ isChecked: true, changes })
  }
  const isEdited = Object.keys(edits).length > 0
  // A silent RPC may be saved, one on another chain never.
  const { node, fields } = fieldsFor(save)
  // Raising a fee limit takes the password: limits guard against RPCs that report high fees.
  const raise = async (password: string) => {
    await stores.account.unlock(password)
    // Browsers grant host permissions only within a click, and the password's is over.
    const isPermitted = await settings.isPermitted(networkUrls(editNetwork(network, edits)))
    if (!isHere()) return
    setAsks(isPermitted ? undefined : 'press')
    if (isPermitted) save.run({ isChecked: true, isPermitted })
  }
  return (
    <>
      <RpcPresets network={network} isDisabled={save.isRunning} onChoose={choose} />
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
        <RpcField {...fields} />
        {isOwn(network) && <NameFields {...fields} />}
        <ServiceFields network={network} {...fields} />
        <AdvancedFields network={network} {...fields} />
        <div ref={foot} class={isEdited ? 'form-foot form-foot-sticky' : 'form-foot'}>
          <div class="check-result" role="status">
            {wasSaved && !isEdited && !save.isRunning && (
              <CheckResult network={network} onChoose={choose} onShow={showFoot} />
            )}
          </div>
          {save.error && !node && <ErrorMessage error={save.error} />}
          {node?.field === 'rpcUrl' && (
            <NextRpc
              network={{
                chainId: network.chainId,
                rpcUrl: texts.rpcUrl.trim(),
                spareRpcUrl: texts.spareRpcUrl.trim(),
              }}
              isDisabled={save.isRunning}
              onChoose={choose}
            />
          )}
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
          <button class="main" type="submit" disabled={!isEdited || isFaulty || save.isRunning}>
            {save.isRunning ? t('Checking…') : wasSaved && !isEdited ? t('Saved') : t('Save and check')}
          </button>
        </div>
      </form>
      {asks && (
        <Sheet title={t('Raise the fee limit?')} onClose={() => setAsks(undefined)}>
          <Warning>
            {t(
              'A dishonest RPC could then make you pay fees up to the new limit. Raise it only if network fees are really that high.',
            )}
          </Warning>
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
