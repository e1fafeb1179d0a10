import { givesAllowance } from '../../../domain/signing/describeTypedData.ts'
import type { Permit } from '../../../domain/signing/description.ts'
import { isUnlimited } from '../../../domain/token/amount.ts'
import { t } from '../../../i18n/translate.ts'
import { CopyableAddress } from '../../components/address/CopyableAddress.tsx'
import { Row } from '../../components/Row.tsx'
import { RouterTag } from '../swap/RouterTag.tsx'
import { AddressRow, type SignedProps, Until } from './AddressRow.tsx'
import { AssetSide } from './AssetSide.tsx'

type Props = SignedProps & { permit: Permit; isSpenderKnown: boolean }

export function PermitWords({ permit, isSpenderKnown, account, chainId, now, tokenOf }: Props) {
  const { standard, terms } = permit
  const { owner, leaves, spender } = terms
  const isDebt = standard === 'Aave credit delegation'
  const what = (amount: bigint | 'all') =>
    isDebt ? t('Can borrow on your behalf') : amount === 0n ? t('Revoked approval') : t('Spending approval')
  return (
    <>
      <section class="panel sides sides-apart">
        {leaves.map((asset, at) => (
          <AssetSide key={at} what={what(asset.amount)} asset={asset} tokenOf={tokenOf} />
        ))}
      </section>
      <dl class="rows panel rows-wrap">
        {spender && (
          <Row name={t('Spender')}>
            <span class="inline">
              {givesAllowance(permit) && (
                <RouterTag address={spender} chainId={chainId} isKnown={isSpenderKnown} />
              )}
              <CopyableAddress address={spender} of={t('spender')} />
            </span>
          </Row>
        )}
        {owner !== account && <AddressRow name={t('From')} address={owner} isBad />}
        <PermitTimes permit={permit} now={now} />
      </dl>
    </>
  )
}

export function PermitTimes({ permit, now }: { permit: Permit; now: number }) {
  const { standard, isLasting, isUntilRevoked, terms } = permit
  return (
    <>
      {standard === 'Permit2' && (
        <Row name={t('Uses')}>{isLasting ? t('Repeatedly until it expires') : t('Once')}</Row>
      )}
      <Row name={isUntilRevoked ? t('Signature validity') : t('Validity')}>
        <Until until={terms.until} now={now} />
      </Row>
      {isUntilRevoked && givesAllowance(permit) && (
        <Row name={t('Validity')}>
          {isBounded(permit) ? t('Until it’s used or you revoke it') : t('Until you revoke it')}
        </Row>
      )}
    </>
  )
}

function isBounded({ terms }: Permit): boolean {
  return terms.leaves.every(({ amount, item }) =>
    item === undefined ? !isUnlimited(amount) : item !== 'any',
  )
}
