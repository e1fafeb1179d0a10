import '../style/lazy/networks.css'
import type { Network } from '../../domain/network/network.ts'
import { t } from '../../i18n/translate.ts'
import { getRpcChoices, type RpcChoice } from '../../state/networks/networkForm.ts'
import { Icon } from '../components/Icon.tsx'

type Props = { network: Network; isDisabled: boolean; onChoose(choice: RpcChoice): void }

/** Public RPCs of a built-in network. One tap takes an RPC and the backup that its row names. */
export function RpcPresets({ network, isDisabled, onChoose }: Props) {
  const { chainId, rpcUrl } = network
  const choices = getRpcChoices(chainId, network)
  if (choices.length === 0) return null
  return (
    <section class="rpc-presets" aria-label={t('Public RPCs')}>
      <h2 class="aside">{t('Public RPCs')}</h2>
      <p class="dim small aside">
        {t('Free, without sign-up. The operator sees your IP address and the accounts you look up.')}
      </p>
      {choices.map((choice) => {
        const { url, operator, backupUrl } = choice
        return (
          <button
            key={url}
            type="button"
            class="list-row place-row"
            disabled={isDisabled}
            aria-pressed={rpcUrl === url}
            onClick={() => onChoose(choice)}
          >
            <span class="grow">
              <span class="place-name">{new URL(url).host}</span>
              <span class="dim small switch-hint">{t('Run by {operator}', { operator })}</span>
              {backupUrl && (
                <span class="dim small switch-hint">
                  {t('Backup: {host}', { host: new URL(backupUrl).host })}
                </span>
              )}
            </span>
            {rpcUrl === url ? (
              <Icon name="check" size={18} />
            ) : (
              <span class="small network-in-use">{t('Use')}</span>
            )}
          </button>
        )
      })}
    </section>
  )
}
