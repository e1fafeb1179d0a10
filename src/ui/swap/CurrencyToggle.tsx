import type { Token } from '../../domain/token/token.ts'
import { t } from '../../i18n/translate.ts'
import { Icon } from '../components/Icon.tsx'
import { formatSymbol } from '../format/address.ts'
import { formatAmount } from '../format/numbers.ts'
import { useValue } from '../hooks/data/useValue.ts'
import type { CurrencyEntry } from './useCurrencyEntry.ts'

type ToggleProps = { entry: CurrencyEntry; amount: bigint | undefined; token: Token; onTurn(): void }

/** Shows the amount in the other unit, and makes that the typed one. */
export function CurrencyToggle({ entry, amount = 0n, token, onTurn }: ToggleProps) {
  const value = useValue(token, amount)
  const { currency } = entry.rate
  const unit = entry.isOn ? formatSymbol(token) : currency
  return (
    <button type="button" class="unit" title={t('Enter the amount in {unit}', { unit })} onClick={onTurn}>
      <Icon name="flip" size={13} />
      <span class="num">
        {entry.isOn ? `${formatAmount(amount, token.decimals)} ${formatSymbol(token)}` : value?.text}
      </span>
      <span class="unseen">, {t('Enter the amount in {unit}', { unit })}</span>
    </button>
  )
}
