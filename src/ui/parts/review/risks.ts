import { encode } from '../../../domain/json.ts'
import { mayBeSigned, type Review } from '../../../domain/swap/swap.ts'
import type { Address } from '../../../domain/token/token.ts'
import { t } from '../../../language/translate.ts'
import type { Plan } from '../../../state/swap/swap.ts'
import { shortAddress } from '../../format/format.ts'
import { formatPercent } from '../../format/numbers.ts'
import { viewOfImpact } from './impact.ts'

/** Something the user has to agree to by itself. `id` holds the number or the whole address: agreed to is that one alone. */
export type Risk = { id: string; words: string; needs: 'tick' | 'amount' }

/** What speaks against a swap so much that the button alone is no yes. */
export function risksOf(plan: Plan, review: Review | undefined): Risk[] {
  const receiver = foreignReceiver(plan)
  const { needs } = viewOfImpact(review?.impactBps)
  return [
    ...(receiver ? [receiverRisk(receiver)] : []),
    ...(needs && review ? [lossRisk(review.impactBps, needs)] : []),
  ]
}

/** Of what was agreed to, what is still asked. A risk that goes is agreed to anew when it comes back. */
export function stillTaken(taken: string[], risks: Risk[]): string[] {
  return taken.filter((id) => risks.some((risk) => risk.id === id))
}

function receiverRisk(receiver: Address): Risk {
  return {
    id: receiver,
    words: t('It goes to {address}, not to me.', { address: shortAddress(receiver) }),
    needs: 'tick',
  }
}

/** Whole percents, so that a hair’s breadth is no other number. What it needs is a part of it: a tick is no typed amount. */
function lossRisk(bps: number | undefined, needs: Risk['needs']): Risk {
  if (bps === undefined)
    return { id: 'unknown', words: t('Nobody can say how much I lose by the price.'), needs }
  const loss = formatPercent(Math.ceil(bps / 100) * 100)
  return { id: `${needs} ${loss}`, words: t('I lose up to {loss} by the price.', { loss }), needs }
}

/** Who gets it, when that is somebody else. */
export function foreignReceiver({ receiver, account }: Plan): Address | undefined {
  return receiver === account ? undefined : receiver
}

/** All that is signed, or decided by: the button waits a moment when any of it becomes another. */
export function signedContent({ trade, receiver, slippageBps }: Plan, review: Review | undefined): string {
  if (review === undefined) return ''
  const { floor, router, steps, permission, feeCap } = review
  return encode([trade, receiver, slippageBps, floor, router, steps, permission, feeCap, mayBeSigned(review)])
}
