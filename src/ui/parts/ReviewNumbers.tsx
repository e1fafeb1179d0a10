import type { Review } from '../../domain/swap.ts'
import type { Account } from '../../protocol.ts'
import type { Plan } from '../../state/swap.ts'
import { formatSymbol, shortAddress, stepTitle } from '../format.ts'
import { formatAmount, formatPercent, formatRate, formatWhole } from '../numbers.ts'
import { Amount } from './Amount.tsx'
import { CopyButton } from './CopyButton.tsx'
import { Icon } from './Icon.tsx'
import { Identicon } from './Identicon.tsx'
import { Row } from './Row.tsx'
import { TokenIcon } from './TokenIcon.tsx'
import { useNetwork, usePair } from './usePair.ts'

type Props = { plan: Plan; review: Review | undefined; account: Account; isFailed: boolean }

/** What is sold, what comes back at the least, what it costs, who is trusted, and the transactions to come. */
export function ReviewNumbers({ plan, review, account, isFailed }: Props) {
  const { trade, slippageBps } = plan
  const network = useNetwork(trade.chainId)
  const pair = usePair(trade)
  if (pair === undefined || network === undefined) return null
  const { sell, buy } = pair
  const waiting = isFailed ? <span class="none">–</span> : <span class="bone" />
  const sold = `${formatWhole(trade.amount, sell.decimals)} ${formatSymbol(sell)}`
  const rate =
    review &&
    formatRate(
      { amount: trade.amount, decimals: sell.decimals },
      { amount: review.quote.returns, decimals: buy.decimals },
    )
  return (
    <>
      <section class="panel sides">
        <div class="side">
          <TokenIcon token={sell} size={36} />
          <span class="side-words">
            <span class="dim small">You sell</span>
            <strong class="num side-amount">{sold}</strong>
          </span>
        </div>
        <Icon name="down" size={18} />
        <div class="side">
          <TokenIcon token={buy} size={36} />
          <span class="side-words">
            <span class="dim small">You receive at least</span>
            <strong class="num side-amount side-floor">
              {review ? <Amount amount={review.floor} token={buy} /> : waiting}
            </strong>
          </span>
        </div>
      </section>
      <dl class="rows panel">
        <Row name="Expected">{review ? <Amount amount={review.quote.returns} token={buy} /> : waiting}</Row>
        <Row name="Rate">{rate ? `1 ${formatSymbol(sell)} = ${rate} ${formatSymbol(buy)}` : waiting}</Row>
        <Row name="Slippage allowed">{formatPercent(slippageBps)}</Row>
        <Row name={`Fee on ${network.name}, at most`}>
          {review ? `${formatAmount(review.feeCap, 18)} ${network.coin.symbol}` : waiting}
        </Row>
        <Row name="Router">
          {review ? (
            <CopyButton text={review.router} label="Copy the router’s address">
              {shortAddress(review.router)}
            </CopyButton>
          ) : (
            waiting
          )}
        </Row>
        <Row name="Account">
          <span class="inline" title={account.address}>
            <Identicon address={account.address} size={16} />
            <span class="clip">{account.name}</span>
            {shortAddress(account.address)}
          </span>
        </Row>
      </dl>
      {review && (
        <ol class="panel plan" aria-label="What happens">
          {review.steps.map((kind) => (
            <li key={kind}>
              {stepTitle(kind, {
                sell: formatSymbol(sell),
                amount: sold,
                least: `${formatAmount(review.floor, buy.decimals)} ${formatSymbol(buy)}`,
              })}
            </li>
          ))}
        </ol>
      )}
    </>
  )
}
