import { getAddress } from 'viem'
import type { Address } from '../../../domain/token/token.ts'
import '../../style/lazy/address.css'

/** Groups of four characters. Copied text has no gaps. */
export function AddressGroups({ address }: { address: Address }) {
  const signs = getAddress(address).slice(2)
  const groups = Array.from({ length: 10 }, (_, at) => signs.slice(at * 4, at * 4 + 4))
  return (
    <span class="groups" dir="ltr">
      <span class="dim">0x</span>
      {groups.map((group, at) => (
        <span key={at}>{group}</span>
      ))}
    </span>
  )
}
