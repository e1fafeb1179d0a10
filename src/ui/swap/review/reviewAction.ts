import { newReturns, simulatedReturns } from '../../../domain/swap/newPrice.ts'
import type { Review as Numbers } from '../../../domain/swap/swap.ts'
import { isNative, type Token } from '../../../domain/token/token.ts'
import type { WalletError } from '../../../errors.ts'
import { t } from '../../../i18n/translate.ts'
import type { Plan, SwapStage } from '../../../state/swap/swapFlow.ts'
import { formatSymbol } from '../../format/address.ts'
import { formatAmount } from '../../format/numbers.ts'
import { acceptPrice, atCurrentPrice, isSiteMinimum } from './requote.ts'

export type ReviewStage = Exclude<SwapStage, { at: 'form' } | { at: 'progress' }>

/** Next step: `prepare` reviews `plan`, `leave` returns to the form. */
export type ReviewAction = { label: string } & (
  | { does: 'prepare'; plan: Plan }
  | { does: 'confirm' | 'leave' | 'nothing'; plan?: undefined }
)

/** Returns the primary action. `latest` is the displayed review. */
export function reviewAction(
  stage: ReviewStage,
  latest: Numbers | undefined,
  isWrap: boolean,
  buy: Token | undefined,
): ReviewAction {
  const { plan } = stage
  switch (stage.at) {
    case 'preparing': {
      const isShown = latest !== undefined && latest.verdict.status !== 'below-floor'
      return { label: isShown ? toLabel(latest, plan, isWrap) : t('Checking swap…'), does: 'nothing' }
    }
    case 'unprepared':
      return priceAction(stage.error, plan, buy) ?? { label: t('Try again'), does: 'prepare', plan }
    case 'review': {
      const returns = simulatedReturns(stage.review.verdict, plan.trade, plan)
      const confirm: ReviewAction = { label: toLabel(stage.review, plan, isWrap), does: 'confirm' }
      return stage.review.verdict.status === 'below-floor' ? movedAct(returns, plan, buy) : confirm
    }
    case 'confirming':
      return { label: t('Signing…'), does: 'nothing' }
    case 'refused':
      // A stopped worker may have taken it: only the same one may be submitted again.
      if (stage.error.code === 'worker-stopped') return { label: t('Try again'), does: 'confirm' }
      return priceAction(stage.error, plan, buy) ?? { label: t('Review again'), does: 'prepare', plan }
  }
}

/** Returns the action after a price or stale-review error. */
export function priceAction(
  error: Pick<WalletError, 'code' | 'facts'>,
  plan: Plan,
  buy?: Token,
): ReviewAction | undefined {
  if (error.code === 'stale-review') return { label: t('Review again'), does: 'prepare', plan }
  const returns = newReturns(error)
  if (error.code !== 'below-floor' && returns === undefined) return undefined
  return movedAct(returns, plan, buy)
}

function movedAct(returns: bigint | undefined, plan: Plan, buy: Token | undefined): ReviewAction {
  const accepting = returns === undefined ? undefined : acceptPrice(plan, returns)
  if (accepting && buy) {
    const amount = `${formatAmount(accepting.atLeast, buy.decimals)} ${formatSymbol(buy)}`
    return { label: t('Accept new price (min {amount})', { amount }), does: 'prepare', plan: accepting }
  }
  // Lasts until the user edits the site's swap.
  if (isSiteMinimum(plan, returns)) return { label: t('Edit swap'), does: 'leave' }
  const now = atCurrentPrice(plan)
  return now === undefined
    ? { label: t('Review again'), does: 'prepare', plan }
    : { label: t('Review at new price'), does: 'prepare', plan: now }
}

function toLabel({ steps }: Numbers, { trade }: Plan, isWrap: boolean): string {
  if (isWrap) return isNative(trade.sell) ? t('Wrap') : t('Unwrap')
  return steps.length > 1 ? t('Approve and swap') : t('Swap')
}
