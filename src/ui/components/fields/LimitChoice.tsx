import { useState } from 'preact/hooks'
import { formatExact, isUnlimited, parseAmount } from '../../../domain/token/amount.ts'
import type { Token } from '../../../domain/token/token.ts'
import { t } from '../../../i18n/translate.ts'
import { formatSymbol } from '../../format/address.ts'
import { decimalMark, formatInteger, groupTyped } from '../../format/numbers.ts'
import { useGroupedInput } from '../../hooks/useGroupedInput.ts'
import { formatAmountError } from '../../messages/errors/amountErrors.ts'
import { Field } from './Field.tsx'
import { RadioGroup } from './RadioGroup.tsx'

/** `invalid`: nothing valid is typed. */
export type Limit = bigint | 'invalid'

type Extent = 'exact' | 'custom' | 'unlimited'

type Props = {
  token: Token
  /** The needed amount. Absent if that is unlimited. */
  exact?: { label: string; amount: bigint; note?: string } | undefined
  /** Amount of the choice "Unlimited". */
  unlimited: bigint
  /** Chosen at first. */
  limit: bigint
  /** Of a typed limit. Default: above zero. */
  min?: bigint
  /** Of a typed limit. */
  max: bigint
  /** Consequence of "Unlimited"; absent if told elsewhere. */
  warning?: string
  onChange(limit: Limit): void
}

/** Chooses a spending limit. */
export function LimitChoice({ token, exact, unlimited, limit, min = 1n, max, warning, onChange }: Props) {
  const first = toExtent(limit, exact?.amount)
  const mark = decimalMark()
  const [extent, setExtent] = useState(first)
  const [typed, setTyped] = useState(first === 'custom' ? formatExact(limit, token.decimals, mark) : '')
  const grouped = useGroupedInput(typed, (text) => {
    setTyped(text)
    onChange(readLimit(text, token, { min, max }).limit)
  })
  const custom = readLimit(typed, token, { min, max })
  const symbol = formatSymbol(token)
  const options = [
    ...(exact ? [{ value: 'exact' as const, label: exact.label }] : []),
    { value: 'custom' as const, label: t('Custom') },
    { value: 'unlimited' as const, label: t('Unlimited') },
  ]
  return (
    <>
      <RadioGroup
        legend={t('Spending limit')}
        options={options}
        value={extent}
        onChange={(chosen: Extent) => {
          setExtent(chosen)
          onChange(
            chosen === 'custom' ? custom.limit : chosen === 'exact' && exact ? exact.amount : unlimited,
          )
        }}
      />
      <div class="limit-more">
        <div hidden={extent !== 'custom'}>
          <Field
            label={t('Limit in {symbol}', { symbol })}
            inputMode="decimal"
            autocomplete="off"
            value={groupTyped(typed)}
            onBeforeInput={grouped.onBeforeInput}
            onInput={(_, event) => grouped.onInput(event)}
            fault={custom.fault}
          />
        </div>
        {exact?.note !== undefined && (
          <p class="dim small" hidden={extent !== 'exact'}>
            {exact.note}
          </p>
        )}
        {warning !== undefined && (
          <p class="dim small" hidden={extent !== 'unlimited'}>
            {warning}
          </p>
        )}
      </div>
    </>
  )
}

/** Parses a typed limit. An empty field is invalid without an error. */
export function readLimit(
  text: string,
  token: Token,
  { min, max }: { min: bigint; max: bigint },
): { limit: Limit; fault?: string | undefined } {
  const typed = parseAmount(text, token.decimals, decimalMark())
  if (typeof typed !== 'bigint') return { limit: 'invalid', fault: formatAmountError(typed, token) }
  if (typed === 0n) return { limit: 'invalid', fault: t('Enter an amount greater than 0') }
  if (typed < min) {
    const amount = `${formatInteger(min, token.decimals)} ${formatSymbol(token)}`
    return { limit: 'invalid', fault: t('Enter at least {amount}', { amount }) }
  }
  if (typed > max) return { limit: 'invalid', fault: formatAmountError('too-large', token) }
  return { limit: typed }
}

/** Returns the option that `limit` belongs to. */
export function toExtent(limit: bigint, exact: bigint | undefined): Extent {
  if (limit === exact) return 'exact'
  return isUnlimited(limit) ? 'unlimited' : 'custom'
}
