import type { SimulationVerdict } from '../../../domain/activity/simulation.ts'
import { encode } from '../../../domain/json.ts'
import type { FeeDoubt } from '../../../domain/network/feeLimits.ts'
import { getCompanions } from '../../../domain/swap/simulationCheck.ts'
import { isSignable, type Review } from '../../../domain/swap/swap.ts'
import type { Address, Token } from '../../../domain/token/token.ts'
import { t } from '../../../i18n/translate.ts'
import type { Accepted, Plan } from '../../../state/swap/swapFlow.ts'
import { formatNft, shortAddress } from '../../format/address.ts'
import { formatPercent } from '../../format/numbers.ts'
import { formatFeeWarning } from '../../messages/feeWarnings.ts'
import { toImpactView } from './impact.ts'
import { formatMarketLoss, toPriceCheck } from './market.ts'

/** Risk to acknowledge. `id` has its amount or address: consent covers only these. */
export type Consent = {
  id: string
  words: string
  needs: 'tick' | 'amount'
  /** Part of the intent. */
  accepts?: Accepted
}

/** Returns what the intent accepts. */
export function toAccepted(risks: Consent[], taken: string[]): Accepted {
  const all = risks.filter(({ id }) => taken.includes(id)).map(({ accepts }) => accepts)
  return Object.assign({}, ...all)
}

/** Returns the risks that need more than the button. */
export function requiredConsents(plan: Plan, review: Review | undefined, buy?: Token, coin = ''): Consent[] {
  const receiver = externalReceiver(plan)
  const price = review && priceRisk(review, buy)
  return [
    ...(receiver ? [receiverRisk(receiver)] : []),
    ...(review?.feeDoubt ? [feeRisk(review.feeDoubt, coin)] : []),
    ...(price ? [price] : []),
    ...(review ? companionRisk(review.verdict) : []),
  ]
}

/** Named by the checkbox. The panel above shows all. */
const maxNamed = 5

function companionRisk(verdict: SimulationVerdict): Consent[] {
  const { companions = [] } = verdict.status === 'matches' ? verdict : {}
  if (companions.length === 0) return []
  const acceptedCompanions = getCompanions(verdict)
  const named = companions.slice(0, maxNamed).map(({ token, nft = 0n, amount }) => {
    const count = amount === -1n ? '' : `${-amount} × `
    return `${count}${formatNft(token, nft)}`
  })
  const rest = companions.length - named.length
  const items = named.join(', ')
  const words =
    rest > 0
      ? t('These NFTs will leave my account with the tokens I sell: {items} and {count} more.', {
          items,
          count: `${rest}`,
        })
      : t('These NFTs will leave my account with the tokens I sell: {items}.', { items })
  return [{ id: encode(acceptedCompanions), words, needs: 'tick', accepts: { acceptedCompanions } }]
}

/** The market comparison replaces an unknown impact. */
function priceRisk(review: Review, buy: Token | undefined): Consent | undefined {
  const { impactBps, market } = review
  const { needs } = toImpactView(impactBps)
  const check = toPriceCheck(review)
  if (check.status === 'far-below') return marketRisk(review, check.leastBps, buy, needs ?? 'tick')
  if (needs === undefined || (impactBps === undefined && market !== undefined)) return undefined
  return lossRisk(impactBps, needs)
}

function marketRisk(
  review: Review,
  leastBps: number,
  buy: Token | undefined,
  needs: Consent['needs'],
): Consent {
  const lossBps = Math.ceil(leastBps / 100) * 100
  const loss = formatPercent(lossBps)
  const words = buy
    ? formatMarketLoss(review, buy)
    : t('I understand I may lose up to {loss} of this trade’s value.', { loss })
  return { id: `market ${needs} ${loss}`, words, needs, accepts: { acceptedLossBps: lossBps } }
}

/** Drops consents whose risk is gone: a returning one must be accepted again. */
export function keepValid(taken: string[], risks: Consent[]): string[] {
  return taken.filter((id) => risks.some((risk) => risk.id === id))
}

function receiverRisk(receiver: Address): Consent {
  return {
    id: receiver,
    words: t('The tokens will go to {address}, not to my account.', { address: shortAddress(receiver) }),
    needs: 'tick',
  }
}

function feeRisk(doubt: FeeDoubt, coin: string): Consent {
  const words = formatFeeWarning(doubt, coin)
  return { id: words, words, needs: 'tick' }
}

/**
 * Whole percents: small changes keep the consent. `needs` is in the id: a tick does not replace a retyped
 * amount.
 */
function lossRisk(bps: number | undefined, needs: Consent['needs']): Consent {
  if (bps === undefined)
    return {
      id: 'unknown',
      words: t('I understand the price impact is unknown, and so is how much I may lose.'),
      needs,
    }
  const loss = formatPercent(Math.ceil(bps / 100) * 100)
  return {
    id: `${needs} ${loss}`,
    words: t('I understand I may lose up to {loss} of this trade’s value.', { loss }),
    needs,
  }
}

/** Returns a recipient other than the account. */
export function externalReceiver({ receiver, account }: Plan): Address | undefined {
  return receiver === account ? undefined : receiver
}

/** Serializes the reviewed data, to detect changes. */
export function reviewedSwap({ trade, receiver, slippageBps }: Plan, review: Review | undefined): string {
  if (review === undefined) return ''
  const { floor, router, steps, permission, feeCap } = review
  return encode([
    trade,
    receiver,
    slippageBps,
    floor,
    router,
    steps,
    permission,
    feeCap,
    isSignable(review),
    getCompanions(review.verdict),
  ])
}
