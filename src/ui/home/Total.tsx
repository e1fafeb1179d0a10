import { useState } from 'preact/hooks'
import type { Network, Settings } from '../../domain/network/network.ts'
import { t } from '../../i18n/translate.ts'
import type { OwnAccount } from '../../protocol.ts'
import { canSign } from '../../state/account.ts'
import { isReachable } from '../../state/settings.ts'
import { getNativeToken } from '../../state/tokens/tokens.ts'
import { Icon } from '../components/Icon.tsx'
import { formatAmount, formatInteger } from '../format/numbers.ts'
import { formatCompactValue, formatValue } from '../format/value.ts'
import { useMutation } from '../hooks/data/useMutation.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'
import { useDelayedFlag } from '../hooks/useDelayedFlag.ts'
import { lazy } from '../lazy/lazy.tsx'
import { RefreshButton } from './RefreshButton.tsx'
import { TotalStatus } from './TotalStatus.tsx'
import type { Portfolio } from './usePortfolio.ts'

const SaleSheet = lazy(() => import('./SaleSheet.tsx').then(({ SaleSheet }) => SaleSheet))

/** From here on without every digit: a trillion dollars. */
const compactFrom = 10n ** 20n

type Props = { account: OwnAccount; network: Network; settings: Settings; portfolio: Portfolio }

/** The value of what is held; without prices the native balance. */
export function Total({ account, network, settings, portfolio }: Props) {
  const stores = useStores()
  const { summary, reachable, filtered } = portfolio
  const { rate, chains } = useStore(stores.prices, (state) => state)
  const [isSelling, setSelling] = useState(false)
  const isPriced = chains[(filtered ?? network).chainId] !== undefined
  // An RPC that answers balances but no prices must not keep the total waiting.
  const isLate = useDelayedFlag(summary.isBalanceKnown && !isPriced)
  const isWaiting =
    settings.showValues && summary.usd === undefined && !isLate && isReachable(network) && !isPriced
  const { usd = 0n } = summary
  const text = usd < compactFrom ? formatValue(usd, rate) : formatCompactValue(usd, rate)
  // Decided before the first numbers, so that it does not change with them.
  const isTotal = settings.showValues && (isWaiting || summary.usd !== undefined)
  const place = filtered?.name ?? (isTotal && reachable.length > 1 ? t('All networks') : network.name)
  return (
    <section class="holding home-total">
      <p class="dim small holding-network">
        <span class="clip-line">
          {canSign(account)
            ? t('{network}', { network: place })
            : t('{network} · Watch-only', { network: place })}
        </span>
        {isReachable(network) && <RefreshButton />}
        {isReachable(network) && <ValuesButton isShown={settings.showValues} />}
      </p>
      {summary.usd !== undefined && settings.showValues ? (
        <button
          type="button"
          class={`holding-amount total num${summary.isComplete ? '' : ' aged'}`}
          title={t('Value if sold now')}
          aria-haspopup="dialog"
          data-size={toSize(text)}
          onClick={() => setSelling(true)}
        >
          {text}
          <span class="unseen"> · {t('Value if sold now')}</span>
          <Icon name="next" size={18} />
        </button>
      ) : (
        <NativeAmount network={filtered ?? network} portfolio={portfolio} isWaiting={isWaiting} />
      )}
      <TotalStatus portfolio={portfolio} isShown={settings.showValues} />
      {isSelling && <SaleSheet portfolio={portfolio} onClose={() => setSelling(false)} />}
    </section>
  )
}

/** Long totals are smaller, so that each fits one line at 320 pixels. */
function toSize({ length }: string): 'long' | 'longer' | undefined {
  return length > 16 ? 'longer' : length > 11 ? 'long' : undefined
}

type NativeProps = { network: Network; portfolio: Portfolio; isWaiting: boolean }

function NativeAmount({ network, portfolio: { summary }, isWaiting }: NativeProps) {
  const { address, decimals } = getNativeToken(network)
  const held = [...summary.rows, ...summary.small, ...summary.unpriced].find(
    (row) => row.network.chainId === network.chainId && row.token.address === address,
  )
  const balance = held?.balance ?? (summary.isBalanceRead ? 0n : undefined)
  if (isWaiting || (balance === undefined && isReachable(network) && summary.failed.length === 0)) {
    return (
      <p class="holding-amount" aria-busy="true">
        <span class="bone bone-total" />
      </p>
    )
  }
  const isFresh = held === undefined || held.isFresh
  return (
    <p
      class={`holding-amount num${isFresh ? '' : ' aged'}`}
      title={balance === undefined ? undefined : formatInteger(balance, decimals)}
    >
      {balance === undefined ? '–' : formatAmount(balance, decimals)}{' '}
      <span class="holding-symbol">{network.coin.symbol}</span>
    </p>
  )
}

function ValuesButton({ isShown }: { isShown: boolean }) {
  const { settings } = useStores()
  const toggle = useMutation(() => settings.save({ showValues: !isShown }))
  const label = isShown ? t('Hide values') : t('Show values')
  return (
    <button
      type="button"
      class="round refresh"
      aria-label={label}
      title={label}
      disabled={toggle.isRunning}
      onClick={() => toggle.run()}
    >
      <Icon name={isShown ? 'hide' : 'show'} size={16} />
    </button>
  )
}
