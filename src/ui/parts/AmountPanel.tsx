import type { ComponentChildren, RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { formatExact } from '../../domain/token/amount.ts'
import type { Token } from '../../domain/token/token.ts'
import { t, tx } from '../../language/translate.ts'
import { formatSymbol } from '../format/format.ts'
import { decimalMark, formatAmount } from '../format/numbers.ts'
import { Amount } from './Amount.tsx'
import { Icon } from './Icon.tsx'
import { TokenIcon } from './tokens/TokenIcon.tsx'

export type AmountProps = {
  id: string
  label: string
  /** What was typed here; undefined where the amount follows from the other side. */
  typed: string | undefined
  /** What follows, once it is known. */
  follows: bigint | undefined
  isWaiting: boolean
  isOld: boolean
  fault: string | undefined
  hint?: string | undefined
  field?: RefObject<HTMLInputElement | null>
  onInput(text: string): void
  token: Token | undefined
  balance: bigint | undefined
  chooseLabel: string
  onChoose(): void
  foot?: ComponentChildren
}

/**
 * One side of the swap: its amount, its token, what is held of it. An amount that follows from the other side is short, and whole while
 * it has the focus; typing replaces it.
 */
export function AmountPanel({
  id,
  label,
  typed,
  follows,
  token,
  balance,
  fault,
  hint,
  ...props
}: AmountProps) {
  const own = useRef<HTMLInputElement>(null)
  const field = props.field ?? own
  const [hasFocus, setFocus] = useState(false)
  const [isCut, setCut] = useState(false)
  const isKnown = typed === undefined && follows !== undefined && token !== undefined
  const whole = isKnown ? formatExact(follows, token.decimals, decimalMark()) : ''
  const text = typed ?? (isKnown && !hasFocus ? formatAmount(follows, token.decimals) : whole)
  const symbol = token && formatSymbol(token)
  useLayoutEffect(() => {
    if (hasFocus && whole !== '') field.current?.select()
  }, [hasFocus, whole])
  useLayoutEffect(() => {
    if (field.current !== null) setCut(field.current.scrollWidth > field.current.clientWidth)
  }, [text, token])
  return (
    <section class="panel amount">
      <div class="amount-row amount-top">
        <label for={id}>{label}</label>
        <span class="held">
          {token &&
            balance !== undefined &&
            tx('Balance {amount}', { amount: <Amount amount={balance} token={token} /> })}
        </span>
      </div>
      <div class="amount-row">
        <input
          id={id}
          class={props.isWaiting ? 'figure num waiting' : 'figure num'}
          data-size={sizeOf(text)}
          data-old={props.isOld}
          value={text}
          title={whole}
          placeholder="0"
          inputMode="decimal"
          autocomplete="off"
          aria-invalid={fault !== undefined}
          aria-describedby={`${id}-line`}
          ref={field}
          onFocus={() => setFocus(true)}
          onBlur={() => setFocus(false)}
          onInput={(event) => props.onInput(event.currentTarget.value)}
        />
        <button
          type="button"
          class={token ? 'token' : 'token token-none'}
          aria-haspopup="dialog"
          onClick={props.onChoose}
        >
          <span class="unseen">{props.chooseLabel}: </span>
          {token && <TokenIcon token={token} size={24} />}
          <span class="token-symbol">{symbol ?? t('Choose')}</span>
          <Icon name="down" size={14} />
        </button>
      </div>
      {/* Always there, so that a fault moves nothing. What the field has no room for is written out here. */}
      <p id={`${id}-line`} class={fault === undefined ? 'line num' : 'line line-bad'}>
        {/* Spoken when it comes. What follows from a price changes with each, and is not. */}
        <span aria-live="polite">{fault}</span>
        {fault === undefined && (hint ?? (isCut ? text : ''))}
      </p>
      {props.foot}
    </section>
  )
}

/** Long amounts are set smaller so that they stay whole, beside a token of four letters up to 22 characters. */
function sizeOf(text: string): 'long' | 'longer' | 'longest' | undefined {
  if (text.length > 16) return 'longest'
  if (text.length > 12) return 'longer'
  return text.length > 9 ? 'long' : undefined
}
