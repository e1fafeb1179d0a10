import { useEffect, useState } from 'preact/hooks'
import { explorerLink } from '../../domain/network/explorer.ts'
import type { Network } from '../../domain/network/network.ts'
import { findLookalike } from '../../domain/token/lookalike.ts'
import { type Address, isNative, noDecimals, type Token } from '../../domain/token/token.ts'
import { t } from '../../i18n/translate.ts'
import { createHome } from '../../state/portfolio/home.ts'
import { parseTokenRoute } from '../../state/portfolio/tokenRoute.ts'
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
import { useValue } from '../hooks/data/useValue.ts'
import { TokenElsewhere } from './TokenElsewhere.tsx'
import { TokenPrice } from './TokenPrice.tsx'

/** A token of the network in use, or of another one that is set up. */
export function TokenPage({ network: current, settings: { networks }, of }: ScreenProps) {
  const stores = useStores()
  const { router } = stores
  const home = stores.get(createHome)
  useEffect(() => home.watch(stores), [home, stores])
  const { chainId, token: address } = parseTokenRoute(of, current.chainId)
  const known = networks.find((one) => one.chainId === chainId)
  const network = known ?? current
  const { token, error, readAgain } = useToken(network, address, chainId === current.chainId)
  // Links outlive a removed network.
  if (known === undefined) return <NetworkGone onBack={router.back} />
  if (token !== undefined)
    return <OneToken token={token} network={network} networks={networks} current={current.chainId} />
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

type Props = { token: Token; network: Network; networks: Network[]; current: number }

function OneToken({ token, network, networks, current }: Props) {
  const stores = useStores()
  const { chainId } = network
  const isCurrent = chainId === current
  const known = useStore(stores.tokens, (state) => state.tokens)
  const balance = useBalance(token, network, isCurrent)
  const value = useValue(token, balance, chainId)
  const isShown = useStore(stores.prices, (state) => state.isShown)
  const { address, decimals } = token
  const symbol = formatSymbol(token)
  const original = isCurrent ? findLookalike(token, known, network) : undefined
  // As the network sheet does; sites keep theirs.
  const act = useMutation(async (then: () => void) => {
    if (!isCurrent) await stores.settings.save({ chainId })
    then()
  })
  const link = isNative(address) ? undefined : explorerLink(network, 'address', address)
  return (
    <Page
      title={symbol}
      onBack={stores.router.back}
      beside={<FavouriteButton token={token} network={network} />}
    >
      <section class="holding token-holding">
        <TokenIcon token={token} chainId={network.chainId} size={48} />
        <p class="dim small">
          {t('{label} · {value}', { label: showInvisible(token.name), value: network.name })}
        </p>
        <p
          class="holding-amount num"
          title={balance === undefined ? undefined : formatInteger(balance, decimals)}
        >
          {balance === undefined ? <span class="bone" /> : formatAmount(balance, decimals)}{' '}
          <span class="holding-symbol">{symbol}</span>
        </p>
        {isShown && <p class="num dim token-value">{value?.text}</p>}
      </section>
      <QuickActions
        onSend={() => act.run(() => stores.router.go('send', address))}
        onReceive={() => act.run(() => stores.router.go('receive'))}
        onSwap={() =>
          act.run(() => {
            stores.trade.setSell(token)
            stores.router.go('swap')
          })
        }
      />
      {act.error && <ErrorMessage error={act.error} />}
      <TokenPrice token={token} chainId={chainId} />
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
      <TokenElsewhere token={token} network={network} networks={networks} current={current} />
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

function useBalance(token: Token, { chainId }: Network, isCurrent: boolean): bigint | undefined {
  const stores = useStores()
  const { address, listed } = token
  const here = useStore(stores.tokens, ({ balances }) => balances[address])
  const there = useStore(stores.get(createHome).portfolio, ({ networks }) => {
    const held = networks.find((one) => one.chainId === chainId)
    // A read of the whole list covers listed tokens only.
    return held?.balances[address] ?? (held?.isRead && listed ? 0n : undefined)
  })
  return isCurrent ? (here ?? there) : there
}

/** Listed, or read from the contract. */
function NetworkGone({ onBack }: { onBack(): void }) {
  return (
    <Page title={t('Token')} onBack={onBack}>
      <p class="nothing">{t('Network not found')}</p>
    </Page>
  )
}

function useToken(network: Network, address: Address | undefined, isCurrent: boolean) {
  const stores = useStores()
  const { tokens } = stores
  const { chainId } = network
  const here = useStore(tokens, (state) =>
    state.chainId === chainId ? state.tokens.find((one) => one.address === address) : undefined,
  )
  const there = useStore(stores.get(createHome).portfolio, ({ networks }) =>
    networks.find((one) => one.chainId === chainId)?.tokens.find((one) => one.address === address),
  )
  const known = here ?? there
  const [tries, setTries] = useState(0)
  const isListed = useStore(tokens, (state) => !isCurrent || (state.chainId === chainId && !state.loading))
  const { value, error } = useQuery(() => {
    if (!isListed || address === undefined || known !== undefined || isNative(address)) return
    // Kept in the store, so that its balance is read too.
    return isCurrent ? tokens.read(chainId, address) : tokens.peek(chainId, address)
  }, [tokens, isListed, address, chainId, tries])
  return {
    token: address !== undefined && isNative(address) ? getNativeToken(network) : (known ?? value),
    error,
    readAgain: () => setTries((count) => count + 1),
  }
}
