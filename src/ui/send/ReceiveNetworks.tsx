import '../style/lazy/receive.css'
import type { Network } from '../../domain/network/network.ts'
import { spokenLocale, t, tx } from '../../i18n/translate.ts'
import { isReachable } from '../../state/settings.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'

/** Names the networks on which the wallet would show what arrives. */
export function ReceiveNetworks({ network }: { network: Network }) {
  const { settings } = useStores()
  const networks = useStore(settings, (state) => state.settings?.networks) ?? []
  const names = selectReceiving(networks, network).map(({ name }) => name)
  const list = new Intl.ListFormat(spokenLocale(), { type: 'conjunction' })
  return (
    <div class="small dim receive-where">
      <p>
        {tx('You can receive on {networks} with this address.', {
          networks: <strong>{list.format(names)}</strong>,
        })}
      </p>
      <p>
        {names.length === 1
          ? t('When you withdraw from an exchange, choose this network.')
          : t('When you withdraw from an exchange, choose one of these networks.')}
      </p>
    </div>
  )
}

/** Returns the current network, then others with an RPC. A local chain counts only as the current one. */
export function selectReceiving(networks: readonly Network[], current: Network): Network[] {
  const others = networks.filter(
    (one) => one.chainId !== current.chainId && isReachable(one) && one.faucetUrl === undefined,
  )
  return isReachable(current) || others.length === 0 ? [current, ...others] : others
}
