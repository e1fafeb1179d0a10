import { t } from '../../i18n/translate.ts'
import type { HoldingRow } from '../../state/portfolio/summary.ts'
import { formatTokenRoute } from '../../state/portfolio/tokenRoute.ts'
import { routeHref } from '../../state/router.ts'
import { TokenIcon } from '../components/TokenIcon.tsx'
import { formatSymbol, showInvisible } from '../format/address.ts'
import { formatAmount, formatCompact, formatInteger } from '../format/numbers.ts'
import { formatCompactValue, formatValue } from '../format/value.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'

/** From here on without every digit: ten million dollars. */
const compactFrom = 10n ** 15n

type Props = { row: HoldingRow; current: number; hasNetwork: boolean }

export function TokenRow({ row, current, hasNetwork }: Props) {
  const { router, prices } = useStores()
  const { rate, isShown } = useStore(prices, (state) => state)
  const { token, network, balance, usd, isFresh } = row
  const of = formatTokenRoute(token.address, network.chainId, current)
  const hasValue = isShown && usd !== undefined
  return (
    <li class="holding-row">
      <a
        class="list-row"
        href={routeHref({ at: 'token', of })}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return
          event.preventDefault()
          router.go('token', of)
        }}
      >
        <TokenIcon
          token={token}
          chainId={network.chainId}
          size={34}
          badge={hasNetwork ? network.chainId : undefined}
        />
        <span class="who">
          <span class="who-name">{formatSymbol(token)}</span>
          <span class="dim small clip-line">{hasNetwork ? network.name : showInvisible(token.name)}</span>
        </span>
        {balance === undefined ? (
          <Unknown hasFailed={!isFresh && row.hasFailed} />
        ) : (
          <span class={`holding-figures num${isFresh ? '' : ' aged'}`}>
            {hasValue && (
              <span class="holding-value" title={formatValue(usd, rate)}>
                {usd < compactFrom ? formatValue(usd, rate) : formatCompactValue(usd, rate)}
              </span>
            )}
            <span class={hasValue ? 'dim small' : undefined} title={formatInteger(balance, token.decimals)}>
              {hasValue ? formatCompact(balance, token.decimals) : formatAmount(balance, token.decimals)}
            </span>
          </span>
        )}
      </a>
    </li>
  )
}

function Unknown({ hasFailed }: { hasFailed: boolean }) {
  return hasFailed ? (
    <span>
      –<span class="unseen"> {t('Balance unavailable')}</span>
    </span>
  ) : (
    <span class="bone" />
  )
}
