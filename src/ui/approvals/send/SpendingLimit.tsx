import { useState } from 'preact/hooks'
import type { EditableApproval } from '../../../domain/dapp/spendingLimit.ts'
import { isUnlimited, parseAmount } from '../../../domain/token/amount.ts'
import type { Token } from '../../../domain/token/token.ts'
import { t } from '../../../i18n/translate.ts'
import { Field } from '../../components/fields/Field.tsx'
import { RadioGroup } from '../../components/fields/RadioGroup.tsx'
import { formatSymbol } from '../../format/address.ts'
import { decimalMark } from '../../format/numbers.ts'
import { formatAmountError } from '../../messages/errors/amountErrors.ts'

type Extent = 'asked' | 'custom' | 'unlimited'

/** `undefined`: as requested. `invalid`: nothing valid is typed. */
export type LimitChoice = bigint | 'invalid' | undefined

type Props = {
  approval: EditableApproval
  token: Token
  onChange(limit: LimitChoice): void
}

/** Chooses the amount of a requested approval. */
export function SpendingLimit({ approval: { amount, max }, token, onChange }: Props) {
  const isAskedUnlimited = isUnlimited(amount)
  const [extent, setExtent] = useState<Extent>(isAskedUnlimited ? 'unlimited' : 'asked')
  const [typed, setTyped] = useState('')
  const custom = readLimit(typed, token, max)
  const symbol = formatSymbol(token)
  const options = [
    ...(isAskedUnlimited ? [] : [{ value: 'asked' as const, label: t('This amount') }]),
    { value: 'custom' as const, label: t('Custom') },
    { value: 'unlimited' as const, label: t('Unlimited') },
  ]
  const limitOf = (chosen: Extent, entered: LimitChoice): LimitChoice => {
    if (chosen === 'custom') return entered
    return chosen === 'asked' || isAskedUnlimited ? undefined : max
  }
  return (
    <section class="panel spending-limit">
      <RadioGroup
        legend={t('Spending limit')}
        options={options}
        value={extent}
        onChange={(chosen: Extent) => {
          setExtent(chosen)
          onChange(limitOf(chosen, custom.limit))
        }}
      />
      {extent === 'custom' && (
        <Field
          label={t('Limit in {symbol}', { symbol })}
          inputMode="decimal"
          autocomplete="off"
          value={typed}
          onInput={(text) => {
            setTyped(text)
            onChange(readLimit(text, token, max).limit)
          }}
          fault={custom.fault}
        />
      )}
      {extent === 'unlimited' && (
        <p class="dim small">
          {t('The spender can take all {symbol} in this account, now and later, until you revoke it.', {
            symbol,
          })}
        </p>
      )}
    </section>
  )
}

/** Parses a typed limit. An empty field is invalid without an error. */
export function readLimit(
  text: string,
  token: Token,
  max: bigint,
): { limit: bigint | 'invalid'; fault?: string | undefined } {
  const typed = parseAmount(text, token.decimals, decimalMark())
  if (typeof typed !== 'bigint') return { limit: 'invalid', fault: formatAmountError(typed, token) }
  if (typed === 0n) return { limit: 'invalid', fault: t('Enter an amount greater than 0') }
  if (typed > max) return { limit: 'invalid', fault: formatAmountError('too-large', token) }
  return { limit: typed }
}
