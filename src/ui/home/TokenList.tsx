import { useState } from 'preact/hooks'
import type { Network } from '../../domain/network/network.ts'
import { plural, t } from '../../i18n/translate.ts'
import type { HoldingRow } from '../../state/portfolio/summary.ts'
import { Disclosure } from '../components/Disclosure.tsx'
import { Icon } from '../components/Icon.tsx'
import { formatCompactValue } from '../format/value.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'
import { lazy } from '../lazy/lazy.tsx'
import { TokenRow } from './TokenRow.tsx'
import type { Portfolio } from './usePortfolio.ts'

const FilterSheet = lazy(() => import('./FilterSheet.tsx').then(({ FilterSheet }) => FilterSheet))

/** Longer lists open at a press. */
const maxShown = 50
/** A few tokens without a price need no fold. */
const maxUnpriced = 3

export function TokenList({ network, portfolio }: { network: Network; portfolio: Portfolio }) {
  const { summary, reachable, filtered } = portfolio
  const { prices } = useStores()
  const rate = useStore(prices, (state) => state.rate)
  const [isChoosing, setChoosing] = useState(false)
  const hasNetworks = reachable.length > 1 && filtered === undefined
  const rows = (some: HoldingRow[], isFolded = false) => (
    <Rows rows={some} current={network.chainId} hasNetworks={hasNetworks} isFolded={isFolded} />
  )
  const { small, unpriced } = summary
  // Without any price the list is simply one of amounts.
  const hasPrices = summary.usd !== undefined
  return (
    <>
      <div class="list-head">
        <h2 class="part">{t('Tokens')}</h2>
        {reachable.length > 0 && (
          <button
            type="button"
            class="chip filter-chip"
            aria-haspopup="dialog"
            onClick={() => setChoosing(true)}
          >
            <span class="unseen">{t('Network')}: </span>
            <span class="clip">{filtered?.name ?? t('All networks')}</span>
            <Icon name="down" size={14} />
          </button>
        )}
      </div>
      {rows(hasPrices ? summary.rows : [...summary.rows, ...unpriced])}
      {small.length > 0 && (
        <Disclosure
          title={t('{label} · {value}', {
            label: plural(small.length, '{count} small balance', '{count} small balances'),
            value: formatCompactValue(summary.smallUsd, rate),
          })}
        >
          {rows(small, true)}
        </Disclosure>
      )}
      {hasPrices && unpriced.length > 0 && (
        <Disclosure
          title={plural(unpriced.length, '{count} token has no price', '{count} tokens have no price')}
          isOpen={unpriced.length <= maxUnpriced}
        >
          {rows(unpriced, true)}
        </Disclosure>
      )}
      {isChoosing && <FilterSheet portfolio={portfolio} onClose={() => setChoosing(false)} />}
    </>
  )
}

type RowsProps = { rows: HoldingRow[]; current: number; hasNetworks: boolean; isFolded: boolean }

function Rows({ rows, current, hasNetworks, isFolded }: RowsProps) {
  const [isAll, setAll] = useState(false)
  const shown = isAll ? rows : rows.slice(0, maxShown)
  if (rows.length === 0) return null
  return (
    <>
      <ul class={isFolded ? 'group fold-rows' : 'panel group'}>
        {shown.map((row) => (
          <TokenRow
            key={`${row.network.chainId} ${row.token.address}`}
            row={row}
            current={current}
            hasNetwork={hasNetworks}
          />
        ))}
      </ul>
      {shown.length < rows.length && (
        <button type="button" class="second" onClick={() => setAll(true)}>
          {plural(rows.length, 'Show {count} token', 'Show all {count} tokens')}
        </button>
      )}
    </>
  )
}
