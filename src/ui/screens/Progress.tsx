import type { Step, Swap } from '../../domain/swap.ts'
import type { Token } from '../../domain/token.ts'
import { WalletError } from '../../errors.ts'
import { formatSymbol, shortAddress, stepStates, stepTitle } from '../format.ts'
import { formatAmount, formatWhole } from '../numbers.ts'
import { Amount } from '../parts/Amount.tsx'
import { CopyButton } from '../parts/CopyButton.tsx'
import { ErrorNote } from '../parts/ErrorNote.tsx'
import { Icon } from '../parts/Icon.tsx'
import { Mark } from '../parts/Mark.tsx'
import { Page } from '../parts/Page.tsx'
import { useNetwork, usePair } from '../parts/usePair.ts'
import { use, useStores } from '../use.ts'

/** A swap on its way, arrived, or failed. */
export function Progress({ id }: { id: string }) {
  const { swap } = useStores()
  const one = use(swap, ({ swaps }) => swaps.find(({ intent }) => intent.id === id))
  return one === undefined ? null : <Story swap={one} />
}

const titles: Record<Swap['outcome']['status'], string> = {
  working: 'Swapping…',
  'needs-unlock': 'Waiting for you',
  done: 'Done',
  failed: 'Not swapped',
}

function Story({ swap: one }: { swap: Swap }) {
  const stores = useStores()
  const { outcome, intent } = one
  const pair = usePair(intent.trade)
  const isOver = outcome.status === 'done' || outcome.status === 'failed'
  const leave = () => {
    if (outcome.status === 'done') stores.trade.clear()
    stores.swap.leave()
  }
  // A page's request is over with its swap: there is nothing to go back to.
  const isForPage = stores.purpose === 'requests'
  const again = () =>
    stores.swap.prepare({ account: intent.account, trade: intent.trade, slippageBps: intent.slippageBps })
  return (
    <Page
      title={titles[outcome.status]}
      foot={
        outcome.status === 'failed' && !isForPage ? (
          <div class="stack">
            <button type="button" class="main" onClick={again}>
              Review again
            </button>
            <button type="button" class="second" onClick={leave}>
              Back to the form
            </button>
          </div>
        ) : (
          <button type="button" class={isOver ? 'main' : 'second'} onClick={leave}>
            {outcome.status === 'failed' ? 'Close' : isOver ? 'Done' : 'Close, it goes on'}
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
      {outcome.status === 'needs-unlock' && <p class="dim">Unlock the wallet to sign the next step.</p>}
      {pair && <Steps swap={one} {...pair} />}
    </Page>
  )
}

type Pair = { swap: Swap; sell: Token; buy: Token }

function Headline({ swap: { intent, outcome }, sell, buy }: Pair) {
  if (outcome.status === 'done') {
    return (
      <>
        You received
        <strong class="num" title={formatWhole(outcome.received, buy.decimals)}>
          {formatAmount(outcome.received, buy.decimals)} {formatSymbol(buy)}
        </strong>
        <span class="dim small">
          <Amount amount={intent.floor} token={buy} /> was the least you accepted
        </span>
      </>
    )
  }
  return (
    <>
      <span>
        <Amount amount={intent.trade.amount} token={sell} /> to {formatSymbol(buy)}
      </span>
      {outcome.status !== 'failed' && (
        <span class="dim">
          At least <Amount amount={intent.floor} token={buy} />
        </span>
      )}
    </>
  )
}

function Steps({ swap: { steps, intent }, sell, buy }: Pair) {
  const facts = {
    sell: formatSymbol(sell),
    amount: `${formatAmount(intent.trade.amount, sell.decimals)} ${formatSymbol(sell)}`,
    least: `${formatAmount(intent.floor, buy.decimals)} ${formatSymbol(buy)}`,
  }
  return (
    <ol class="panel steps">
      {steps.map((step) => (
        <li key={step.kind} class="step" data-state={step.state}>
          <span class="step-dot">{isSettled(step) && <Icon name="check" size={14} />}</span>
          <span class="grow">
            <span>{stepTitle(step.kind, facts)}</span>
            <span class="dim small step-line">
              {stepStates[step.state]}
              {step.hash && <Hash hash={step.hash} chainId={intent.trade.chainId} />}
            </span>
          </span>
        </li>
      ))}
    </ol>
  )
}

function Hash({ hash, chainId }: { hash: string; chainId: number }) {
  const network = useNetwork(chainId)
  return (
    <>
      <CopyButton text={hash} label="Copy the transaction’s hash">
        <span class="num">{shortAddress(hash)}</span>
      </CopyButton>
      {network?.explorerUrl && (
        <a
          href={network.explorerUrl + hash}
          target="_blank"
          rel="noreferrer"
          aria-label="Open in the explorer"
        >
          <Icon name="out" size={15} />
        </a>
      )}
    </>
  )
}

function isSettled({ state }: Step): boolean {
  return state === 'mined' || state === 'final'
}
