import { type ComponentChildren, Fragment } from 'preact'
import type { Activity } from '../../domain/activity/activity.ts'
import { getChainId, isSwap } from '../../domain/activity/intent.ts'
import { explorerLink } from '../../domain/network/explorer.ts'
import type { Step, StepState, Swap } from '../../domain/swap/swap.ts'
import type { Hex, Token } from '../../domain/token/token.ts'
import { spokenLocale, t } from '../../i18n/translate.ts'
import { CopyButton } from '../components/fields/CopyButton.tsx'
import { Icon } from '../components/Icon.tsx'
import { Row } from '../components/Row.tsx'
import { formatSymbol, shortAddress } from '../format/address.ts'
import { formatAmount } from '../format/numbers.ts'
import { useNetwork } from '../hooks/data/useNetwork.ts'
import { type StepFacts, signatureTitle, stepStates, stepTitle } from '../messages/steps.ts'

type Pair = { sell: Token; buy: Token }
type Props = { entry: Activity; pair: Pair | undefined }

export function TransactionSteps({ entry, pair }: Props) {
  const chainId = getChainId(entry.intent)
  if (entry.steps.length === 0) return null
  const facts = isSwap(entry) && pair ? toFacts(entry, pair) : undefined
  const signature = facts && signatureTitle(facts)
  return (
    <>
      <h2 class="part">{entry.steps.length === 1 ? t('Transaction') : t('Transactions')}</h2>
      <ol class="panel steps">
        {entry.steps.map((step, at) => (
          <Fragment key={at}>
            {signature !== undefined && step.kind === 'swap' && (
              <Line
                title={signature}
                state={step.state === 'waiting' ? 'waiting' : 'final'}
                words={step.state === 'waiting' ? t(stepStates.waiting) : t('Signed')}
              />
            )}
            <Line title={toTitle(entry, step, facts)} state={step.state} words={t(stepStates[step.state])}>
              <StepRows step={step} chainId={chainId} />
            </Line>
          </Fragment>
        ))}
      </ol>
    </>
  )
}

type LineProps = { title: string; state: StepState; words: string; children?: ComponentChildren }

function Line({ title, state, words, children }: LineProps) {
  return (
    <li class="step" data-state={state}>
      <span class="step-dot">{isMined(state) && <Icon name="check" size={14} />}</span>
      <div class="grow">
        <p>{title}</p>
        <p class="dim small">{words}</p>
        {children}
      </div>
    </li>
  )
}

function StepRows({ step, chainId }: { step: Step; chainId: number }) {
  const { state, hash, nonce, block, fee, rivals = [] } = step
  const network = useNetwork(chainId)
  const isInBlock = isMined(state) || state === 'reverted' || state === 'cancelled'
  const others = rivals.filter((rival) => rival.hash !== hash)
  return (
    <dl class="rows entry-step">
      {hash && (
        <Row name={state === 'cancelled' ? t('Cancellation') : t('Hash')}>
          <TxHash hash={hash} chainId={chainId} />
        </Row>
      )}
      {others.map((rival) => (
        <Row
          key={rival.hash}
          name={rival.cancels ? t('Cancellation') : isInBlock ? t('Replaced') : t('Earlier attempt')}
        >
          <TxHash hash={rival.hash} chainId={chainId} />
        </Row>
      ))}
      {nonce !== undefined && <Row name={t('Nonce')}>{nonce}</Row>}
      {isInBlock && block !== undefined && (
        <Row name={t('Block')}>{block.toLocaleString(spokenLocale())}</Row>
      )}
      {fee !== undefined && (
        <Row name={isInBlock ? t('Fee paid') : t('Network fee (max)')}>
          {formatAmount(fee, 18)} {network?.coin.symbol}
        </Row>
      )}
    </dl>
  )
}

function isMined(state: StepState): boolean {
  return state === 'mined' || state === 'final'
}

function toTitle(entry: Activity, step: Step, facts: StepFacts | undefined): string {
  if (isSwap(entry)) return facts ? stepTitle(step.kind, facts) : t('Send transaction')
  const { purpose } = entry.intent
  if (purpose?.kind === 'transfer') return t('Transfer')
  return purpose?.kind === 'revoke' ? t('Revoke approval') : t('Send transaction')
}

function toFacts({ intent }: Swap, { sell, buy }: Pair): StepFacts {
  return {
    sell: { symbol: formatSymbol(sell), decimals: sell.decimals, amount: intent.trade.amount },
    buy: { symbol: formatSymbol(buy), decimals: buy.decimals, amount: intent.floor },
    permission: intent.permission,
  }
}

export function TxHash({ hash, chainId }: { hash: Hex; chainId: number }) {
  const network = useNetwork(chainId)
  const link = network && explorerLink(network, 'tx', hash)
  return (
    <>
      <CopyButton text={hash} label={t('Copy transaction hash')}>
        <span class="num">{shortAddress(hash)}</span>
      </CopyButton>
      {link && (
        <a href={link} target="_blank" rel="noreferrer" aria-label={t('View on explorer')}>
          <Icon name="out" size={15} />
        </a>
      )}
    </>
  )
}
