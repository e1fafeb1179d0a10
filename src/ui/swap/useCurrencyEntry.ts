import { useEffect, useState } from 'preact/hooks'
import { formatExact, parseAmount } from '../../domain/token/amount.ts'
import { type CurrencyRate, fromUnits, toUnits } from '../../domain/value/currency.ts'
import { fromUsd, type TokenPrice, toUsd } from '../../domain/value/price.ts'
import { type SwapFormState, typedAmount } from '../../state/swap/swapForm.ts'
import type { TypedCurrency } from '../components/fields/AmountPanel.tsx'
import { decimalMark } from '../format/numbers.ts'
import { toTypedCurrency } from '../format/value.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'
import { formatAmountError } from '../messages/errors/amountErrors.ts'

export type CurrencyEntry = {
  rate: CurrencyRate
  isOn: boolean
  turn(isOn: boolean): void
  unit: TypedCurrency
  text: string
  fault: string | undefined
  onInput(text: string): void
}

/** Text in the currency, and the form's text that it was converted to. */
type Typed = { text: string; written: string; token: string }

/**
 * Converts what is typed in the currency to the form's amount, at the price of that moment: a later price
 * changes neither. Undefined without a price.
 */
export function useCurrencyEntry(form: SwapFormState): CurrencyEntry | undefined {
  const { prices, trade } = useStores()
  const { chainId, sell, side, text: written } = form
  const { isShown, rate, chains } = useStore(prices, (state) => state)
  const price = sell && chainId !== undefined ? chains[chainId]?.prices[sell.address] : undefined
  const [isOn, setOn] = useState(false)
  const [typed, setTyped] = useState<Typed | undefined>()
  const isPriced = isShown && side === 'sell' && sell !== undefined && price !== undefined
  const isOwn = typed !== undefined && typed.token === sell?.address && typed.written === written

  // Written by others, such as Max: converted once.
  useEffect(() => {
    if (isOn && isPriced && !isOwn) setTyped(toTyped(form, price, rate))
  }, [isOn, isPriced, isOwn])

  if (!isPriced) return undefined
  const { unit, text } = { unit: toTypedCurrency(rate), text: isOwn ? typed.text : '' }
  const parsed = parseAmount(text, unit.decimals, decimalMark())
  return {
    rate,
    isOn,
    unit,
    text,
    fault: formatAmountError(parsed, { ...sell, symbol: rate.currency, decimals: unit.decimals }),
    turn(next) {
      setTyped(next ? toTyped(form, price, rate) : undefined)
      setOn(next)
    },
    onInput(text) {
      const units = parseAmount(text, unit.decimals, decimalMark())
      const written =
        typeof units === 'bigint'
          ? formatExact(fromUsd(fromUnits(units, rate, unit.decimals), price), sell.decimals, decimalMark())
          : ''
      setTyped({ text, written, token: sell.address })
      trade.setText(written, 'sell')
    },
  }
}

function toTyped(form: SwapFormState, price: TokenPrice, rate: CurrencyRate): Typed {
  const { decimals } = toTypedCurrency(rate)
  const amount = typedAmount(form)
  const units = typeof amount === 'bigint' && toUnits(toUsd(amount, price), rate, decimals)
  return {
    text: units ? formatExact(units, decimals, decimalMark()) : '',
    written: form.text,
    token: form.sell?.address ?? '',
  }
}
