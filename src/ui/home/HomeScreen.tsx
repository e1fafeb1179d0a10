import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { isNative, type Token } from '../../domain/token/token.ts'
import { t } from '../../i18n/translate.ts'
import { canSign } from '../../state/account.ts'
import { isSetUp } from '../../state/networks/setupProgress.ts'
import { routeHref } from '../../state/router.ts'
import { isReachable } from '../../state/settings.ts'
import { groupTokens } from '../../state/tokens/groups.ts'
import { isEmptyAccount } from '../../state/tokens/liveTokens.ts'
import { getNativeToken } from '../../state/tokens/tokens.ts'
import { ErrorMessage } from '../components/alerts/ErrorMessage.tsx'
import { TokenIcon } from '../components/TokenIcon.tsx'
import { formatSymbol, showInvisible } from '../format/address.ts'
import { formatAmount, formatInteger } from '../format/numbers.ts'
import { formatSecondsAgo } from '../format/relativeTime.ts'
import { useMutation } from '../hooks/data/useMutation.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'
import { useNow } from '../hooks/useNow.ts'
import { lazy } from '../lazy/lazy.tsx'
import type { ScreenProps } from '../screenProps.ts'
import { Banners } from '../shell/Banners.tsx'
import { Header } from '../shell/Header.tsx'
import { QuickActions } from '../shell/QuickActions.tsx'
import { RefreshButton } from './RefreshButton.tsx'

const AddFunds = lazy(() => import('./AddFunds.tsx').then(({ AddFunds }) => AddFunds))
const RecentActivity = lazy(() => import('./RecentActivity.tsx').then(({ RecentActivity }) => RecentActivity))
const WelcomeHint = lazy(() => import('../shell/WelcomeHint.tsx').then(({ WelcomeHint }) => WelcomeHint))
const SetupCard = lazy(() => import('./SetupCard.tsx').then(({ SetupCard }) => SetupCard))

export function HomeScreen({ account, backedUp, network, settings, of }: ScreenProps) {
  const stores = useStores()
  const known = useStore(stores.tokens, (state) => state)
  const { tokens, balances, balanceError, readAt } = known
  const fund = useMutation(() => stores.fund(network.chainId, account.address))
  const coin = getNativeToken(network)
  const coins = balances[coin.address]
  // In the picker's order: airdropped spam must not come first.
  const held = useMemo(
    () => groupTokens({ network, tokens, balances, favourites: [], text: '' }).held.filter(isContract),
    [network, tokens, balances],
  )
  const isKnown = coins !== undefined
  const unknown = isReachable(network) && !balanceError ? <span class="bone" /> : '–'
  const canFund = isKnown && coins === 0n && network.faucetUrl !== undefined
  return (
    <>
      <Header account={account} />
      <main class="overview">
        <h1 class="unseen">{t('Wallet')}</h1>
        {of === 'welcome' && <WelcomeHint at="overview" />}
        <Banners backedUp={backedUp} network={network} />
        {!isSetUp(settings.networks, network) && <SetupCard networks={settings.networks} network={network} />}
        <section class="holding">
          <p class="dim small holding-network">
            {canSign(account)
              ? t('{network}', { network: network.name })
              : t('{network} · Watch-only', { network: network.name })}
            {isReachable(network) && <RefreshButton />}
          </p>
          <p class="holding-amount num" title={isKnown ? formatInteger(coins, 18) : undefined}>
            {isKnown ? formatAmount(coins, 18) : unknown}{' '}
            <span class="holding-symbol">{network.coin.symbol}</span>
          </p>
          {balanceError && (
            <p class="dim small">{isKnown ? <Age at={readAt} /> : t('Balance unavailable')}</p>
          )}
        </section>
        <QuickActions
          onSend={() => stores.router.go('send')}
          onReceive={() => stores.router.go('receive')}
          onSwap={() => stores.router.go('swap')}
        />
        {canFund && (
          <button type="button" class="second" disabled={fund.isRunning} onClick={() => fund.run()}>
            {fund.isRunning ? t('Requesting test funds…') : t('Get test funds')}
          </button>
        )}
        {fund.error && <ErrorMessage error={fund.error} />}
        {isEmptyAccount(known) ? (
          <AddFunds account={account} network={network} />
        ) : (
          <>
            <h2 class="part">{t('Tokens')}</h2>
            <ul class="panel group">
              {[coin, ...held].map((token) => (
                <HeldToken
                  key={token.address}
                  token={token}
                  balance={balances[token.address]}
                  unknown={unknown}
                />
              ))}
            </ul>
          </>
        )}
        <section class="newest">
          <RecentActivity account={account.address} chainId={network.chainId} />
        </section>
      </main>
    </>
  )
}

function Age({ at }: { at: number }) {
  return <>{t('Updated {ago}', { ago: formatSecondsAgo(useNow(10_000) - at) })}</>
}

function isContract({ address }: Token): boolean {
  return !isNative(address)
}

type HeldProps = { token: Token; balance: bigint | undefined; unknown: ComponentChildren }

function HeldToken({ token, balance, unknown }: HeldProps) {
  const { router } = useStores()
  return (
    <li>
      <a
        class="list-row"
        href={routeHref({ at: 'token', of: token.address })}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return
          event.preventDefault()
          router.go('token', token.address)
        }}
      >
        <TokenIcon token={token} size={34} />
        <span class="who">
          <span class="who-name">{formatSymbol(token)}</span>
          <span class="dim small clip-line">{showInvisible(token.name)}</span>
        </span>
        {balance === undefined ? (
          unknown
        ) : (
          <span class="num" title={formatInteger(balance, token.decimals)}>
            {formatAmount(balance, token.decimals)}
          </span>
        )}
      </a>
    </li>
  )
}
