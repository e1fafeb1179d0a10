import { useEffect, useState } from 'preact/hooks'
import type { Network } from '../../domain/network/network.ts'
import { getDirectContracts } from '../../domain/network/swapSource.ts'
import { permit2 } from '../../domain/signing/permit2.ts'
import { knownRouters } from '../../domain/swap/routers.ts'
import type { Address } from '../../domain/token/token.ts'
import { t, tx } from '../../i18n/translate.ts'
import type { Allowance, RevokeRequest } from '../../protocol.ts'
import { allowanceKey } from '../../state/allowances.ts'
import { CopyableAddress } from '../components/address/CopyableAddress.tsx'
import { ErrorMessage } from '../components/alerts/ErrorMessage.tsx'
import { Icon } from '../components/Icon.tsx'
import { Page } from '../components/Page.tsx'
import { TokenIcon } from '../components/TokenIcon.tsx'
import { shortAddress } from '../format/address.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'
import type { ScreenProps } from '../screenProps.ts'
import { TokenAmount } from '../tokens/TokenAmount.tsx'
import { RevokeButton } from './RevokeButton.tsx'
import { useAllowances } from './useAllowances.ts'

/** Router allowances of an account. */
export function AllowancesScreen({ network, account: { address: account } }: ScreenProps) {
  const { router } = useStores()
  const allowances = useAllowances()
  const { list, error } = useStore(allowances, (state) => state)
  const { chainId } = network
  const load = () => allowances.load(chainId, account)
  useEffect(() => {
    load()
  }, [allowances, chainId, account])
  return (
    <Page title={t('Token allowances')} onBack={router.back}>
      <p class="aside dim small">
        {t('For this account on {network}. Only known routers and Permit2 are checked, not every spender.', {
          network: network.name,
        })}
      </p>
      {error && (
        <ErrorMessage error={error}>
          <button type="button" class="link" onClick={load}>
            {t('Try again')}
          </button>
        </ErrorMessage>
      )}
      {list === undefined && error === undefined && (
        <p class="nothing" role="status">
          {t('Loading allowances…')}
        </p>
      )}
      {list?.length === 0 && <p class="nothing">{t('No known router can spend your tokens.')}</p>}
      {list !== undefined && list.length > 0 && (
        <div class="panel group">
          {list.map((allowance) => {
            const { token, spender, via } = allowance
            const ask: RevokeRequest = {
              chainId,
              account,
              token: token.address,
              spender,
              ...(via && { via }),
            }
            return <OneAllowance key={allowanceKey(ask)} allowance={allowance} ask={ask} network={network} />
          })}
        </div>
      )}
    </Page>
  )
}

type OneProps = { allowance: Allowance; ask: RevokeRequest; network: Network }

function OneAllowance({ allowance, ask, network }: OneProps) {
  const { token, spender, via } = allowance
  const allowances = useAllowances()
  const [isOpen, setOpen] = useState(false)
  const now = useStore(allowances, ({ named }) => named[allowanceKey(ask)])
  const amount = now ?? allowance.amount
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary class="list-row site">
        <TokenIcon token={token} />
        <span class="grow">
          <strong class="site-origin">
            <TokenAmount amount={amount} address={token.address} token={token} />
          </strong>
          <span class="dim small">{whoIs(spender, network, via)}</span>
        </span>
        <Icon name="down" size={16} />
      </summary>
      {isOpen && (
        <div class="stack group-field">
          <p class="dim small inline">
            {tx('Spender: {address}', {
              address: <CopyableAddress address={spender} of={t('spender')} />,
            })}
          </p>
          {amount > 0n ? (
            <RevokeButton ask={ask} />
          ) : (
            <p role="status">{t('Allowance revoked. Nothing can be spent through it anymore.')}</p>
          )}
        </div>
      )}
    </details>
  )
}

function whoIs(spender: Address, network: Network, via: Allowance['via']): string {
  const own = [network.router, getDirectContracts(network)?.router]
  const isKnown = own.includes(spender) || knownRouters(network.chainId).includes(spender)
  const who = spender === permit2 ? 'Permit2' : isKnown ? t('Known router') : shortAddress(spender)
  return via === undefined ? who : t('{spender} via Permit2', { spender: who })
}
