import { simulationReasons } from '../../../domain/swap/simulationReasons.ts'
import { defineMessage, spokenLocale, t } from '../../../i18n/translate.ts'
import { formatRevert } from './reverts.ts'

/** Formats a reason. Unknown ones keep the contract's words. */
export function formatRevertReason(reason: string): string {
  const [, number, why] = /^Call (\d+): (.+)$/s.exec(reason) ?? []
  if (number !== undefined && why !== undefined) {
    return t('Call {number}: {reason}', { number, reason: formatRevertReason(why) })
  }
  const text = texts.get(reason)
  return text === undefined ? formatRevert(reason) : t(text)
}

/** Formats a reason as a sentence. */
export function formatBareReason(reason: string): string {
  const words =
    reason === simulationReasons.none ? t('The contract gave no reason.') : formatRevertReason(reason)
  return /[\p{P}]$/u.test(words) ? words : words + fullStop()
}

function fullStop(): string {
  return spokenLocale()?.startsWith('zh') ? '。' : '.'
}

/**
 * The wallet's own reasons (simulate.ts and unsimulated.ts of src/evm/simulation, and
 * src/domain/swap/simulationCheck.ts).
 */
const texts: ReadonlyMap<string, string> = new Map([
  [simulationReasons.insufficientFunds, defineMessage('Insufficient funds')],
  [simulationReasons.unsupported, defineMessage('The RPC doesn’t support simulation')],
  [simulationReasons.creationUnsupported, defineMessage('Your RPC can’t simulate contract creation')],
  [simulationReasons.balancesUnread, defineMessage('The RPC couldn’t read the resulting balances')],
  [simulationReasons.recipientUnread, defineMessage('The RPC couldn’t read what the recipient receives')],
  [simulationReasons.tooManyTokens, defineMessage('Too many tokens involved')],
  [simulationReasons.tooMuchData, defineMessage('Too much transaction data')],
  [simulationReasons.tooManyLogs, defineMessage('More event logs than the wallet can read')],
  [simulationReasons.tooMuchGas, defineMessage('More gas used than the RPC can simulate')],
  [simulationReasons.tokensVary, defineMessage('Different tokens affected in each simulation')],
  [simulationReasons.none, defineMessage('no reason given')],
])
