import { defineMessage, spokenLocale, t } from '../../i18n/translate.ts'
import { formatRevert } from './reverts.ts'

/** Why something would fail or is not known: in the user's language where it is known, in the contract's own words else. */
export function formatRevertReason(reason: string): string {
  const [, number, why] = /^Call (\d+): (.+)$/s.exec(reason) ?? []
  if (number !== undefined && why !== undefined) {
    return t('Call {number}: {reason}', { number, reason: formatRevertReason(why) })
  }
  return ours.has(reason) ? t(reason) : formatRevert(reason)
}

/** Says a reason that stands by itself, as a sentence. */
export function formatBareReason(reason: string): string {
  const words =
    reason === 'no reason was given' ? t('The contract gives no reason.') : formatRevertReason(reason)
  return /[\p{P}]$/u.test(words) ? words : words + fullStop()
}

function fullStop(): string {
  return spokenLocale()?.startsWith('zh') ? '。' : '.'
}

/** What the chain and the verdict say in their own words (src/evm/simulate.ts, src/evm/unsimulated.ts, src/domain/swap/simulationCheck.ts). */
const ours: ReadonlySet<string> = new Set([
  defineMessage('The account cannot pay for it'),
  defineMessage('The node cannot simulate'),
  defineMessage('Your node cannot try out the creation of a contract'),
  defineMessage('The node cannot read the balances after it'),
  defineMessage('The node cannot read what the receiver gets'),
  defineMessage('Too many tokens take part in it'),
  defineMessage('It carries too much data'),
  defineMessage('It logs more than the wallet reads'),
  defineMessage('It uses more gas than the node simulates'),
  defineMessage('It touches other tokens each time'),
  defineMessage('no reason was given'),
])
