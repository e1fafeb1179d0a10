import { addressIn } from '../../domain/address/typedAddress.ts'
import type { Address, Token } from '../../domain/token/token.ts'
import { t } from '../../i18n/translate.ts'
import { validateAddress } from '../messages/validation.ts'

const nobody = /^0x0{40}$/

/** Who is named to get what is bought, or the sentence that says why not. */
export function parseReceiver(
  text: string,
  account: Address,
  pair: (Token | undefined)[],
  chainId?: number,
): Address | { fault: string } {
  const address = addressIn(text, chainId)
  const fault = validateAddress(text, chainId)
  if (address === undefined || fault !== undefined) return { fault: fault ?? '' }
  if (address === account) return { fault: t('That is this account itself: it gets what you buy anyway.') }
  if (nobody.test(address)) return { fault: t('Nobody owns this address.') }
  if (pair.some((token) => token?.address === address))
    return { fault: t('That is the token’s own contract.') }
  return address
}
