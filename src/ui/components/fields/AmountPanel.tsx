import type { ComponentChildren, RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { formatExact, parseAmount } from '../../../domain/token/amount.ts'
import { isNative, type Token } from '../../../domain/token/token.ts'
import { t, tx } from '../../../i18n/translate.ts'
import { formatSymbol } from '../../format/address.ts'
import { decimalMark, formatAmount, groupShown, groupTyped } from '../../format/numbers.ts'
import { useGroupedInput } from '../../hooks/useGroupedInput.ts'
import { Amount } from '../Amount.tsx'
import { Icon } from '../Icon.tsx'
import { TokenIcon } from '../TokenIcon.tsx'
import { Value } from '../Value.tsx'

export type AmountProps = {
  id: string
  label: string
  /** Undefined when derived from the other side. */
  typed: string | undefined
  /** Derived amount, once known. */
  follows: bigint | undefined
  isWaiting: boolean
  isOld: boolean
  fault: string | undefined
  hint?: string | undefined
  field?: RefObject<HTMLInputElement | null>
  onInput(text: string): void
  onFocusChange?(hasFocus: boolean): void
  token: Token | undefined
  balance: bigint | undefined
  chooseLabel: string
  onChoose(): void
  /** Beside the label. */
  head?: ComponentChildren
  /** Typed in a currency instead of the token. */
  currency?: TypedCurrency | undefined
  /** Below the amount. Default: its value. */
  value?: ComponentChildren
}

/** `sign`: "$". `decimals`: of its smallest unit. */
export type TypedCurrency = { sign: string; decimals: number }

/** Font sizes, largest first (form.css). */
const sizes = ['full', 'long', 'longer', 'longest']

/** Longer amounts are shortened without focus. */
const maxTyped = 12

/** One side of a swap. A long amount is shortened without focus, grouped with it; the font shrinks to fit. */
export function AmountPanel({
  id,
  label,
  typed,
  follows,
  token,
  balance,
  fault,
  hint,
  currency,
  value,
  ...props
}: AmountProps) {
  const own = useRef<HTMLInputElement>(null)
  const field = props.field ?? own
  const [hasFocus, setFocus] = useState(false)
  const [isCut, setCut] = useState(false)
  /** The focus comes from a pointer, which places the caret. */
  const isPressed = useRef(false)
  const mark = decimalMark()
  const decimals = currency?.decimals ?? token?.decimals ?? 0
  const amount = typed === undefined ? follows : token && parseAmount(typed, decimals, mark)
  const isKnown = typeof amount === 'bigint' && token !== undefined
  const whole = isKnown ? formatExact(amount, decimals, mark) : ''
  const full = groupTyped(typed ?? whole)
  const isShort = isKnown && !hasFocus && (typed === undefined || typed.length > maxTyped)
  const text = isShort
    ? formatAmount(amount, decimals)
    : hasFocus || !isKnown
      ? full
      : groupShown(typed ?? '')
  const isAwaited = props.isWaiting && text === ''
  const symbol = token && formatSymbol(token)
  const shownAmount = isKnown && amount > 0n ? amount : undefined
  useLayoutEffect(() => {
    if (hasFocus && typed === undefined && whole !== '') field.current?.select()
  }, [hasFocus, typed, whole])
  // Typing replaces the amount rather than appending to it, also once its unit changed under the cursor.
  useLayoutEffect(() => {
    if (hasFocus && !isPressed.current) field.current?.select()
    isPressed.current = false
  }, [hasFocus, currency?.sign, currency?.decimals])
  useLayoutEffect(() => {
    const input = field.current
    if (input === null) return
    const fits = (size: string) => {
      input.setAttribute('data-size', size)
      return input.scrollWidth <= input.clientWidth
    }
    setCut(!sizes.some(fits))
  }, [text, token])
  const follow = (has: boolean) => {
    setFocus(has)
    props.onFocusChange?.(has)
  }
  const grouped = useGroupedInput(typed ?? whole, props.onInput)
  return (
    <section class="panel amount">
      <div class="amount-row amount-top">
        <label for={id}>{label}</label>
        {props.head}
      </div>
      <div class="amount-row">
        {currency && (
          <span class="figure-sign" aria-hidden="true">
            {currency.sign}
          </span>
        )}
        {isAwaited && <span class="bone figure-bone" />}
        <input
          id={id}
          class={props.isWaiting ? 'figure num waiting' : 'figure num'}
          data-old={props.isOld}
          value={text}
          title={whole}
          // A zero would read as the answer.
          placeholder={isAwaited ? '' : '0'}
          inputMode="decimal"
          autocomplete="off"
          aria-invalid={fault !== undefined}
          aria-describedby={`${id}-line`}
          ref={field}
          onPointerDown={() => {
            isPressed.current = !hasFocus
          }}
          onFocus={() => follow(true)}
          onBlur={() => follow(false)}
          {...grouped}
        />
        <button
          type="button"
          class={token ? 'token' : 'token token-none'}
          aria-haspopup="dialog"
          onClick={props.onChoose}
        >
          <span class="unseen">{props.chooseLabel}: </span>
          {token && <TokenIcon token={token} size={24} />}
          <span class="token-symbol">{symbol ?? t('Select token')}</span>
          <Icon name="down" size={14} />
        </button>
      </div>
      {/* Always present, to avoid layout shifts. */}
      <div class="amount-row amount-foot">
        <p id={`${id}-line`} class={fault === undefined ? 'line num' : 'line line-bad'}>
          {/* Announces faults, not amounts that change with each quote. */}
          <span aria-live="polite">{fault}</span>
          {fault === undefined && (isCut ? full : (value ?? <Value amount={shownAmount} token={token} />))}
        </p>
        {fault === undefined && token && (
          <span class="held">
            {!token.listed && !isNative(token.address) && <span class="tag">{t('unlisted')}</span>}
            {hint !== undefined && <span class="held-hint">{hint}</span>}
            {hint === undefined &&
              balance !== undefined &&
              tx('Balance {amount}', { amount: <Amount amount={balance} token={token} /> })}
          </span>
        )}
      </div>
    </section>
  )
}
