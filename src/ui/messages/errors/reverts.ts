import { parseErrorName, parseRevertKind, type RevertKind } from '../../../domain/swap/revertKind.ts'
import type { ErrorDetails } from '../../../errors.ts'
import { defineMessage, t } from '../../../i18n/translate.ts'
import { showInvisible } from '../../format/address.ts'

/** Contracts may return very long reasons. */
const maxReason = 300

/** Formats a reason. Unknown ones are the contract's words alone. */
export function formatRevert(reason: string): string {
  const kind = parseRevertKind(reason)
  const own = shortWords(reason)
  return kind === undefined
    ? showInvisible(reason).slice(0, maxReason)
    : t('{why} ({words})', { why: t(causes[kind]), words: own })
}

/** Custom error without arguments, or panic with its code. */
function shortWords(reason: string): string {
  const name = parseErrorName(reason)
  return showInvisible(name === undefined || name === 'Panic' ? reason : name).slice(0, maxReason)
}

/** Explains a failure. Undefined if the contract gave no reason. */
export function formatFailure({ reason = '', error = '', step = 'swap' }: ErrorDetails): string | undefined {
  const kind = parseRevertKind(reason || error)
  if (kind !== undefined) {
    const why = t((step === 'swap' ? ofSwaps[kind] : undefined) ?? causes[kind])
    return parseErrorName(reason) === 'Panic' ? t('{why} ({words})', { why, words: shortWords(reason) }) : why
  }
  return reason === ''
    ? undefined
    : t('The contract rejected the transaction: {reason}.', { reason: ownWords(reason) })
}

/** Returns the advice after a mined transaction failed. */
export function adviceFor({ reason = '', error = '' }: ErrorDetails): string {
  const kind = parseRevertKind(reason || error)
  return t((kind && advices[kind]) ?? again)
}

function ownWords(reason: string): string {
  return showInvisible(reason).slice(0, maxReason).replace(/\.$/, '')
}

/** For simulated and mined failures. */
const causes: Record<RevertKind, string> = {
  price: defineMessage('The price is worse than the set limit.'),
  deadline: defineMessage('The deadline has passed.'),
  balance: defineMessage('A token balance is too low.'),
  allowance: defineMessage('A token allowance is too low.'),
  'allowance-expired': defineMessage('A token allowance has expired.'),
  approval: defineMessage('A token rejects the approval the trade needs.'),
  transfer: defineMessage(
    'A token can’t be transferred: the balance or allowance is too low, or the token blocks it.',
  ),
  signature: defineMessage('A signature is invalid: it has expired, was already used, or doesn’t match.'),
  recipient: defineMessage('The recipient doesn’t accept the network’s native token.'),
  restricted: defineMessage('A token or contract is paused, or restricts who can use it or how much.'),
  pool: defineMessage('A liquidity pool can’t complete its part of the trade.'),
  route: defineMessage('The router rejects this route.'),
  gas: defineMessage('Execution ran out of gas.'),
  arithmetic: defineMessage('A calculation in a contract failed.'),
}

const ofSwaps: Partial<Record<RevertKind, string>> = {
  price: defineMessage('The price moved before your swap was confirmed.'),
  deadline: defineMessage('The swap expired before it was confirmed.'),
}

const again = defineMessage('Review again if you want to retry.')

const advices: Partial<Record<RevertKind, string>> = {
  price: defineMessage('Review again at the new price, or allow more slippage.'),
  deadline: defineMessage('Review again, and choose a higher fee if the network is busy.'),
  balance: defineMessage('Check your balances, then review again.'),
  allowance: defineMessage('Review again to recheck and renew the allowance.'),
  'allowance-expired': defineMessage('Review again to recheck and renew the allowance.'),
  signature: defineMessage('Review and sign again.'),
  recipient: defineMessage('Choose another recipient.'),
  restricted: defineMessage('Check with the token’s developers before you try again.'),
  pool: defineMessage('Review again for a new route, or exclude a source.'),
  route: defineMessage('Review again, or use another RPC or swap service.'),
  gas: defineMessage('Review again for a new gas estimate.'),
}
