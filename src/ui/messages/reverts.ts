import { parseErrorName, parseRevertKind, type RevertKind } from '../../domain/swap/revertKind.ts'
import type { ErrorDetails } from '../../errors.ts'
import { defineMessage, t } from '../../i18n/translate.ts'
import { showInvisible } from '../format/address.ts'

/** A contract may give pages of reasons. */
const longestReason = 300

/** Says why a contract refuses, with its own words: in these alone where they are not known. */
export function formatRevert(reason: string): string {
  const kind = parseRevertKind(reason)
  const own = shortWords(reason)
  return kind === undefined
    ? showInvisible(reason).slice(0, longestReason)
    : t('{why} ({words})', { why: t(causes[kind]), words: own })
}

/** The name of a custom error without its values. Of a panic the value is what tells it from others. */
function shortWords(reason: string): string {
  const name = parseErrorName(reason)
  return showInvisible(name === undefined || name === 'Panic' ? reason : name).slice(0, longestReason)
}

/** Says why a mined transaction failed. Undefined where its contract gave no reason. */
export function formatFailure({ reason = '', error = '', step = 'swap' }: ErrorDetails): string | undefined {
  const kind = parseRevertKind(reason || error)
  if (kind !== undefined) {
    const why = t((step === 'swap' ? ofSwaps[kind] : undefined) ?? causes[kind])
    return parseErrorName(reason) === 'Panic' ? t('{why} ({words})', { why, words: shortWords(reason) }) : why
  }
  return reason === '' ? undefined : t('Its contract refused it: {reason}.', { reason: ownWords(reason) })
}

/** Says what to do after a mined transaction failed. */
export function adviceFor({ reason = '', error = '' }: ErrorDetails): string {
  const kind = parseRevertKind(reason || error)
  return t((kind && advices[kind]) ?? again)
}

function ownWords(reason: string): string {
  return showInvisible(reason).slice(0, longestReason).replace(/\.$/, '')
}

/** True both of one that would fail and of one that did. */
const causes: Record<RevertKind, string> = {
  price: defineMessage('The price is worse than the limit that was set.'),
  deadline: defineMessage('Its deadline has passed.'),
  balance: defineMessage('The balance of a token is too low for it.'),
  allowance: defineMessage('The allowance of a token is too low for it.'),
  'allowance-expired': defineMessage('The allowance of a token has expired.'),
  approval: defineMessage('A token refuses the approval that the trade needs.'),
  transfer: defineMessage(
    'A token could not be transferred: balance or allowance is too low, or the token refuses.',
  ),
  signature: defineMessage('A signature is not accepted: it expired, was used already or does not match.'),
  recipient: defineMessage('The recipient does not accept the network’s native token.'),
  restricted: defineMessage('A token or contract is paused, or limits who may use it or how much.'),
  pool: defineMessage('A liquidity pool cannot carry out its part of the trade.'),
  route: defineMessage('The router does not accept the route that the swap service built.'),
  gas: defineMessage('It ran out of gas.'),
  arithmetic: defineMessage('A calculation inside a contract failed.'),
}

const ofSwaps: Partial<Record<RevertKind, string>> = {
  price: defineMessage('The price moved before your swap was confirmed.'),
  deadline: defineMessage('The swap expired before it was confirmed.'),
}

const again = defineMessage('Review it again if you still want it.')

const advices: Partial<Record<RevertKind, string>> = {
  price: defineMessage('Review again at the new price, or allow more slippage.'),
  deadline: defineMessage('Review again, and choose a higher fee if the network is busy.'),
  balance: defineMessage('Check your balances, then review again.'),
  allowance: defineMessage('Review again: the allowance is checked and set anew.'),
  'allowance-expired': defineMessage('Review again: the allowance is checked and set anew.'),
  signature: defineMessage('Review again and sign anew.'),
  recipient: defineMessage('Choose another recipient.'),
  restricted: defineMessage('Check with the makers of the token before you try again.'),
  pool: defineMessage('Review again for a new route, or leave out a source.'),
  route: defineMessage('Review again, or use another service.'),
  gas: defineMessage('Review again: the gas is estimated anew.'),
}
