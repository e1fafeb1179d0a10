import { useRef } from 'preact/hooks'
import type { Network } from '../../../domain/network/network.ts'
import { getSwapSource } from '../../../domain/network/swapSource.ts'
import { costBreakdown } from '../../../domain/swap/costBreakdown.ts'
import { partnerFee } from '../../../domain/swap/quote.ts'
import type { ApprovalMethod, Review, SwapTerms } from '../../../domain/swap/swap.ts'
import { isNative, type Token } from '../../../domain/token/token.ts'
import { t } from '../../../i18n/translate.ts'
import type { Plan } from '../../../state/swap/swapFlow.ts'
import { Amount } from '../../components/Amount.tsx'
import { CopyableAddress } from '../../components/address/CopyableAddress.tsx'
import { EditableValue } from '../../components/fields/EditableValue.tsx'
import { Row } from '../../components/Row.tsx'
import { FeeRow } from '../../fees/FeeRow.tsx'
import { SpeedSheet } from '../../fees/SpeedSheet.tsx'
import { formatSymbol } from '../../format/address.ts'
import { formatPercent, formatRate } from '../../format/numbers.ts'
import { useValue } from '../../hooks/data/useValue.ts'
import { useSheet } from '../../hooks/useSheet.ts'
import { toImpactView } from './impact.ts'
import { formatSpendingApproval, isAllOrNothing } from './permissions.ts'
import { SpendingApprovalSheet } from './SpendingApprovalSheet.tsx'
import '../../style/lazy/swapReview.css'

type Props = {
  plan: Plan
  review: Review | undefined
  sell: Token
  buy: Token
  network: Network
  isWrap: boolean
  onChange(terms: Pick<SwapTerms, 'permission' | 'speed'>): void
}

/** Rows are always present, to avoid layout shifts. */
export function ReviewSummary(props: Props) {
  const { plan, review, sell, buy, network, isWrap, onChange } = props
  const [asked, ask] = useSheet<'speed' | 'permission'>(review === undefined)
  const waiting = <span class="bone" />
  const { chainId, coin } = network
  const { speed = 'normal' } = plan
  const { amount } = plan.trade
  const { feeBps = 0, referrer } = plan.options ?? {}
  const done = () => ask(undefined)
  const usual = useUsual(plan, review)
  return (
    <>
      <dl class="rows panel review-rows">
        {!isWrap && (
          <>
            <Row name={t('Rate')}>{review ? toRate(review, sell, buy) : waiting}</Row>
            <Row name={t('Price impact')}>
              {review ? <Impact review={review} feeBps={feeBps} sell={sell} buy={buy} /> : waiting}
            </Row>
          </>
        )}
        <FeeRow
          cost={review}
          speed={speed}
          coin={coin.symbol}
          chainId={chainId}
          onPress={() => ask('speed')}
        />
        {feeBps > 0 && !isWrap && (
          <Row name={t('Partner fee')}>
            <Amount amount={partnerFee(amount, feeBps)} token={sell} /> ({formatPercent(feeBps)})
          </Row>
        )}
        {feeBps > 0 && !isWrap && referrer && (
          <Row name={t('Fee recipient')}>
            <CopyableAddress address={referrer} of={t('the partner')} />
          </Row>
        )}
        {!isWrap && !isNative(sell.address) && (
          <Row name={t('Approval')}>
            {review === undefined ? (
              waiting
            ) : review.permission === undefined ? (
              t('Already approved')
            ) : (
              <EditableValue label={t('Edit approval')} onPress={() => ask('permission')}>
                {formatSpendingApproval(
                  review.permission,
                  { amount, decimals: sell.decimals, symbol: formatSymbol(sell) },
                  isAllOrNothing(review.permissions, review.permission.via),
                )}
              </EditableValue>
            )}
          </Row>
        )}
        {!isWrap && (
          <Row name={t('Provider')}>
            <span class="clip" title={toProvider(plan, network)}>
              {toProvider(plan, network)}
            </span>
          </Row>
        )}
      </dl>
      {review && asked === 'speed' && (
        <SpeedSheet
          review={review}
          speed={speed}
          coin={coin.symbol}
          chainId={chainId}
          onChoose={(chosen) => onChange({ speed: chosen })}
          onClose={done}
        />
      )}
      {review?.permission && asked === 'permission' && (
        <SpendingApprovalSheet
          permission={review.permission}
          review={review}
          recommended={usual}
          sell={sell}
          amount={amount}
          coin={coin.symbol}
          chainId={chainId}
          onChoose={(chosen) => onChange({ permission: chosen })}
          onClose={done}
        />
      )}
    </>
  )
}

/** Returns the wallet's own choice, also after the user made another. */
function useUsual(plan: Plan, review: Review | undefined): ApprovalMethod['via'] | undefined {
  const usual = useRef<ApprovalMethod['via']>(undefined)
  if (plan.permission === undefined && review?.permission) usual.current = review.permission.via
  return usual.current
}

/** Formats in the direction with the larger number: "1 ETH = 3,012.77 USDC". */
export function toRate({ quote }: Pick<Review, 'quote'>, sell: Token, buy: Token): string {
  const sold = { amount: quote.trade.amount, decimals: sell.decimals }
  const bought = { amount: quote.returns, decimals: buy.decimals }
  const isInverted =
    sold.amount * 10n ** BigInt(bought.decimals) > bought.amount * 10n ** BigInt(sold.decimals)
  const [one, other] = isInverted ? [buy, sell] : [sell, buy]
  const rate = isInverted ? formatRate(bought, sold) : formatRate(sold, bought)
  return `1 ${formatSymbol(one)} = ${rate} ${formatSymbol(other)}`
}

/** Host of the swap service, or the pools that are used directly, and the network. */
function toProvider({ options }: Plan, network: Network): string {
  const isDirect = getSwapSource(network, options?.source) === 'direct'
  const url = network.serviceUrl
  const provider = isDirect ? t('Uniswap pools') : URL.canParse(url) ? new URL(url).host : url
  return t('{label} · {value}', { label: provider, value: network.name })
}

type ImpactProps = { review: Review; feeBps: number; sell: Token; buy: Token }

/** In value, by the price of either token. Severity is in the note above. */
function Impact({ review, feeBps, sell, buy }: ImpactProps) {
  const { quote, impactBps = 0 } = review
  const { amount, chainId } = quote.trade
  const { impact = 0n } = costBreakdown({ ...review, returns: quote.returns, feeBps })
  const isCost = impact > 0n
  const inBought = useValue(buy, isCost ? impact : undefined, chainId)
  const sold = (amount * BigInt(Math.round(impactBps * 100))) / 1_000_000n
  const inSold = useValue(sell, isCost ? sold : undefined, chainId)
  const cost = (inBought ?? inSold)?.text
  const { tone, value, percent } = toImpactView(review.impactBps)
  const isPlain = tone === 'plain' || tone === 'note'
  return (
    <span class={review.impactBps === undefined ? 'dim' : isPlain ? '' : tone}>
      {cost === undefined ? (
        value
      ) : (
        <>
          <bdi>{cost.startsWith('<') ? cost : `−${cost}`}</bdi> (<bdi>{percent}</bdi>)
        </>
      )}
    </span>
  )
}
