import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { Network } from '../../../domain/network/network.ts'
import { getSwapSource } from '../../../domain/network/swapSource.ts'
import type { Hop } from '../../../domain/swap/quote.ts'
import { toShownRoute } from '../../../domain/swap/shownRoute.ts'
import { type Address, isNative, type Token } from '../../../domain/token/token.ts'
import { t } from '../../../i18n/translate.ts'
import { ErrorMessage } from '../../components/alerts/ErrorMessage.tsx'
import { Icon } from '../../components/Icon.tsx'
import { formatSource, formatSymbol } from '../../format/address.ts'
import { formatAmount, formatPercent, formatShare } from '../../format/numbers.ts'
import { useStore, useStores } from '../../hooks/data/useStore.ts'
import { useLatest } from '../../hooks/useLatest.ts'
import { useTokens } from '../../tokens/useTokens.ts'
import { RouteDiagram } from './RouteDiagram.tsx'
import type { ReadyQuote } from './readyQuote.ts'
import { useRouteClaims } from './routeClaims.ts'

type Props = {
  network: Network
  /** Above the route, with the source left out last. */
  beside?: (newest: string | undefined) => ComponentChildren
  onLeaveOut?: () => void
}

/** Diagram, claims, and sources of the current quote. */
export function RouteContent({ network, beside, onLeaveOut }: Props) {
  const { trade, quote } = useStores()
  const { sell, buy, side, text, excluded, source } = useStore(trade, (state) => state)
  const isDirect = getSwapSource(network, source) === 'direct'
  const state = useStore(quote, (now) => now)
  const tokens = useTokens()
  const symbolOf = (address: Address) => tokens.symbolOf(network.chainId, address)
  const isReady = state.status === 'ready'
  const swap = [network.chainId, sell?.address, buy?.address, side, text].join(' ')
  const latest = useLatest(isReady ? { of: state.quote, chainId: network.chainId } : undefined)
  const route =
    latest?.chainId === network.chainId ? toShownRoute(latest.of.route, latest.of.trade, network.wrapped) : []

  // Compared with the last quote of the same swap before a source was left out.
  const now =
    state.status === 'ready' ? (side === 'sell' ? state.quote.returns : state.trade.amount) : undefined
  const compared = useRef({ swap, amount: now, excluded })
  if (compared.current.swap !== swap) compared.current = { swap, amount: undefined, excluded }
  const before = compared.current
  const isChanged = before.excluded.join() !== excluded.join()
  if (!isChanged && now !== undefined) before.amount = now
  const token = side === 'sell' ? buy : sell
  const change =
    isChanged && token && now !== undefined && before.amount !== undefined
      ? formatChange(before.amount, now, token)
      : undefined

  const [newest, setNewest] = useState<string | undefined>()
  const leaveOut = (name: string) => {
    setNewest(name)
    trade.setExcluded([...excluded, name])
    onLeaveOut?.()
  }
  return (
    <>
      {excluded.length > 0 && !isDirect && beside?.(newest)}
      <p class="line route-change" aria-live="polite">
        {change ?? (isChanged && state.status === 'loading' ? t('Fetching quote…') : '')}
      </p>
      {state.status === 'failed' && <ErrorMessage error={state.error} />}
      {route.length > 0 && (
        <div class="review" data-old={!isReady}>
          <RouteDiagram route={route} symbolOf={symbolOf} />
          {state.status === 'ready' && buy && <Claims quote={state.quote} buy={buy} market={state.market} />}
          <ul class="panel group" aria-label={t('Route sources')}>
            {route.flatMap(({ token, hops }) =>
              hops.map((hop) => (
                <li key={token + hop.buy}>
                  <p class="route-hop">
                    <bdi>{t('{sold} → {bought}', { sold: symbolOf(token), bought: symbolOf(hop.buy) })}</bdi>
                    {hop.share !== undefined && (
                      <span class="dim">
                        {' · '}
                        <span class="num">{formatShare(hop.share / 100)}</span>
                      </span>
                    )}
                  </p>
                  <Sources
                    hop={hop}
                    isFixed={isDirect || isWrapping(token, hop, network)}
                    onLeaveOut={leaveOut}
                  />
                </li>
              )),
            )}
          </ul>
        </div>
      )}
    </>
  )
}

function Claims(price: Pick<ReadyQuote, 'quote' | 'buy' | 'market'>) {
  const { gain, proof } = useRouteClaims(price)
  if (gain === undefined && proof === undefined) return null
  return (
    <ul class="claims">
      {[gain, proof]
        .filter((one) => one !== undefined)
        .map((claim) => (
          <li key={claim}>
            <Icon name="check" size={14} />
            {claim}
          </li>
        ))}
    </ul>
  )
}

type SourcesProps = { hop: Hop; isFixed: boolean; onLeaveOut(name: string): void }

function Sources({ hop, isFixed, onLeaveOut }: SourcesProps) {
  return (
    <ul>
      {hop.sources.map(({ name, share }) => (
        <li key={name} class="route-source">
          <span class="grow">{formatSource(name)}</span>
          {share !== undefined && <span class="dim num">{formatShare(share / 100)}</span>}
          {isFixed ? (
            <span class="route-fixed" />
          ) : (
            <button
              type="button"
              class="round"
              aria-label={t('Exclude {source}', { source: formatSource(name) })}
              title={t('Exclude')}
              onClick={() => onLeaveOut(name)}
            >
              <Icon name="close" size={16} />
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}

/** Wrapping is no source to exclude. */
function isWrapping(token: Address, { buy, sources }: Hop, { coin }: Network): boolean {
  return (isNative(token) || isNative(buy)) && sources.every(({ name }) => name === `W${coin.symbol}`)
}

/** Formats the effect of a route change on an amount: "3.61 USDC less (−0.12%)". */
export function formatChange(before: bigint, now: bigint, token: Token): string {
  const change = now - before
  if (change === 0n || before === 0n) return t('Price unchanged')
  const size = change < 0n ? -change : change
  const hundredths = Number((size * 10_000n) / before)
  const amount = `${formatAmount(size, token.decimals)} ${formatSymbol(token)}`
  const sign = change < 0n ? '−' : '+'
  const percent = hundredths === 0 ? `<${formatPercent(1)}` : `${sign}${formatPercent(hundredths)}`
  return change < 0n
    ? t('{amount} less ({percent})', { percent, amount })
    : t('{amount} more ({percent})', { percent, amount })
}
