import type { Risk } from '../../domain/dapp/risks/risk.ts'
import { roundUpToDigits } from '../../domain/token/significantDigits.ts'
import { nativeTokenAddress } from '../../domain/token/token.ts'
import { t } from '../../i18n/translate.ts'
import { shortAddress } from '../format/address.ts'
import { type FindToken, formatRiskAmount } from './risks.ts'

/** Returns the checkbox label that acknowledges `risk`. The warning is shown above. */
export function formatAcknowledgement(risk: Risk, tokenOf: FindToken): string {
  switch (risk.kind) {
    case 'fails':
      return risk.value === 0n
        ? t('I accept the risk to all my assets.')
        : t('I accept the risk to {amount} and all my other assets.', {
            amount: formatRiskAmount(risk.value, nativeTokenAddress, tokenOf, true),
          })
    case 'unchecked':
    case 'unseen':
    case 'no-change':
      return t('I accept the risk to all my assets.')
    case 'foreign-recipient':
      return risk.recipient === undefined
        ? t('I’ve read this warning and want to continue.')
        : t('I want {recipient} to receive the payout.', { recipient: shortAddress(risk.recipient) })
    case 'fee':
      // Two digits, rounded up as in the warning.
      return t('I accept a network fee of up to {amount}.', {
        amount: formatRiskAmount(roundUpToDigits(risk.fee, 2), nativeTokenAddress, tokenOf, false),
      })
    case 'low-minimum':
      return t('I accept receiving only {amount}.', {
        amount: formatRiskAmount(risk.promised, risk.buy, tokenOf, true),
      })
    case 'loss':
      return t('I accept receiving only {amount}.', {
        amount: formatRiskAmount(risk.received, risk.buy, tokenOf, true),
      })
    default:
      return t('I’ve read this warning and want to continue.')
  }
}
