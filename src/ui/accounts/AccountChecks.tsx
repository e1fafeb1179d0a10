import type { Address } from '../../domain/token/token.ts'
import type { Account } from '../../protocol.ts'
import { AddressLabel } from '../components/address/AddressLabel.tsx'
import { accountName } from '../format/accountName.ts'

type Props = {
  accounts: Account[]
  checked: Address[]
  needsOne?: boolean
  onChange(checked: Address[]): void
}

/** Keeps the order of `checked`: a site sees the first account first. */
export function AccountChecks({ accounts, checked, needsOne = false, onChange }: Props) {
  const turn = (address: Address) =>
    onChange(checked.includes(address) ? checked.filter((one) => one !== address) : [...checked, address])
  return accounts.map(({ address, name }) => {
    const isChecked = checked.includes(address)
    return (
      <label key={address} class="list-row">
        <AddressLabel address={address} name={accountName({ name })} />
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
