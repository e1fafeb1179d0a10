import '../style/lazy/networks.css'
import { findPublicChain } from '../../domain/network/chains.ts'
import type { Network } from '../../domain/network/network.ts'
import { t } from '../../i18n/translate.ts'
import { Icon } from '../components/Icon.tsx'

export type RpcChoice = { rpcUrl: string; spareRpcUrl: string }

type Props = { network: Network; isDisabled: boolean; onChoose(choice: RpcChoice): void }

/** Public RPCs of a built-in network. One tap takes an RPC, and the next one as its backup. */
export function RpcPresets({ network, isDisabled, onChoose }: Props) {
  const { rpcs = [] } = findPublicChain(network.chainId) ?? {}
  if (rpcs.length === 0) return null
  return (
    <section class="rpc-presets" aria-label={t('Public RPCs')}>
      <h2 class="aside">{t('Public RPCs')}</h2>
      <p class="dim small aside">
        {t('Free, without sign-up. The operator sees your IP address and the accounts you look up.')}
      </p>
      {rpcs.map(({ url, operator }, index) => (
        <button
          key={url}
          type="button"
          class="list-row place-row"
          disabled={isDisabled}
          aria-pressed={network.rpcUrl === url}
          onClick={() => onChoose({ rpcUrl: url, spareRpcUrl: rpcs[(index + 1) % rpcs.length]?.url ?? '' })}
        >
          <span class="grow">
            <span class="place-name">{new URL(url).host}</span>
            <span class="dim small switch-hint">{t('Run by {operator}', { operator })}</span>
          </span>
          {network.rpcUrl === url ? (
            <Icon name="check" size={18} />
          ) : (
            <span class="small network-in-use">{t('Use')}</span>
          )}
        </button>
      ))}
    </section>
  )
}
