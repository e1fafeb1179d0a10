import { useEffect, useState } from 'preact/hooks'
import { formatExact, parseAmount } from '../../domain/token/amount.ts'
import type { Address, Token } from '../../domain/token/token.ts'
import { type CurrencyRate, fromUnits, toUnits } from '../../domain/value/currency.ts'
import { fromUsd, type TokenPrice, toUsd } from '../../domain/value/price.ts'
import type { TypedCurrency } from '../components/fields/AmountPanel.tsx'
import { decimalMark } from '../format/numbers.ts'
import { toTypedCurrency } from '../format/value.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'
import { formatAmountError } from '../messages/errors/amountErrors.ts'

/** Amount of a form in its token. */
type TokenField = {
  chainId: number | undefined
  token: Token | undefined
  text: string
  /** False for an amount derived from another one. */
  isTyped: boolean
  setText(text: string): void
}

export type CurrencyEntry = {
  rate: CurrencyRate
  isOn: boolean
  turn(isOn: boolean): void
  unit: TypedCurrency
  text: string
  fault: string | undefined
  onInput(text: string): void
}

/** Text in the currency, and what it was converted to and by. */
type Typed = {
  text: string
  written: string
  token: Address
  chainId: number
  rate: CurrencyRate
  price: TokenPrice
}

/**
 * Converts what is typed in the currency to the form's token amount, which is the one that counts: its text
 * follows another network, token, amount or currency at once, a later price once it has no focus. Undefined
 * without a current price, which ends the entry.
 */
export function useCurrencyEntry(field: TokenField, hasFocus: boolean): CurrencyEntry | undefined {
  const { prices } = useStores()
  const { chainId, token } = field
  // Any change may add or end a price.
  const { rate } = useStore(prices, (state) => state)
  const [isOn, setOn] = useState(false)
  const [typed, setTyped] = useState<Typed | undefined>()
  const readPrice = () => (token && chainId !== undefined ? prices.price(chainId, token.address) : undefined)
  const price = readPrice()
  const hasLost = isOn && token !== undefined && price === undefined
  const isPriced = field.isTyped && token && chainId !== undefined && price
  const now = isOn && isPriced ? { text: field.text, chainId, token, rate, price } : undefined
  const current = now && (typed && isCurrent(typed, now, hasFocus) ? typed : toTyped(now))

  useEffect(() => {
    if (current && current !== typed) setTyped(current)
  })
  useEffect(() => {
    // Back with the price, it would change the unit under the cursor.
    if (hasLost) setOn(false)
  }, [hasLost])

  if (!isPriced) return undefined
  const unit = toTypedCurrency(rate)
  const text = current?.text ?? ''
  const parsed = parseAmount(text, unit.decimals, decimalMark())
  return {
    rate,
    isOn,
    unit,
    text,
    fault: formatAmountError(parsed, { ...token, symbol: rate.currency, decimals: unit.decimals }),
    turn(next) {
      setTyped(undefined)
      setOn(next)
    },
    onInput(text) {
      const price = readPrice()
      if (price === undefined) return setOn(false)
      const units = parseAmount(text, unit.decimals, decimalMark())
      const written =
        typeof units === 'bigint'
          ? formatExact(fromUsd(fromUnits(units, rate, unit.decimals), price), token.decimals, decimalMark())
          : ''
      setTyped({ text, written, token: token.address, chainId, rate, price })
      field.setText(written)
    },
  }
}

type Now = { text: string; chainId: number; token: Token; rate: CurrencyRate; price: TokenPrice }

function isCurrent(typed: Typed, { text, chainId, token, rate, price }: Now, hasFocus: boolean): boolean {
  const { written } = typed
  if (typed.chainId !== chainId || typed.token !== token.address || written !== text) return false
  if (typed.rate.currency !== rate.currency) return false
  // Without an amount there is nothing to convert again.
  if (hasFocus || written === '') return true
  return typed.rate.usd === rate.usd && typed.price.usd * price.per === price.usd * typed.price.per
}

function toTyped({ text, chainId, token, rate, price }: Now): Typed {
  const { decimals } = toTypedCurrency(rate)
  const amount = parseAmount(text, token.decimals, decimalMark())
  const units = typeof amount === 'bigint' && toUnits(toUsd(amount, price), rate, decimals)
  return {
    text: units ? formatExact(units, decimals, decimalMark()) : '',
    written: text,
    token: token.address,
    chainId,
    rate,
    price,
  }
}
