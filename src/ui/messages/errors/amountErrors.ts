import { type AmountError, parseAmount } from '../../../domain/token/amount.ts'
import { plainDigits } from '../../../domain/token/plainDigits.ts'
import type { Token } from '../../../domain/token/token.ts'
import { plural, t } from '../../../i18n/translate.ts'
import { type SwapFormState, typedAmount } from '../../../state/swap/swapForm.ts'
import { formatSymbol } from '../../format/address.ts'
import { decimalMark, formatAmount, formatInteger } from '../../format/numbers.ts'

export function validateAmount(trade: SwapFormState): string | undefined {
  const token = trade[trade.side]
  return token && formatAmountError(typedAmount(trade), token)
}

/** Formats an amount's error. An empty field has none. */
export function formatAmountError(amount: bigint | AmountError, token: Token): string | undefined {
  return typeof amount === 'bigint' || amount === 'empty' ? undefined : sentences[amount](token)
}

/** Compares a retyped amount, as a number or as displayed. */
export function parseAgain(
  text: string,
  amount: bigint,
  token: Token,
): { isSame: boolean; fault?: string | undefined } {
  if (plainDigits(text) === plainDigits(formatInteger(amount, token.decimals))) return { isSame: true }
  const typed = parseAmount(text, token.decimals, decimalMark())
  return { isSame: typed === amount, fault: formatAmountError(typed, token) }
}

export function validateSale(
  amount: bigint | undefined,
  balance: bigint | undefined,
  token: Token | undefined,
): string | undefined {
  if (amount === undefined || balance === undefined || token === undefined || amount <= balance)
    return undefined
  return t('Insufficient balance: {amount} available.', {
    amount: `${formatAmount(balance, token.decimals)} ${formatSymbol(token)}`,
  })
}

const sentences: Record<Exclude<AmountError, 'empty'>, (token: Token) => string> = {
  'not-a-number': () => t('Use only digits and one decimal separator.'),
  abbreviated: () => t('Enter the full number: 1500, not 1.5k.'),
  'ambiguous-separator': () => t('Use 1234.5 or 1234,5, without thousands separators.'),
  'too-many-decimals': (token) => toDecimals(token),
  'too-large': (token) =>
    t('This exceeds the maximum possible {symbol} amount.', { symbol: formatSymbol(token) }),
}

function toDecimals(token: Token): string {
  const symbol = formatSymbol(token)
  return token.decimals === 0
    ? t('{symbol} doesn’t support decimals.', { symbol })
    : plural(
        token.decimals,
        '{symbol} supports up to {count} decimal place.',
        '{symbol} supports up to {count} decimal places.',
        { symbol },
      )
}
