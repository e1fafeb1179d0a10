import type { Token } from '../../domain/token/token.ts'
import { type TokenPrice as Price, toUsd } from '../../domain/value/price.ts'
import { defineMessage, t } from '../../i18n/translate.ts'
import { Warning } from '../components/alerts/Warning.tsx'
import { Row } from '../components/Row.tsx'
import { formatPercent } from '../format/numbers.ts'
import { formatSecondsAgo } from '../format/relativeTime.ts'
import { formatPrice } from '../format/value.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'
import { useValue } from '../hooks/data/useValue.ts'
import { useNow } from '../hooks/useNow.ts'

/** Said from here on, either way: 5 %. */
const notableBps = 500

const sources = {
  oracle: defineMessage('Price oracle'),
  pool: defineMessage('Liquidity pools'),
  service: defineMessage('Swap service'),
} satisfies Record<Price['source'], string>

/** A token's price, where it comes from and how old it is. Its room is reserved. */
export function TokenPrice({ token, chainId }: { token: Token; chainId: number }) {
  const { prices } = useStores()
  const { chains, rate, isShown } = useStore(prices, (state) => state)
  // Keeps the price up to date.
  useValue(token, 0n, chainId)
  if (!isShown) return null
  const readAt = chains[chainId]?.readAt[token.address]
  const price = prices.price(chainId, token.address)
  const toText = (usd: bigint) =>
    formatPrice(toUsd(10n ** BigInt(token.decimals), { usd, per: price?.per ?? 1n }), rate)
  const bps = price ? toDifference(price) : undefined
  return (
    <>
      <dl class="panel rows token-price">
        <Row name={t('Price')}>
          {price ? toText(price.usd) : readAt === undefined ? <span class="bone" /> : t('No price')}
        </Row>
        {price && readAt !== undefined && (
          <Row name={t('Source')}>
            <Source price={price} readAt={readAt} />
          </Row>
        )}
      </dl>
      {price?.serviceUsd !== undefined && bps !== undefined && Math.abs(bps) > notableBps && (
        <Warning>
          {t(
            bps > 0
              ? 'The swap service’s price is {price}, {percent} more than the one shown.'
              : 'The swap service’s price is {price}, {percent} less than the one shown.',
            { price: toText(price.serviceUsd), percent: formatPercent(Math.abs(bps)) },
          )}
        </Warning>
      )}
    </>
  )
}

function Source({ price: { source, ageSeconds }, readAt }: { price: Price; readAt: number }) {
  const sinceRead = Math.max(0, useNow(10_000) - readAt)
  const label = t(sources[source])
  if (ageSeconds === undefined) return <>{label}</>
  return (
    <>
      {t('{source}, updated {ago}', { source: label, ago: formatSecondsAgo(ageSeconds * 1_000 + sinceRead) })}
    </>
  )
}

/** Returns how much more the service says, in basis points. */
function toDifference({ usd, serviceUsd }: Price): number | undefined {
  return serviceUsd === undefined ? undefined : Number(((serviceUsd - usd) * 10_000n) / usd)
}
