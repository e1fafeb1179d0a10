import { readTypedAddress, type TypedAddress } from '../../../domain/address/typedAddress.ts'
import { publicNetworks } from '../../../domain/network/chains.ts'
import { t } from '../../../i18n/translate.ts'

/** Returns an address error, also for another network than `chainId`. Undefined while empty. */
export function validateAddress(text: string, chainId?: number): string | undefined {
  if (text.trim() === '') return undefined
  const typed = readTypedAddress(text)
  if (typed === undefined || typed.kind === 'name')
    return t('Enter a valid address: 0x and 40 characters (0–9, a–f).')
  if (typed.kind !== 'address') return formatUnreadable(typed)
  const { chainId: named = chainId } = typed
  return chainId === undefined || named === undefined || named === chainId
    ? undefined
    : formatOtherNetwork(named)
}

export function formatUnreadable(typed: Exclude<TypedAddress, { kind: 'address' | 'name' }>): string {
  switch (typed.kind) {
    case 'mistyped':
      return t('Invalid checksum: a character in the address is wrong.')
    case 'unknown-network':
      return t('Unknown network “{network}”. Paste only the address.', {
        network: typed.network,
      })
    case 'call':
      return t('This link calls a contract. Paste only the recipient’s address.')
  }
}

export function formatOtherNetwork(chainId: number): string {
  const known = publicNetworks().find((network) => network.chainId === chainId)
  const network = known?.name ?? t('Chain ID {chainId}', { chainId })
  return t('This address is for another network: {network}.', { network })
}
