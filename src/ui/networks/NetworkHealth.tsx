import { useState } from 'preact/hooks'
import type { Network } from '../../domain/network/network.ts'
import type { ErrorCode } from '../../errors.ts'
import { t } from '../../i18n/translate.ts'
import type { EndpointHealth } from '../../state/networks/health.ts'
import { ErrorCause } from '../components/alerts/ErrorCause.tsx'
import { ErrorMessage } from '../components/alerts/ErrorMessage.tsx'
import { Icon } from '../components/Icon.tsx'
import { useLatest } from '../hooks/useLatest.ts'
import { describeMissingFeatures } from '../messages/missingFeatures.ts'
import { formatHealth, partNames } from '../messages/network.ts'
import { useNetworkHealth } from './useNetworkHealth.ts'

/** Checks endpoints on open, on changes and by button. */
export function NetworkHealth({ network }: { network: Network }) {
  const { serviceUrl, rpcUrl } = network
  const [asked, setAsked] = useState(0)
  const { status, value, error } = useNetworkHealth(network, asked)
  const isLooking = status === 'asking'
  const found = useLatest(value)

  if (rpcUrl === '' && serviceUrl === '') {
    return <p class="dim small aside">{t('Not set up')}</p>
  }
  return (
    <section class="panel group health" aria-label={t('Connection status')} aria-busy={isLooking}>
      <div class="list-row">
        <h2 class="grow">{t('Connection status')}</h2>
        <button
          type="button"
          class="link"
          disabled={isLooking}
          onClick={() => setAsked((times) => times + 1)}
        >
          {isLooking ? t('Checking…') : t('Check again')}
        </button>
      </div>
      {error ? (
        <ErrorMessage error={error} />
      ) : (
        (found?.map((one) => <OnePart key={one.part} health={one} />) ??
        toParts(network).map((part) => <Waiting key={part} name={t(partNames[part])} />))
      )}
    </section>
  )
}

function toParts({ rpcUrl, spareRpcUrl, serviceUrl }: Network): EndpointHealth['part'][] {
  return [
    ...(rpcUrl ? (['node'] as const) : []),
    ...(rpcUrl && spareRpcUrl ? (['spare'] as const) : []),
    ...(serviceUrl ? (['service'] as const) : []),
  ]
}

function Waiting({ name }: { name: string }) {
  return (
    <div class="list-row">
      <span class="grow">{name}</span>
      <span class="bone" />
    </div>
  )
}

function OnePart({ health }: { health: EndpointHealth }) {
  const { part, isInUse } = health
  const isFaulty = 'fault' in health
  const look = isFaulty ? 'bad' : health.lacks === undefined ? 'good' : 'lacking'
  return (
    <div class="list-row health-part" data-part={part}>
      <span class={`health-${look}`}>
        <Icon name={look === 'good' ? 'check' : 'warn'} size={18} />
      </span>
      <span class="grow">
        {t(partNames[part])}
        {part === 'spare' && isInUse && <span class="tag health-tag">{t('Active')}</span>}
        <span class="dim small switch-hint">
          {isFaulty ? <EndpointFault {...health} /> : formatHealth(health)}
        </span>
        {!isFaulty &&
          describeMissingFeatures(health.lacks).map((sentence) => (
            <span key={sentence} class="small switch-hint health-lack">
              {sentence}
            </span>
          ))}
      </span>
    </div>
  )
}

export function EndpointFault({ fault, found }: { fault: ErrorCode; found?: string | undefined }) {
  if (found === undefined) return <ErrorCause code={fault} />
  return <>{t('Wrong network (chain ID {found}), so it isn’t used.', { found })}</>
}
