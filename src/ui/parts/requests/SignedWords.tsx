import {
  type DaiPermit,
  type Description,
  type Order,
  type Permit,
  type Permit2,
  takenBy,
} from '../../../domain/signing/permit.ts'
import type { Address } from '../../../domain/token/token.ts'
import { t } from '../../../language/translate.ts'
import { formatUntil } from '../../format/time.ts'
import { PublicAddress } from '../PublicAddress.tsx'
import { Row } from '../Row.tsx'
import { Lookalikes } from '../tokens/Lookalikes.tsx'
import { TokenAmount } from '../tokens/TokenAmount.tsx'
import { TokenSide } from '../tokens/TokenSide.tsx'
import { useTokenList } from '../tokens/useTokenList.ts'
import { type TokenOf, useTokensOf } from '../tokens/useTokens.ts'

type Props = {
  description: Description
  chainId: number
  account: Address
  now: number
  isSpenderKnown: boolean
}

/** What a permit or an order means: who may take what, or what is swapped for what, and until when. */
export function SignedWords({ description, chainId, account, now, isSpenderKnown }: Props) {
  useTokenList(chainId)
  const tokenOf = useTokensOf(chainId, tokensOf(description))
  if (description.kind === 'other') return null
  if (description.kind === 'order') {
    return (
      <>
        <Lookalikes chainId={chainId} tokens={tokensOf(description).map(tokenOf)} />
        <OrderWords order={description} account={account} now={now} tokenOf={tokenOf} />
      </>
    )
  }
  const { spender } = description
  const until = permitEnd(description)
  return (
    <>
      <Lookalikes chainId={chainId} tokens={tokensOf(description).map(tokenOf)} />
      <section class="panel sides sides-apart">
        {takenBy(description).map(({ token, amount }, at) => (
          <TokenSide
            key={at}
            what={amount === 0n ? t('May no longer take') : t('May take from you')}
            amount={amount}
            address={token}
            token={tokenOf(token)}
          />
        ))}
      </section>
      <dl class="rows panel rows-wrap">
        <Row name={t('By whom')}>
          <span class="inline">
            {!isSpenderKnown && <span class="tag tag-bad">{t('unknown')}</span>}
            <PublicAddress address={spender} of={t('who may take it')} />
          </span>
        </Row>
        {description.kind === 'permit2' && (
          <Row name={t('How often')}>{description.lasting ? t('Until it ends') : t('Once')}</Row>
        )}
        <Row name={t('In force')}>
          <Until until={until} now={now} />
        </Row>
      </dl>
    </>
  )
}

type OrderProps = { order: Order; account: Address; now: number; tokenOf: TokenOf }

function OrderWords({ order, account, now, tokenOf }: OrderProps) {
  const { sell, buy, side, receiver, fee, deadline, venue } = order
  const limit =
    side === 'buy' ? [t('You sell at most'), t('You buy')] : [t('You sell'), t('You receive at least')]
  return (
    <>
      <section class="panel sides sides-apart">
        <TokenSide
          what={limit[0] ?? ''}
          amount={sell.amount}
          address={sell.token}
          token={tokenOf(sell.token)}
        />
        <TokenSide
          what={limit[1] ?? ''}
          amount={buy.amount}
          address={buy.token}
          token={tokenOf(buy.token)}
          isGain
        />
      </section>
      <dl class="rows panel rows-wrap">
        <Row name={t('Order for')}>{venue}</Row>
        <Row name={t('Receiver')}>
          {receiver === account ? (
            t('This account')
          ) : (
            <PublicAddress address={receiver} of={t('the receiver')} />
          )}
        </Row>
        {fee > 0n && (
          <Row name={t('Fee on top')}>
            <TokenAmount amount={fee} address={sell.token} token={tokenOf(sell.token)} />
          </Row>
        )}
        <Row name={t('In force')}>
          <Until until={deadline === 0n ? undefined : deadline} now={now} />
        </Row>
      </dl>
    </>
  )
}

const dayInSeconds = 86_400n

/** In red when it is more than a day. */
function Until({ until, now }: { until: bigint | undefined; now: number }) {
  const isLong = until === undefined || until > BigInt(Math.floor(now / 1_000)) + dayInSeconds
  return (
    <span class={isLong ? 'bad' : ''}>{until === undefined ? t('for ever') : formatUntil(until, now)}</span>
  )
}

function permitEnd(permit: Permit | DaiPermit | Permit2): bigint | undefined {
  if (permit.kind === 'permit') return permit.deadline
  if (permit.kind === 'dai-permit') return permit.expiry === 0n ? undefined : permit.expiry
  if (!permit.lasting) return permit.sigDeadline
  return permit.entries.reduce((last, { expiration = 0n }) => (expiration > last ? expiration : last), 0n)
}

function tokensOf(description: Description): Address[] {
  if (description.kind === 'other') return []
  if (description.kind === 'order') return [description.sell.token, description.buy.token]
  return takenBy(description).map(({ token }) => token)
}
