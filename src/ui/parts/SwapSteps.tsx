import { Fragment } from 'preact'
import { explorerLink } from '../../domain/explorer.ts'
import type { Step, StepState, Swap } from '../../domain/swap.ts'
import type { Hex, Token } from '../../domain/token.ts'
import { t } from '../../language/translate.ts'
import { formatSymbol, shortAddress } from '../format.ts'
import { type StepFacts, signatureTitle, stepStates, stepTitle } from '../steps.ts'
import { CopyButton } from './CopyButton.tsx'
import { Icon } from './Icon.tsx'
import { useNetwork } from './usePair.ts'

/** The signature and the transactions of a swap, and how far each one came. */
export function SwapSteps({ swap: { steps, intent }, sell, buy }: { swap: Swap; sell: Token; buy: Token }) {
  const facts: StepFacts = {
    sell: { symbol: formatSymbol(sell), decimals: sell.decimals, amount: intent.trade.amount },
    buy: { symbol: formatSymbol(buy), decimals: buy.decimals, amount: intent.floor },
    permission: intent.permission,
  }
  const signature = signatureTitle(facts)
  return (
    <ol class="panel steps">
      {steps.map((step) => (
        <Fragment key={step.kind}>
          {step.kind === 'swap' && signature !== undefined && (
            <OneStep
              title={signature}
              state={step.state === 'waiting' ? 'waiting' : 'final'}
              words={step.state === 'waiting' ? t(stepStates.waiting) : t('Signed')}
            />
          )}
          <OneStep
            title={stepTitle(step.kind, facts)}
            state={step.state}
            words={t(stepStates[step.state])}
            hash={step.hash}
            chainId={intent.trade.chainId}
          />
        </Fragment>
      ))}
    </ol>
  )
}

type StepProps = {
  title: string
  state: StepState
  words: string
  hash?: Step['hash'] | undefined
  chainId?: number
}

function OneStep({ title, state, words, hash, chainId = 0 }: StepProps) {
  const isSettled = state === 'mined' || state === 'final'
  return (
    <li class="step" data-state={state}>
      <span class="step-dot">{isSettled && <Icon name="check" size={14} />}</span>
      <span class="grow">
        <span>{title}</span>
        <span class="dim small step-line">
          {words}
          {hash && <Hash hash={hash} chainId={chainId} />}
        </span>
      </span>
    </li>
  )
}

function Hash({ hash, chainId }: { hash: Hex; chainId: number }) {
  const network = useNetwork(chainId)
  const link = network && explorerLink(network, 'tx', hash)
  return (
    <>
      <CopyButton text={hash} label={t('Copy the transaction’s hash')}>
        <span class="num">{shortAddress(hash)}</span>
      </CopyButton>
      {link && (
        <a href={link} target="_blank" rel="noreferrer" aria-label={t('Open in the explorer')}>
          <Icon name="out" size={15} />
        </a>
      )}
    </>
  )
}
