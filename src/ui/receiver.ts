import { keccak256 } from '../domain/hash.ts'
import { type Address, parseAddress, type Token } from '../domain/token.ts'
import { t } from '../language/translate.ts'

const nobody = /^0x0{40}$/

/** Who is named to get what is bought, or the sentence that says why not. */
export function parseReceiver(
  text: string,
  account: Address,
  pair: (Token | undefined)[],
): Address | { fault: string } {
  const address = parseAddress(text)
  if (text.trim() === '') return { fault: '' }
  if (address === undefined) return { fault: t('An address is 0x and 40 digits or letters a to f.') }
  if (isMistyped(text.trim())) return { fault: t('Its capitals do not fit: a letter or digit is wrong.') }
  if (address === account) return { fault: t('That is this account itself: it gets what you buy anyway.') }
  if (nobody.test(address)) return { fault: t('Nobody owns this address.') }
  if (pair.some((token) => token?.address === address))
    return { fault: t('That is the token’s own contract.') }
  return address
}

/** EIP-55: the capitals of an address are its checksum. One written in a single case has none. */
function isMistyped(text: string): boolean {
  const letters = text.slice(2)
  if (letters === letters.toLowerCase() || letters === letters.toUpperCase()) return false
  const hash = keccak256(new TextEncoder().encode(letters.toLowerCase())).slice(2)
  return [...letters].some((letter, at) => {
    const isCapital = Number.parseInt(hash[at] ?? '0', 16) >= 8
    return letter !== (isCapital ? letter.toUpperCase() : letter.toLowerCase())
  })
}
