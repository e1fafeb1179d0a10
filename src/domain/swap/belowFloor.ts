import { WalletError } from '../../errors.ts'

/** The error of a swap that brings `found` base units where it has to bring `least`: "The swap would pay 5 base units, less than the 6 promised." */
export function belowMinReturn(
  what: string,
  found: bigint,
  least: bigint | string,
  that: string,
): WalletError {
  return new WalletError('below-floor', `${what} ${found} base units, less than the ${least} ${that}.`, {
    expected: `${least}`,
    found: `${found}`,
  })
}

/** The same where the price is the cause. `facts.returns` is what the swap would return now, before any slippage. */
export function priceBelowMinReturn(
  what: string,
  returns: bigint,
  least: bigint | string,
  that: string,
): WalletError {
  const { code, message, facts } = belowMinReturn(what, returns, least, that)
  return new WalletError(code, message, { ...facts, returns: `${returns}` })
}
