import type { ComponentChildren } from 'preact'
import type { Token } from '../../domain/token.ts'
import { formatSymbol } from '../format.ts'
import { Amount } from './Amount.tsx'
import { Icon } from './Icon.tsx'
import { TokenIcon } from './TokenIcon.tsx'

type Props = {
  /** The amount: a field or what comes out. */
  children: ComponentChildren
  label: ComponentChildren
  token: Token | undefined
  balance: bigint | undefined
  chooseLabel: string
  onChoose(): void
  foot?: ComponentChildren
}

/** One side of the swap: its amount, its token, what is held of it. */
export function AmountPanel({ children, label, token, balance, chooseLabel, onChoose, foot }: Props) {
  const symbol = token && formatSymbol(token)
  return (
    <section class="panel amount">
      <div class="amount-row amount-top">
        {label}
        <span class="held">
          {token && balance !== undefined && (
            <>
              Balance <Amount amount={balance} token={token} />
            </>
          )}
        </span>
      </div>
      <div class="amount-row">
        {children}
        <button
          type="button"
          class={token ? 'token' : 'token token-none'}
          aria-haspopup="dialog"
          aria-label={symbol ? `${chooseLabel}: ${symbol}` : chooseLabel}
          onClick={onChoose}
        >
          {token && <TokenIcon token={token} size={24} />}
          <span class="token-symbol">{symbol ?? 'Choose'}</span>
          <Icon name="down" size={14} />
        </button>
      </div>
      {foot}
    </section>
  )
}

/** Long amounts are set smaller so that they stay whole, beside a token of four letters up to 22 characters. */
export function sizeOf(text: string): 'long' | 'longer' | 'longest' | undefined {
  if (text.length > 16) return 'longest'
  if (text.length > 12) return 'longer'
  return text.length > 9 ? 'long' : undefined
}
