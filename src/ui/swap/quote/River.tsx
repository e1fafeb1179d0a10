import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Network } from '../../../domain/network/network.ts'
import type { Quote } from '../../../domain/swap/quote.ts'
import { type SourceShare, toFlowBands, toSourceShares } from '../../../domain/swap/routeFlow.ts'
import { toShownRoute } from '../../../domain/swap/shownRoute.ts'
import type { Token } from '../../../domain/token/token.ts'
import { createPoolGain } from '../../../state/swap/poolGain.ts'
import { Icon } from '../../components/Icon.tsx'
import { TokenIcon } from '../../components/TokenIcon.tsx'
import { formatRoute, formatSource } from '../../format/address.ts'
import { formatShare } from '../../format/numbers.ts'
import { useStore, useStores } from '../../hooks/data/useStore.ts'
import { useTokens } from '../../tokens/useTokens.ts'
import type { ReadyQuote } from './readyQuote.ts'
import { layoutRiver, riverHeight, riverWidth } from './riverLayout.ts'
import { useRouteClaims } from './routeClaims.ts'
import { sourceHue } from './sourceHue.ts'
import '../../style/lazy/river.css'

type Props = { ready: ReadyQuote | undefined; isLoading: boolean; network: Network; onPress(): void }

/** Draws the route as bands from the sold to the bought token, as wide as their shares. */
export function River({ ready, isLoading, network, onPress }: Props) {
  const stores = useStores()
  const gain = stores.get(createPoolGain)
  const sell = useStore(stores.trade, (state) => state.sell)
  const buy = useStore(stores.trade, (state) => state.buy)
  const quote = useStore(stores.quote, (state) => state)
  useEffect(() => gain.follow(quote, network), [quote, network])
  useEffect(() => gain.leave, [gain])
  if (ready) return <RiverButton ready={ready} network={network} onPress={onPress} />
  return (
    <span class="river">
      <End token={sell} />
      <span class={isLoading ? 'river-bed river-awaited' : 'river-bed'} />
      <End token={buy} />
    </span>
  )
}

function End({ token }: { token: Token | undefined }) {
  return token ? <TokenIcon token={token} size={22} /> : <span class="river-end" />
}

type ButtonProps = { ready: ReadyQuote; network: Network; onPress(): void }

/** The caption has the best claim about the route, the band that is pointed at, or, with the focus, all. */
function RiverButton({ ready, network, onPress }: ButtonProps) {
  const { quote, sell, buy } = ready
  const tokens = useTokens()
  const claims = useRouteClaims(ready)
  const [pointed, setPointed] = useState<string | undefined>()
  const [isNamed, setNamed] = useState(false)
  const { shown, layout, shares } = useMemo(() => {
    const shown = toShownRoute(quote.route, quote.trade, network.wrapped)
    const bands = toFlowBands(shown)
    return { shown, layout: layoutRiver(bands), shares: toSourceShares(bands) }
  }, [quote, network.wrapped])
  const sources = formatSources(shares)
  const route = formatRoute(shown, (address) => tokens.symbolOf(quote.trade.chainId, address))
  const band = layout.ribbons.find(({ key }) => key === pointed)
  const named = band ? formatSourceShare(band) : isNamed ? sources : undefined
  const said = [route, claims.gain, claims.proof].filter((one) => one !== undefined)
  return (
    <button
      type="button"
      class="route"
      aria-haspopup="dialog"
      onClick={onPress}
      onFocus={({ currentTarget }) => setNamed(currentTarget.matches(':focus-visible'))}
      onBlur={() => setNamed(false)}
      onPointerMove={({ target }) =>
        setPointed(target instanceof SVGElement ? target.dataset.band : undefined)
      }
      onPointerLeave={() => setPointed(undefined)}
    >
      <span class="river">
        <End token={sell} />
        <Bands quote={quote} layout={layout} />
        <End token={buy} />
      </span>
      <span class="river-words">
        <span class="river-said" aria-hidden="true">
          {named ?? claims.gain ?? claims.proof ?? route}
        </span>
        {!named && claims.gain && claims.proof && (
          <span class="river-proof" title={claims.proof}>
            <Icon name="check" size={14} />
          </span>
        )}
        <span class="unseen">{[...said, sources].join('. ')}</span>
        <Icon name="next" size={14} />
      </span>
    </button>
  )
}

/** Bands that stay bend to their new shares; a sheen runs once through each new quote. */
function Bands({ quote, layout }: { quote: Quote; layout: ReturnType<typeof layoutRiver> }) {
  return (
    <svg
      class="river-bands"
      viewBox={`0 0 ${riverWidth} ${riverHeight}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {layout.ribbons.map(({ key, name, outline }) => (
        <path key={key} class="band" data-band={key} d={outline} style={{ '--hue': sourceHue(name) }} />
      ))}
      <g key={`${quote.returns} ${quote.trade.amount}`} class="sheen">
        {layout.ribbons.map(({ key, middle, height }) => (
          <path key={key} d={middle} pathLength={100} stroke-width={height} />
        ))}
      </g>
      {layout.stops.map(({ token, x, y, height }) => (
        <rect key={token} x={x - 1.5} y={y - height / 2} width="3" height={height} rx="1.5" />
      ))}
    </svg>
  )
}

const maxNames = 4

function formatSourceShare({ name, share }: SourceShare): string {
  return `${formatSource(name)} ${formatShare(share)}`
}

/** Formats the largest: "Uniswap V4 52% · Curve 30% …". */
function formatSources(shares: SourceShare[]): string {
  const named = shares.slice(0, maxNames).map(formatSourceShare)
  return named.join(' · ') + (shares.length > maxNames ? ' …' : '')
}
