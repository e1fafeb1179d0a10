import { useState } from 'preact/hooks'
import { explorerLink } from '../../domain/network/explorer.ts'
import type { Network } from '../../domain/network/network.ts'
import { findLookalike } from '../../domain/token/lookalike.ts'
import { type Address, isNative, noDecimals, parseAddress, type Token } from '../../domain/token/token.ts'
import { t } from '../../i18n/translate.ts'
import { createTokenPreferences } from '../../state/tokens/favourites.ts'
import { getNativeToken } from '../../state/tokens/tokens.ts'
import { AddressGroups } from '../components/address/AddressGroups.tsx'
import { ErrorMessage } from '../components/alerts/ErrorMessage.tsx'
import { Warning } from '../components/alerts/Warning.tsx'
import { CopyButton } from '../components/fields/CopyButton.tsx'
import { Icon } from '../components/Icon.tsx'
import { Page } from '../components/Page.tsx'
import { TokenIcon } from '../components/TokenIcon.tsx'
import { formatSymbol, showInvisible } from '../format/address.ts'
import { formatAmount, formatInteger } from '../format/numbers.ts'
import type { ScreenProps } from '../screenProps.ts'
import { QuickActions } from '../shell/QuickActions.tsx'
import { Lookalike } from './Lookalikes.tsx'
import '../style/lazy/tokenPage.css'
import { useMutation } from '../hooks/data/useMutation.ts'
import { useQuery } from '../hooks/data/useQuery.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'

export function TokenPage({ network, of }: ScreenProps) {
  const { router } = useStores()
  const address = parseAddress(of ?? '')
  const { token, error, readAgain } = useToken(network, address)
  if (token !== undefined) return <OneToken token={token} network={network} />
  return (
    <Page title={t('Token')} onBack={router.back}>
      {address === undefined || error?.code === 'unknown-token' ? (
        <p class="nothing">{t('No token found at this address on {network}', { network: network.name })}</p>
      ) : error ? (
        <ErrorMessage error={error}>
          <button type="button" class="link" onClick={readAgain}>
            {t('Try again')}
          </button>
        </ErrorMessage>
      ) : (
        <p class="nothing" aria-busy="true">
          <span class="bone" />
        </p>
      )}
    </Page>
  )
}

function OneToken({ token, network }: { token: Token; network: Network }) {
  const stores = useStores()
  const { tokens, balances } = useStore(stores.tokens, (state) => state)
  const { address, decimals } = token
  const balance = balances[address]
  const symbol = formatSymbol(token)
  const original = findLookalike(token, tokens, network)
  const link = isNative(address) ? undefined : explorerLink(network, 'address', address)
  return (
    <Page
      title={symbol}
      onBack={stores.router.back}
      beside={<FavouriteButton token={token} network={network} />}
    >
      <section class="holding token-holding">
        <TokenIcon token={token} size={48} />
        <p class="dim small">{showInvisible(token.name)}</p>
        <p
          class="holding-amount num"
          title={balance === undefined ? undefined : formatInteger(balance, decimals)}
        >
          {balance === undefined ? <span class="bone" /> : formatAmount(balance, decimals)}{' '}
          <span class="holding-symbol">{symbol}</span>
        </p>
      </section>
      <QuickActions
        onSend={() => stores.router.go('send', address)}
        onReceive={() => stores.router.go('receive')}
        onSwap={() => {
          stores.trade.setSell(token)
          stores.router.go('swap')
        }}
      />
      {original && <Lookalike token={token} original={original} />}
      {!original && !token.listed && !isNative(address) && (
        <Warning>
          {t('This token isn’t on Sluice’s token list. Anyone can create a token with any name.')}
        </Warning>
      )}
      {token.tags.includes(noDecimals) && (
        <Warning>
          {t('This token’s contract doesn’t specify decimals. Amounts are shown in its smallest unit.')}
        </Warning>
      )}
      {token.taxed && <Warning>{t('This token charges a fee on every transfer.')}</Warning>}
      {isNative(address) ? (
        <p class="aside small dim">
          {t('Native token of {network}, used for network fees', { network: network.name })}
        </p>
      ) : (
        <section class="panel contract">
          <h2>{t('Contract')}</h2>
          <AddressGroups address={address} />
          <span class="contract-acts">
            <CopyButton text={address} label={t('Copy address of {of}', { of: symbol })}>
              <span class="link">{t('Copy')}</span>
            </CopyButton>
            {link && (
              <a class="link inline" href={link} target="_blank" rel="noreferrer">
                {t('View on explorer')} <Icon name="out" size={15} />
              </a>
            )}
          </span>
        </section>
      )}
    </Page>
  )
}

function FavouriteButton({ token: { address }, network: { chainId } }: { token: Token; network: Network }) {
  const picks = useStores().get(createTokenPreferences)
  const isMarked = useStore(picks, (state) => state.chainId === chainId && state.favourites.includes(address))
  const opening = useQuery(() => picks.open(chainId), [picks, chainId])
  const toggle = useMutation(() => picks.toggle(address))
  return (
    <button
      type="button"
      class="round favourite"
      aria-pressed={isMarked}
      aria-label={t('Favorite')}
      title={t('Favorite')}
      disabled={opening.status !== 'answered' || toggle.isRunning}
      onClick={() => toggle.run()}
    >
      <Icon name="star" />
    </button>
  )
}

/** Listed, or read from the contract. */
function useToken(network: Network, address: Address | undefined) {
  const { tokens } = useStores()
  const known = useStore(tokens, (state) =>
    state.chainId === network.chainId ? state.tokens.find((one) => one.address === address) : undefined,
  )
  const [tries, setTries] = useState(0)
  const isHere = useStore(tokens, (state) => state.chainId === network.chainId && !state.loading)
  const { error } = useQuery(() => {
    if (!isHere || address === undefined || known !== undefined || isNative(address)) return
    // Kept in the store, so that its balance is read too.
    return tokens.read(network.chainId, address)
  }, [tokens, isHere, address, network.chainId, tries])
  return {
    token: address !== undefined && isNative(address) ? getNativeToken(network) : known,
    error,
    readAgain: () => setTries((count) => count + 1),
  }
}
