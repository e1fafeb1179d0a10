import { useState } from 'preact/hooks'
import type { ApprovalMethod, ApprovalMethodOffer } from '../../../domain/swap/swap.ts'
import { isUnlimited, maxUint256 } from '../../../domain/token/amount.ts'
import type { Token } from '../../../domain/token/token.ts'
import { defineMessage, plural, t } from '../../../i18n/translate.ts'
import { Checkbox } from '../../components/fields/Checkbox.tsx'
import { Field } from '../../components/fields/Field.tsx'
import { RadioGroup } from '../../components/fields/RadioGroup.tsx'
import { Sheet } from '../../components/Sheet.tsx'
import { formatSymbol } from '../../format/address.ts'
import { formatInteger } from '../../format/numbers.ts'
import { useId } from '../../hooks/useId.ts'
import { findPermit, parseMultiple } from './permissions.ts'

type Props = {
  permission: ApprovalMethod
  offers: ApprovalMethodOffer[]
  sell: Token
  amount: bigint
  onChoose(permission: ApprovalMethod): void
  onClose(): void
}

type Extent = 'exactly' | 'more' | 'unlimited'

const extents = [
  { value: 'exactly' as const, label: defineMessage('Exact amount') },
  { value: 'more' as const, label: defineMessage('Custom limit') },
  { value: 'unlimited' as const, label: defineMessage('Unlimited') },
]

/** Selects approval method and amount. */
export function SpendingApprovalSheet({ permission, offers, sell, amount, onChoose, onClose }: Props) {
  const [via, setVia] = useState(permission.via)
  const [extent, setExtent] = useState<Extent>(() => toExtent(permission, amount))
  const [times, setTimes] = useState(toTimes(permission, amount))
  const [agreed, setAgreed] = useState('')
  const group = useId()
  const symbol = formatSymbol(sell)
  const multiple = parseMultiple(times)
  const most = extent === 'unlimited' ? maxUint256 : extent === 'exactly' ? amount : toMost(amount, multiple)
  const chosen =
    via === 'permit' ? findPermit(offers) : most === undefined ? undefined : { via, amount: most }
  const risk = toRisk(chosen, symbol)
  const options = extents.map(({ value, label }) => ({ value, label: t(label) }))
  return (
    <Sheet title={t('{symbol} approval', { symbol })} onClose={onClose}>
      <fieldset class="panel group" aria-label={t('Approval method')}>
        {offers.map((offer) => (
          <label key={offer.via} class="list-row switch-row">
            <input type="radio" name={group} checked={offer.via === via} onChange={() => setVia(offer.via)} />
            <Way offer={offer} sold={`${formatInteger(amount, sell.decimals)} ${symbol}`} symbol={symbol} />
          </label>
        ))}
      </fieldset>
      {via !== 'permit' && (
        <RadioGroup
          legend={t('Spending limit')}
          options={options}
          value={extent}
          onChange={(chosen: Extent) => setExtent(chosen)}
        />
      )}
      {via !== 'permit' && extent === 'more' && (
        <Field
          label={t('Multiple of the swap amount')}
          inputMode="numeric"
          autocomplete="off"
          value={times}
          onInput={setTimes}
          fault={typeof multiple === 'string' ? multiple : undefined}
          hint={
            most === undefined
              ? ''
              : plural(
                  Number(multiple) - 1,
                  '{amount}: covers this swap and {count} more of the same size.',
                  '{amount}: covers this swap and {count} more of the same size.',
                  { amount: `${formatInteger(most, sell.decimals)} ${symbol}` },
                )
          }
        />
      )}
      {risk && (
        <Checkbox
          label={risk}
          isTicked={agreed === risk}
          onTick={(isTicked) => setAgreed(isTicked ? risk : '')}
        />
      )}
      <button
        type="button"
        class="main"
        disabled={chosen === undefined || (risk !== undefined && agreed !== risk)}
        onClick={() => {
          if (chosen === undefined) return
          onChoose(chosen)
          onClose()
        }}
      >
        {t('Update approval')}
      </button>
    </Sheet>
  )
}

function Way({ offer, sold, symbol }: { offer: ApprovalMethodOffer; sold: string; symbol: string }) {
  const [name, hint] = toWords(offer, sold, symbol)
  return (
    <span class="grow">
      {name}
      <span class="dim small switch-hint">{hint}</span>
    </span>
  )
}

function toWords({ via, isUnlimited }: ApprovalMethodOffer, sold: string, symbol: string): [string, string] {
  if (via === 'approve') return [t('Approve'), t('Extra transaction with its own network fee.')]
  if (via === 'permit2') {
    return [t('Permit2'), t('Approve Permit2 if needed, then sign for exactly {sold}.', { sold })]
  }
  return isUnlimited
    ? [
        t('Unlimited permit'),
        t('No separate transaction, but {symbol} only supports unlimited permits.', { symbol }),
      ]
    : [t('Permit'), t('Exactly {sold}, expires in 10 minutes. No separate transaction.', { sold })]
}

/** An allowance that outlasts the swap. */
function toRisk(chosen: ApprovalMethod | undefined, symbol: string): string | undefined {
  if (chosen === undefined) return undefined
  if (chosen.via === 'permit' ? !chosen.isUnlimited : !isUnlimited(chosen.amount)) return undefined
  return chosen.via === 'permit2'
    ? t(
        'Permit2 can spend all {symbol} in this account, including future deposits, until you revoke the approval. A bug in Permit2 could cost you all of it.',
        { symbol },
      )
    : t(
        'The router can spend all {symbol} in this account, including future deposits, until you revoke the approval. A bug in the router could cost you all of it.',
        { symbol },
      )
}

function toMost(amount: bigint, multiple: bigint | string): bigint | undefined {
  return typeof multiple === 'bigint' ? amount * multiple : undefined
}

function toExtent(permission: ApprovalMethod, amount: bigint): Extent {
  if (permission.via === 'permit' || permission.amount <= amount) return 'exactly'
  return isUnlimited(permission.amount) ? 'unlimited' : 'more'
}

function toTimes(permission: ApprovalMethod, amount: bigint): string {
  return toExtent(permission, amount) === 'more' && 'amount' in permission && amount > 0n
    ? String(permission.amount / amount)
    : '10'
}
