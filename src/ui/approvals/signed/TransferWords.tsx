import type { Transfer } from '../../../domain/signing/description.ts'
import type { Address } from '../../../domain/token/token.ts'
import { t } from '../../../i18n/translate.ts'
import { Row } from '../../components/Row.tsx'
import { formatMoment } from '../../format/time.ts'
import { Recipient } from '../send/Recipient.tsx'
import { AddressRow, type SignedProps, Until } from './AddressRow.tsx'
import { AssetSide } from './AssetSide.tsx'

type Props = SignedProps & { transfer: Transfer; isNew(address: Address): boolean }

export function TransferWords({ transfer, account, now, tokenOf, isNew }: Props) {
  const { terms, isPull, validAfter } = transfer
  const isLater = validAfter > BigInt(Math.floor(now / 1_000)) && validAfter < 8_640_000_000_000n
  return (
    <>
      <section class="panel sides sides-apart">
        {terms.leaves.map((asset, at) => (
          <AssetSide key={at} what={t('You send')} asset={asset} tokenOf={tokenOf} />
        ))}
      </section>
      <dl class="rows panel rows-wrap">
        {terms.leaves.map(
          ({ to }, at) =>
            to && (
              <Row key={at} name={t('To')}>
                {to === account ? (
                  t('This account')
                ) : (
                  <Recipient address={to} of={t('To')} isNew={isNew(to)} />
                )}
              </Row>
            ),
        )}
        {terms.owner !== account && <AddressRow name={t('From')} address={terms.owner} isBad />}
        <Row name={t('Submitted by')}>{isPull ? t('The recipient') : t('Anyone')}</Row>
        {isLater && <Row name={t('Valid from')}>{formatMoment(Number(validAfter) * 1_000)}</Row>}
        <Row name={t('Signature validity')}>
          <Until until={terms.until} now={now} />
        </Row>
      </dl>
    </>
  )
}
