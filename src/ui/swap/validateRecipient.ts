import { addressIn } from '../../domain/address/typedAddress.ts'
import type { Address, Token } from '../../domain/token/token.ts'
import { t } from '../../i18n/translate.ts'
import { validateAddress } from '../messages/validation.ts'

const nobody = /^0x0{40}$/

/** Parses the recipient, or returns a validation error. */
export function parseRecipient(
  text: string,
  account: Address,
  pair: (Token | undefined)[],
  chainId?: number,
): Address | { fault: string } {
  const address = addressIn(text, chainId)
  const fault = validateAddress(text, chainId)
  if (address === undefined || fault !== undefined) return { fault: fault ?? '' }
  if (address === account) return { fault: t('This account already receives the tokens.') }
  if (nobody.test(address)) return { fault: t('This is the zero address. No one controls it.') }
  if (pair.some((token) => token?.address === address))
    return { fault: t('This is the token’s contract address.') }
  return address
}
