import { WalletError } from '../../errors.ts'

/** Creates an error such as "The swap would pay 5 base units, less than the 6 promised." */
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

/** Returns the same with the current return before slippage as `facts.returns`. */
export function priceBelowMinReturn(
  what: string,
  returns: bigint,
  least: bigint | string,
  that: string,
): WalletError {
  const { code, message, facts } = belowMinReturn(what, returns, least, that)
  return new WalletError(code, message, { ...facts, returns: `${returns}` })
}
