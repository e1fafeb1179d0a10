import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { getPastValue } from '../../../domain/activity/pastValue.ts'
import { explorerLink } from '../../../domain/network/explorer.ts'
import { getKept, type Kept, keptScale } from '../../../domain/swap/kept.ts'
import type { Swap } from '../../../domain/swap/swap.ts'
import type { Token } from '../../../domain/token/token.ts'
import { toUsd } from '../../../domain/value/price.ts'
import { t, tx } from '../../../i18n/translate.ts'
import { Amount } from '../../components/Amount.tsx'
import { Icon } from '../../components/Icon.tsx'
import { TokenIcon } from '../../components/TokenIcon.tsx'
import { formatPercent } from '../../format/numbers.ts'
import { useNetwork } from '../../hooks/data/useNetwork.ts'
import { lazy } from '../../lazy/lazy.tsx'
import { isForOther } from '../../messages/activity.ts'
import { PastValue, usePastValue } from '../PastValue.tsx'
import '../../style/lazy/done.css'

const ShareSheet = lazy(() => import('./ShareSheet.tsx').then(({ ShareSheet }) => ShareSheet))

type Props = { swap: Swap; sell: Token; buy: Token; title: string; status: ComponentChildren }

/** Head of a swap that paid what it promised. */
export function SwapDone({ swap, sell, buy, title, status }: Props) {
  const kept = getKept(swap)
  const pastValueOf = usePastValue()
  if (kept === undefined || swap.outcome.status !== 'done') return null
  const { spent = swap.intent.trade.amount } = swap.outcome
  const { sell: sold } = swap.intent.shown?.prices ?? {}
  const soldValue = pastValueOf(sold && toUsd(spent, sold))
  const amount = <strong class="got-amount">{<Amount amount={kept.received} token={buy} />}</strong>
  return (
    <>
      <div class="outcome got" data-state="done">
        <span class="got-face">
          <TokenIcon token={buy} size={52} />
          <span class="got-check">
            <Icon name="check" size={14} />
          </span>
        </span>
        <p class="outcome-words" aria-live="polite">
          <span class="got-words">
            {isForOther(swap)
              ? tx('The recipient got {amount}', { amount })
              : tx('You got {amount}', { amount })}
          </span>
          <PastValue usd={getPastValue(swap)} />
          <span class="small">
            {title} · {status}
          </span>
        </p>
      </div>
      <KeptBar kept={kept} buy={buy} />
      <p class="got-for small dim">
        {tx('For {amount}', { amount: <Amount amount={spent} token={sell} isExact /> })}
        {soldValue && ` · ${soldValue}`}
      </p>
      <Acts swap={swap} kept={kept} sell={sell} buy={buy} />
    </>
  )
}

/** Compares with the guaranteed minimum in percent only: the distance is no gain. */
export function formatKept({ moreBps }: Pick<Kept, 'moreBps'>): string {
  // Less than the smallest percentage that is shown.
  if (moreBps < 1) return t('Received the guaranteed minimum')
  return t('{percent} more than the guaranteed minimum', { percent: formatPercent(moreBps) })
}

/** The scale is for the eye; the numbers below say the same. */
function KeptBar({ kept, buy }: { kept: Kept; buy: Token }) {
  const { minimum, expected, received } = kept
  const at = keptScale(kept)
  return (
    <section class="panel kept" aria-label={t('Guaranteed and received')}>
      <p class="kept-words">
        <strong>{t('Minimum kept')}</strong>
        <span class="small dim">{formatKept(kept)}</span>
      </p>
      <div class="kept-bar" aria-hidden="true">
        <span class="kept-fill" style={{ 'inline-size': `${at.received}%` }} />
        {expected !== undefined && (
          <span class="kept-expected" style={{ 'inset-inline-start': `${at.expected}%` }} />
        )}
        <span class="kept-got" style={{ 'inset-inline-start': `${at.received}%` }} />
      </div>
      <dl class="kept-scale small">
        <Mark kind="minimum" name={t('Guaranteed minimum')} amount={minimum} token={buy} />
        {expected !== undefined && (
          <Mark kind="expected" name={t('Expected')} amount={expected} token={buy} />
        )}
        <Mark kind="got" name={t('Received')} amount={received} token={buy} />
      </dl>
    </section>
  )
}

type MarkProps = { kind: string; name: string; amount: bigint; token: Token }

function Mark({ kind, name, amount, token }: MarkProps) {
  return (
    <div class="kept-mark" data-kind={kind}>
      <dt>{name}</dt>
      <dd>
        <Amount amount={amount} token={token} />
      </dd>
    </div>
  )
}

type ActsProps = { swap: Swap; kept: Kept; sell: Token; buy: Token }

function Acts({ swap, kept, sell, buy }: ActsProps) {
  const [isSharing, setSharing] = useState(false)
  const network = useNetwork(swap.intent.trade.chainId)
  const hash = swap.steps.at(-1)?.hash
  const link = network && hash && explorerLink(network, 'tx', hash)
  return (
    <div class="got-acts">
      {link && (
        <a class="second" href={link} target="_blank" rel="noreferrer">
          {t('View on explorer')}
          <Icon name="out" size={15} />
        </a>
      )}
      <button type="button" class="second" aria-haspopup="dialog" onClick={() => setSharing(true)}>
        {t('Share')}
      </button>
      {isSharing && (
        <ShareSheet
          card={{ sell, buy, network: network?.name ?? '', moreBps: kept.moreBps, at: swap.createdAt }}
          onClose={() => setSharing(false)}
        />
      )}
    </div>
  )
}
