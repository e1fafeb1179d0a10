import type { Address } from '../../domain/token.ts'
import type { Account } from '../../protocol.ts'
import { accountName } from '../accountName.ts'
import { shortAddress } from '../format.ts'
import { Identicon } from './Identicon.tsx'

type Props = {
  accounts: Account[]
  checked: Address[]
  /** One has to stay checked. */
  needsOne?: boolean
  onChange(checked: Address[]): void
}

/** Accounts to choose some of. What is checked keeps its order: a site meets the first one first. */
export function AccountChecks({ accounts, checked, needsOne = false, onChange }: Props) {
  const turn = (address: Address) =>
    onChange(checked.includes(address) ? checked.filter((one) => one !== address) : [...checked, address])
  return accounts.map(({ address, name }) => {
    const isChecked = checked.includes(address)
    return (
      <label key={address} class="list-row">
        <Identicon address={address} />
        <span class="who" title={address}>
          <span class="who-name">{accountName({ name })}</span>
          <span class="num dim small">{shortAddress(address)}</span>
        </span>
        <input
          type="checkbox"
          checked={isChecked}
          disabled={needsOne && isChecked && checked.length === 1}
          onChange={() => turn(address)}
        />
      </label>
    )
  })
}
