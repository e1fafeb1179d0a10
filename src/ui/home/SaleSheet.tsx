import '../style/lazy/networks.css'
import '../style/lazy/sale.css'
import { useLayoutEffect } from 'preact/hooks'
import { defineMessage, plural, t } from '../../i18n/translate.ts'
import { createSale, type SaleLine, sumSale, toLossBps } from '../../state/portfolio/sale.ts'
import { Sheet } from '../components/Sheet.tsx'
import { TokenIcon } from '../components/TokenIcon.tsx'
import { formatSymbol } from '../format/address.ts'
import { formatPercent } from '../format/numbers.ts'
import { formatValue } from '../format/value.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'
import type { Portfolio } from './usePortfolio.ts'

/** Warned of from here on: 3 %. */
const highBps = 300

const notes = {
  waiting: '',
  asking: '',
  quoted: '',
  kept: '',
  reserved: defineMessage('Kept for network fees'),
  'no-service': defineMessage('No swaps here'),
  'no-route': defineMessage('No route'),
  failed: defineMessage('No quote'),
} satisfies Record<SaleLine['status'], string>

/** Tells what all of it would bring if sold now, by quotes. Nothing is signed. */
export function SaleSheet({ portfolio, onClose }: { portfolio: Portfolio; onClose(): void }) {
  const stores = useStores()
  const sale = stores.get(createSale)
  const { lines, isRunning } = useStore(sale, (state) => state)
  const { summary } = portfolio
  const start = () => void sale.start([...summary.rows, ...summary.small])
  // Before the first paint.
  useLayoutEffect(() => {
    start()
    return sale.stop
  }, [sale])
  const done = lines.filter(({ status }) => status !== 'waiting' && status !== 'asking').length
  return (
    <Sheet title={t('Value if sold now')} onClose={onClose} tall>
      <SaleTotals lines={lines} />
      {/* Scrolls, by keyboard too. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region needs the focus. */}
      <ul class="list sheet-list" tabIndex={0} aria-label={t('Tokens')}>
        {lines.map((line) => (
          <SaleRow key={`${line.row.network.chainId} ${line.row.token.address}`} line={line} />
        ))}
      </ul>
      {lines.length === 0 && <p class="nothing">{t('Nothing worth selling')}</p>}
      <div class="sale-foot">
        <p class="dim small" role="status">
          {isRunning
            ? t('{done} of {count} quotes', { done, count: lines.length })
            : t('By quotes for your balances, before network fees. Nothing is sold.')}
        </p>
        {isRunning ? (
          <button type="button" class="link" onClick={sale.stop}>
            {t('Stop')}
          </button>
        ) : (
          <button type="button" class="link" onClick={start}>
            {t('Quote again')}
          </button>
        )}
      </div>
    </Sheet>
  )
}

function SaleTotals({ lines }: { lines: SaleLine[] }) {
  const { prices } = useStores()
  const rate = useStore(prices, (state) => state.rate)
  const total = sumSale(lines)
  const bps = toLossBps(total)
  const loss = total.value - total.returns
  const hasAnswer = total.value > 0n
  return (
    <div class="sale-total">
      <p class="holding-amount num">
        {hasAnswer ? `≈ ${formatValue(total.returns, rate)}` : <span class="bone bone-total" />}
      </p>
      <p class="small dim">
        {hasAnswer && t('{change} against prices', { change: formatLoss(loss, bps) })}
        {total.unsold > 0 && (
          <>
            {hasAnswer && ' · '}
            {plural(total.unsold, '{count} token not counted', '{count} tokens not counted')}
          </>
        )}
      </p>
    </div>
  )

  function formatLoss(by: bigint, share: number): string {
    const sign = by > 0n ? '−' : '+'
    return `${sign}${formatValue(by < 0n ? -by : by, rate)} (${formatPercent(Math.abs(share))})`
  }
}

function SaleRow({ line }: { line: SaleLine }) {
  const { prices } = useStores()
  const rate = useStore(prices, (state) => state.rate)
  const { row, value, status } = line
  const bps = status === 'quoted' ? toLossBps(line) : 0
  const note = t(notes[status])
  return (
    <li class="list-row sale-row">
      <TokenIcon token={row.token} chainId={row.network.chainId} size={30} badge={row.network.chainId} />
      <span class="who">
        <span class="who-name">{formatSymbol(row.token)}</span>
        <span class="dim small clip-line">{row.network.name}</span>
      </span>
      <span class="sale-figures num">
        {status === 'waiting' || status === 'asking' ? (
          <span class={status === 'asking' ? 'bone' : 'bone bone-still'} />
        ) : note !== '' ? (
          <span class="dim">{note}</span>
        ) : (
          <span>{formatValue(status === 'quoted' ? line.returns : value, rate)}</span>
        )}
        <span class={`small ${bps >= highBps ? 'sale-high' : 'dim'}`}>
          {status === 'quoted'
            ? t('of {value} · {impact}', {
                value: formatValue(value, rate),
                impact: `${bps > 0 ? '−' : bps < 0 ? '+' : ''}${formatPercent(Math.abs(bps))}`,
              })
            : formatValue(value, rate)}
        </span>
      </span>
    </li>
  )
}
