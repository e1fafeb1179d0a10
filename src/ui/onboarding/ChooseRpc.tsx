import type { Network } from '../../domain/network/network.ts'
import { t } from '../../i18n/translate.ts'
import { changeNetwork } from '../../state/networks/networkChanges.ts'
import { getRpcChoices, type RpcChoice } from '../../state/networks/networkForm.ts'
import { isReachable } from '../../state/settings.ts'
import { ErrorMessage } from '../components/alerts/ErrorMessage.tsx'
import { Warning } from '../components/alerts/Warning.tsx'
import { Disclosure } from '../components/Disclosure.tsx'
import { Icon } from '../components/Icon.tsx'
import { Page } from '../components/Page.tsx'
import { Stepper, type StepperProps } from '../components/Stepper.tsx'
import { useMutation } from '../hooks/data/useMutation.ts'
import { useStores } from '../hooks/data/useStore.ts'
import { validateNode } from '../messages/network.ts'
import { RpcPresets } from '../networks/RpcPresets.tsx'

type Props = {
  network: Network
  step: StepperProps | undefined
  onBack(): void
  /** Takes a network that has an RPC by now. */
  onChoose(network: Network): Promise<void>
}

/** Offers the operator's public RPC first. One press saves it and makes the network the current one. */
export function ChooseRpc({ network, step, onBack, onChoose }: Props) {
  const { settings, router } = useStores()
  const { chainId, name } = network
  const [first, backup] = getRpcChoices(chainId)
  const isReady = isReachable(network)
  const take = useMutation(({ edits }: RpcChoice) =>
    changeNetwork(settings, chainId, edits, { isChecked: true, isChosen: true }),
  )
  const choose = useMutation(onChoose)
  const fault = take.error && validateNode(take.error)
  const openForm = () => router.go('network', String(chainId))
  return (
    <Page
      title={t('RPC for {network}', { network: name })}
      onBack={onBack}
      foot={
        <div class="stack">
          {fault && <Warning>{fault.says}</Warning>}
          {take.error && !fault && <ErrorMessage error={take.error} />}
          {choose.error && <ErrorMessage error={choose.error} />}
          {isReady ? (
            <button
              type="button"
              class="main"
              disabled={choose.isRunning}
              onClick={() => choose.run(network)}
            >
              {t('Continue')}
            </button>
          ) : first === undefined ? (
            <button type="button" class="main" onClick={openForm}>
              {t('Enter an RPC URL')}
            </button>
          ) : (
            <button type="button" class="main" disabled={take.isRunning} onClick={() => take.run(first)}>
              {take.isRunning
                ? t('Checking…')
                : t('Use {operator}’s public RPC', { operator: first.operator })}
            </button>
          )}
        </div>
      }
    >
      {step && <Stepper {...step} />}
      <p class="dim">
        {t(
          'An RPC is a server that reads {network} for you and sends your transactions. Sluice contacts only the servers you choose.',
          {
            network: name,
          },
        )}
      </p>
      {first && !isReady && (
        <section class="panel rpc-first">
          <p class="place-name">{new URL(first.url).host}</p>
          <p class="small">{t('Run by {operator}', { operator: first.operator })}</p>
          <p class="dim small">
            {t('Free, without sign-up. The operator sees your IP address and the accounts you look up.')}
          </p>
          {backup && (
            <p class="dim small">
              {t('Backup if it fails: {host}, run by {operator}.', {
                host: new URL(backup.url).host,
                operator: backup.operator,
              })}
            </p>
          )}
        </section>
      )}
      {first && !isReady && (
        <Disclosure title={t('Other RPCs')}>
          <RpcPresets network={network} isDisabled={take.isRunning} onChoose={take.run} />
          <button type="button" class="list-row place-row" disabled={take.isRunning} onClick={openForm}>
            <span class="grow place-name">{t('Enter an RPC URL')}</span>
            <Icon name="next" size={18} />
          </button>
        </Disclosure>
      )}
    </Page>
  )
}
