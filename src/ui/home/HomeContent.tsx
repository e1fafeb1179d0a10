import '../style/lazy/home.css'
import { t } from '../../i18n/translate.ts'
import { isReachable } from '../../state/settings.ts'
import { isEmptyAccount } from '../../state/tokens/liveTokens.ts'
import { getNativeToken } from '../../state/tokens/tokens.ts'
import { ErrorMessage } from '../components/alerts/ErrorMessage.tsx'
import { useMutation } from '../hooks/data/useMutation.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'
import { lazy } from '../lazy/lazy.tsx'
import type { ScreenProps } from '../screenProps.ts'
import { QuickActions } from '../shell/QuickActions.tsx'
import { RecentActivity } from './RecentActivity.tsx'
import { TokenList } from './TokenList.tsx'
import { Total } from './Total.tsx'
import { usePortfolio } from './usePortfolio.ts'

const AddFunds = lazy(() => import('./AddFunds.tsx').then(({ AddFunds }) => AddFunds))

export function HomeContent({ account, network, settings }: ScreenProps) {
  const stores = useStores()
  const known = useStore(stores.tokens, (state) => state)
  const fund = useMutation(() => stores.fund(network.chainId, account.address))
  const portfolio = usePortfolio(settings.networks, network.chainId)
  const { summary } = portfolio
  const coins = known.balances[getNativeToken(network).address]
  const canFund = isReachable(network) && coins === 0n && network.faucetUrl !== undefined
  const isEmpty =
    isEmptyAccount(known) &&
    summary.isBalanceRead &&
    [...summary.rows, ...summary.small, ...summary.unpriced].every(({ balance = 0n }) => balance === 0n)
  return (
    <>
      <Total account={account} network={network} settings={settings} portfolio={portfolio} />
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
      {isEmpty ? (
        <AddFunds account={account} network={network} />
      ) : (
        <TokenList network={network} portfolio={portfolio} />
      )}
      <section class="newest">
        <RecentActivity account={account.address} chainId={network.chainId} />
      </section>
    </>
  )
}
