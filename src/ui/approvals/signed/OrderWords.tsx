import type { OrderDescription } from '../../../domain/signing/description.ts'
import { t } from '../../../i18n/translate.ts'
import { Row } from '../../components/Row.tsx'
import { TokenAmount } from '../../tokens/TokenAmount.tsx'
import { AddressRow, type SignedProps, Until } from './AddressRow.tsx'
import { AssetSide } from './AssetSide.tsx'

/** Usual validity of a fixed-price order, in days. */
const usualDays = 31n

export function OrderWords({ order, account, now, tokenOf }: SignedProps & { order: OrderDescription }) {
  const { side, venue, isFloorCertain, terms, orders = [terms] } = order
  const { owner, arrives, fees, spender, until } = terms
  const isBuy = side === 'buy'
  const recipients = [...new Set(arrives.flatMap(({ to }) => to ?? []))]
  return (
    <>
      {orders.map(({ leaves, arrives }, at) => (
        <section key={at} class="panel sides sides-apart">
          {leaves.map((asset, at) => (
            <AssetSide
              key={at}
              what={isBuy ? t('You sell (max)') : t('You sell')}
              asset={asset}
              tokenOf={tokenOf}
            />
          ))}
          {arrives.map((asset, at) => (
            <AssetSide
              key={at}
              what={isBuy ? t('You buy') : isFloorCertain ? t('You receive (min)') : t('You receive (est.)')}
              asset={asset}
              tokenOf={tokenOf}
              isGain={asset.to === account && isFloorCertain}
            />
          ))}
        </section>
      ))}
      <dl class="rows panel rows-wrap">
        <Row name={t('Protocol')}>{venue}</Row>
        {recipients.map((to) => (
          <AddressRow key={to} name={t('Recipient')} address={to} account={account} isBad />
        ))}
        {owner !== account && <AddressRow name={t('From')} address={owner} isBad />}
        {spender && <AddressRow name={t('Filled by')} address={spender} />}
        {fees.length > 0 && (
          <Row name={t('Fees')}>
            <span class="stack">
              {fees.map(({ token, amount }, at) => (
                <TokenAmount key={at} amount={amount} address={token} token={tokenOf(token)} />
              ))}
            </span>
          </Row>
        )}
        <Row name={t('Validity')}>
          <Until until={until} now={now} usualDays={usualDays} />
        </Row>
      </dl>
    </>
  )
}
