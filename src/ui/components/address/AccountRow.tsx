import type { Account } from '../../../protocol.ts'
import { accountName } from '../../format/accountName.ts'
import { shortAddress } from '../../format/address.ts'
import { Row } from '../Row.tsx'
import { Identicon } from './Identicon.tsx'

/** One of the wallet's own accounts in a `dl`. */
export function AccountRow({ name, account }: { name: string; account: Account }) {
  return (
    <Row name={name}>
      <span class="inline" title={account.address}>
        <Identicon address={account.address} size={16} />
        <span class="clip">{accountName(account)}</span>
        {shortAddress(account.address)}
      </span>
    </Row>
  )
}
