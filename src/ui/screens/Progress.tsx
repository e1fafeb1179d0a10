import { expectedFor } from '../../domain/sum.ts'
import type { Swap } from '../../domain/swap.ts'
import type { Token } from '../../domain/token.ts'
import { WalletError } from '../../errors.ts'
import { t, tx } from '../../language/translate.ts'
import { planOf } from '../again.ts'
import { formatSymbol, shortAddress } from '../format.ts'
import { formatAmount, formatWhole } from '../numbers.ts'
import { Amount } from '../parts/Amount.tsx'
import { ErrorNote } from '../parts/ErrorNote.tsx'
import { Icon } from '../parts/Icon.tsx'
import { Mark } from '../parts/Mark.tsx'
import { Page } from '../parts/Page.tsx'
import { Remains } from '../parts/Remains.tsx'
import { Result } from '../parts/Result.tsx'
import { SwapSteps } from '../parts/SwapSteps.tsx'
import { usePair } from '../parts/usePair.ts'
import { progressTitle } from '../progressTitle.ts'
import { use, useStores } from '../use.ts'

/** A swap on its way, arrived, or failed. */
export function Progress({ id }: { id: string }) {
  const { swap } = useStores()
  const one = use(swap, ({ swaps }) => swaps.find(({ intent }) => intent.id === id))
  return one === undefined ? null : <Story swap={one} />
}

function Story({ swap: one }: { swap: Swap }) {
  const stores = useStores()
  const { outcome, intent } = one
  const pair = usePair(intent.trade)
  const isOver = outcome.status === 'done' || outcome.status === 'failed'
  const leave = () => {
    // What was handed over is not the next swap's. After a failure it is tried again from there.
    if (outcome.status !== 'failed') stores.trade.clear(intent.id)
    stores.swap.leave()
  }
  // A page's request is over with its swap: there is nothing to go back to.
  const isForPage = stores.purpose === 'requests'
  return (
    <Page
      title={progressTitle(one)}
      foot={
        outcome.status === 'failed' && !isForPage ? (
          <div class="stack">
            <button type="button" class="main" onClick={() => stores.swap.prepare(planOf(intent))}>
              {t('Review again')}
            </button>
            <button type="button" class="second" onClick={leave}>
              {t('Back to the form')}
            </button>
          </div>
        ) : (
          <button type="button" class={isOver ? 'main' : 'second'} onClick={leave}>
            {outcome.status === 'failed' ? t('Close') : isOver ? t('Done') : t('Close, it goes on')}
          </button>
        )
      }
    >
      <div class="outcome" data-status={outcome.status}>
        <span class="seal">
          {outcome.status === 'done' ? (
            <Icon name="check" size={36} />
          ) : outcome.status === 'failed' ? (
            <Icon name="close" size={36} />
          ) : (
            <Mark size={76} />
          )}
        </span>
        <p class="outcome-words" aria-live="polite">
          {pair && <Headline swap={one} {...pair} />}
        </p>
      </div>
      {outcome.status === 'failed' && (
        <ErrorNote error={new WalletError(outcome.code, outcome.message, outcome.facts)} />
      )}
      {outcome.status === 'needs-unlock' && (
        <p class="dim">{t('Unlock the wallet to sign the next step.')}</p>
      )}
      {outcome.status === 'working' && outcome.waitsForTurn && (
        <p class="dim">{t('It waits for an older swap of the same token.')}</p>
      )}
      {pair && <Result swap={one} {...pair} />}
      {pair && isOver && intent.router !== intent.trade.sell && <Remains swap={one} sell={pair.sell} />}
      {pair && <SwapSteps swap={one} {...pair} />}
    </Page>
  )
}

type Pair = { swap: Swap; sell: Token; buy: Token }

function Headline({ swap: { intent, outcome, steps }, sell, buy }: Pair) {
  const { receiver = intent.account, trade } = intent
  if (outcome.status === 'done') {
    const sold = { part: outcome.spent ?? trade.amount, whole: trade.amount }
    const amount = (
      <strong class="num" title={formatWhole(outcome.received, buy.decimals)}>
        {formatAmount(outcome.received, buy.decimals)} {formatSymbol(buy)}
      </strong>
    )
    return (
      <>
        {receiver === intent.account
          ? tx(outcome.isLeast ? 'You received at least {amount}' : 'You received {amount}', { amount })
          : tx(outcome.isLeast ? '{address} received at least {amount}' : '{address} received {amount}', {
              address: shortAddress(receiver),
              amount,
            })}
        {!steps.some(({ kind }) => kind === 'wrap' || kind === 'unwrap') && (
          <span class="dim small">
            {tx('{amount} was the least you accepted', {
              amount: <Amount amount={expectedFor(intent.floor, sold)} token={buy} />,
            })}
          </span>
        )}
      </>
    )
  }
  return (
    <>
      <span>
        {tx('{sold} to {symbol}', {
          sold: <Amount amount={trade.amount} token={sell} />,
          symbol: formatSymbol(buy),
        })}
      </span>
      {outcome.status !== 'failed' && (
        <span class="dim">
          {tx('At least {amount}', { amount: <Amount amount={intent.floor} token={buy} /> })}
        </span>
      )}
    </>
  )
}
