import { useId, useState } from 'preact/hooks'
import type { Permission, PermissionOffer } from '../../domain/swap.ts'
import type { Token } from '../../domain/token.ts'
import { isUnlimited, unlimited } from '../../domain/unlimited.ts'
import { formatSymbol } from '../format.ts'
import { formatWhole } from '../numbers.ts'
import { parseMultiple, permitOf } from '../permissions.ts'
import { Choice } from './Choice.tsx'
import { Field } from './Field.tsx'
import { Sheet } from './Sheet.tsx'
import { Tick } from './Tick.tsx'

type Props = {
  permission: Permission
  offers: PermissionOffer[]
  sell: Token
  amount: bigint
  onChoose(permission: Permission): void
  onClose(): void
}

type Extent = 'exactly' | 'more' | 'unlimited'

const extents = [
  { value: 'exactly' as const, label: 'Exactly this' },
  { value: 'more' as const, label: 'More' },
  { value: 'unlimited' as const, label: 'Unlimited' },
]

/** How the router comes to be allowed to take what is sold, and how much of it. */
export function PermissionSheet({ permission, offers, sell, amount, onChoose, onClose }: Props) {
  const [via, setVia] = useState(permission.via)
  const [extent, setExtent] = useState<Extent>(() => extentOf(permission, amount))
  const [times, setTimes] = useState(timesOf(permission, amount))
  const [agreed, setAgreed] = useState('')
  const group = useId()
  const symbol = formatSymbol(sell)
  const multiple = parseMultiple(times)
  const most = extent === 'unlimited' ? unlimited : extent === 'exactly' ? amount : mostOf(amount, multiple)
  const chosen = via === 'permit' ? permitOf(offers) : most === undefined ? undefined : { via, amount: most }
  const risk = riskOf(chosen, symbol)
  return (
    <Sheet title={`How ${symbol} may be taken`} onClose={onClose}>
      <fieldset class="panel group" aria-label="Way">
        {offers.map((offer) => (
          <label key={offer.via} class="list-row switch-row">
            <input type="radio" name={group} checked={offer.via === via} onChange={() => setVia(offer.via)} />
            <Way offer={offer} sold={`${formatWhole(amount, sell.decimals)} ${symbol}`} symbol={symbol} />
          </label>
        ))}
      </fieldset>
      {via !== 'permit' && (
        <Choice
          legend="How much it may take"
          options={extents}
          value={extent}
          onChange={(chosen: Extent) => setExtent(chosen)}
        />
      )}
      {via !== 'permit' && extent === 'more' && (
        <Field
          label="How many times this amount"
          inputMode="numeric"
          autocomplete="off"
          value={times}
          onInput={setTimes}
          fault={typeof multiple === 'string' ? multiple : undefined}
          hint={
            most === undefined
              ? ''
              : `${formatWhole(most, sell.decimals)} ${symbol}: enough for this swap and ${Number(multiple) - 1} more like it.`
          }
        />
      )}
      {risk && (
        <Tick
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
        Use this
      </button>
    </Sheet>
  )
}

function Way({ offer, sold, symbol }: { offer: PermissionOffer; sold: string; symbol: string }) {
  const [name, hint] = wordsOf(offer, sold, symbol)
  return (
    <span class="grow">
      {name}
      <span class="dim small switch-hint">{hint}</span>
    </span>
  )
}

function wordsOf({ via, isUnlimited }: PermissionOffer, sold: string, symbol: string): [string, string] {
  if (via === 'approve') return ['Approve', 'One more transaction, with a fee of its own.']
  if (via === 'permit2') {
    return ['Through Permit2', `Permit2 is approved where it is not yet, then you sign for exactly ${sold}.`]
  }
  return isUnlimited
    ? ['Sign for everything', `No extra fee, but ${symbol} knows all or nothing.`]
    : ['Sign once', `Exactly ${sold}, within 10 minutes. No extra fee.`]
}

/** What has to be ticked: a permission that one swap does not use up. */
function riskOf(chosen: Permission | undefined, symbol: string): string | undefined {
  if (chosen === undefined) return undefined
  if (chosen.via === 'permit' ? !chosen.isUnlimited : !isUnlimited(chosen.amount)) return undefined
  const who = chosen.via === 'permit2' ? 'Permit2' : 'The router'
  return `${who} may take all ${symbol} of this account, whatever comes in later too, until you take that back. A fault in it can cost you all of it.`
}

function mostOf(amount: bigint, multiple: bigint | string): bigint | undefined {
  return typeof multiple === 'bigint' ? amount * multiple : undefined
}

function extentOf(permission: Permission, amount: bigint): Extent {
  if (permission.via === 'permit' || permission.amount <= amount) return 'exactly'
  return isUnlimited(permission.amount) ? 'unlimited' : 'more'
}

function timesOf(permission: Permission, amount: bigint): string {
  return extentOf(permission, amount) === 'more' && 'amount' in permission && amount > 0n
    ? String(permission.amount / amount)
    : '10'
}
