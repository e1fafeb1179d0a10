import { useState } from 'preact/hooks'
import type { Network } from '../../domain/network/network.ts'
import { t } from '../../i18n/translate.ts'
import { createNetworkHealth, type EndpointHealth } from '../../state/networks/health.ts'
import { ErrorCause } from '../components/alerts/ErrorCause.tsx'
import { ErrorMessage } from '../components/alerts/ErrorMessage.tsx'
import { Icon } from '../components/Icon.tsx'
import { useQuery } from '../hooks/data/useQuery.ts'
import { useStores } from '../hooks/data/useStore.ts'
import { useLatest } from '../hooks/useLatest.ts'
import { formatHealth, formatMissingFeatures, partNames } from '../messages/network.ts'

/** Checks endpoints on open, on changes and by button. */
export function NetworkHealth({ network }: { network: Network }) {
  const networks = useStores().get(createNetworkHealth)
  const { chainId, serviceUrl, serviceVersion, serviceKey, rpcUrl, spareRpcUrl } = network
  const who = JSON.stringify([chainId, serviceUrl, serviceVersion, serviceKey, rpcUrl, spareRpcUrl])
  const [asked, setAsked] = useState(0)
  const { status, value, error } = useQuery(() => networks.look(network), [networks, who, asked])
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
  return (
    <div class="list-row health-part" data-part={part}>
      <span class={isFaulty ? 'health-bad' : 'health-good'}>
        <Icon name={isFaulty ? 'warn' : 'check'} size={18} />
      </span>
      <span class="grow">
        {t(partNames[part])}
        {part === 'spare' && isInUse && <span class="tag health-tag">{t('Active')}</span>}
        <span class="dim small switch-hint">
          {!isFaulty && formatHealth(health)}
          {isFaulty &&
            (health.found === undefined ? (
              <ErrorCause code={health.fault} />
            ) : (
              t('Wrong network (chain ID {found}), so it isn’t used.', { found: health.found })
            ))}
        </span>
        {!isFaulty && health.lacks && (
          <span class="dim small switch-hint">{formatMissingFeatures(health)}</span>
        )}
      </span>
    </div>
  )
}
