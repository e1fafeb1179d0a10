import type { Address } from '../../../domain/token/token.ts'
import { shortAddress } from '../../format/address.ts'
import { Identicon } from './Identicon.tsx'

export function AddressLabel({ address, name }: { address: Address; name: string }) {
  return (
    <>
      <Identicon address={address} />
      <span class="who" title={address}>
        <span class="who-name">{name}</span>
        <span class="num dim small">{shortAddress(address)}</span>
      </span>
    </>
  )
}
