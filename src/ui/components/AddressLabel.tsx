import type { Address } from '../../domain/token/token.ts'
import { shortAddress } from '../format/address.ts'
import { Identicon } from './Identicon.tsx'

/** Whose an address is, in a row: its picture, what it is called, and its short form; the whole one for whoever points at it. */
export function Who({ address, name }: { address: Address; name: string }) {
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
