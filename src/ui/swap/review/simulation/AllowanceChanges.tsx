import type { AllowanceChange } from '../../../../domain/activity/simulation.ts'
import { t, tx } from '../../../../i18n/translate.ts'
import { CopyableAddress } from '../../../components/address/CopyableAddress.tsx'
import { TokenSide } from '../../../tokens/TokenSide.tsx'

/** Allowances after the transaction. */
export function AllowanceChanges({ grants }: { grants: AllowanceChange[] }) {
  if (grants.length === 0) return null
  return (
    <>
      <h2 class="part">{t('Allowances after this transaction')}</h2>
      <section class="panel sides sides-apart">
        {grants.map(({ token, spender, amount, nft }) => (
          <TokenSide
            key={`${token.address} ${spender} ${amount === 'all'} ${nft}`}
            what={tx('Spender: {address}', {
              address: <CopyableAddress address={spender} of={t('spender')} />,
            })}
            amount={amount}
            nft={nft}
            address={token.address}
            token={token}
          />
        ))}
      </section>
    </>
  )
}
