import { useEffect } from 'preact/hooks'
import type { Network } from '../../domain/network/network.ts'
import { t } from '../../i18n/translate.ts'
import type { EndpointHealth } from '../../state/networks/health.ts'
import { getNextRpc, type RpcChoice } from '../../state/networks/networkForm.ts'
import { ErrorMessage } from '../components/alerts/ErrorMessage.tsx'
import { Icon } from '../components/Icon.tsx'
import { describeMissingFeatures } from '../messages/missingFeatures.ts'
import { partNames } from '../messages/network.ts'
import { EndpointFault } from './NetworkHealth.tsx'
import { useNetworkHealth } from './useNetworkHealth.ts'

type Props = {
  network: Network
  onChoose(choice: RpcChoice): void
  /** Called when the check begins and ends. */
  onShow(): void
}

/** Result of the check after a save. Offers the next public RPC if something is missing. */
export function CheckResult({ network, onChoose, onShow }: Props) {
  const { status, value: found, error } = useNetworkHealth(network)
  useEffect(onShow, [status])
  if (network.rpcUrl === '' && network.serviceUrl === '') return null
  if (error) return <ErrorMessage error={error} />
  if (found === undefined) return <p class="dim small">{t('Checking…')}</p>
  const problems = found.filter((one) => 'fault' in one || one.lacks !== undefined)
  if (problems.length === 0) {
    return (
      <p class="check-good">
        <Icon name="check" size={18} />
        {network.rpcUrl === '' ? t('Connected') : t('Connected. This RPC supports everything Sluice needs.')}
      </p>
    )
  }
  const isOfRpc = problems.some(({ part }) => part === 'node')
  return (
    <>
      {problems.map((health) => (
        <Problem key={health.part} health={health} />
      ))}
      {isOfRpc && <NextRpc network={network} onChoose={onChoose} />}
    </>
  )
}

function Problem({ health }: { health: EndpointHealth }) {
  return (
    <div class="check-problem">
      <Icon name="warn" size={18} />
      <div>
        {health.part === 'spare' && <strong>{t(partNames.spare)}</strong>}
        {'fault' in health ? (
          <p>
            <EndpointFault {...health} />
          </p>
        ) : (
          describeMissingFeatures(health.lacks).map((sentence) => <p key={sentence}>{sentence}</p>)
        )}
      </div>
    </div>
  )
}

type NextProps = {
  network: Pick<Network, 'chainId' | 'rpcUrl' | 'spareRpcUrl'>
  isDisabled?: boolean
  onChoose(choice: RpcChoice): void
}

export function NextRpc({ network, isDisabled = false, onChoose }: NextProps) {
  const next = getNextRpc(network.chainId, network)
  if (next === undefined) return null
  return (
    <button type="button" class="second" disabled={isDisabled} onClick={() => onChoose(next)}>
      {t('Try {host}', { host: new URL(next.url).host })}
    </button>
  )
}
