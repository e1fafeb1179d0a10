import { t } from '../../i18n/translate.ts'
import { Field } from '../components/fields/Field.tsx'

/** Fees in gwei, as typed. */
export type TypedFees = { most: string; tip: string }

type Props = {
  typed: TypedFees
  faults: { [field in keyof TypedFees]?: string | undefined }
  hints: TypedFees
  /** One gas price, used as both fees. */
  isLegacy: boolean
  onType(typed: TypedFees): void
}

export function FeeFields({ typed, faults, hints, isLegacy, onType }: Props) {
  const field = (name: keyof TypedFees, label: string) => (
    <Field
      label={label}
      inputMode="decimal"
      autocomplete="off"
      placeholder={hints[name]}
      value={typed[name]}
      onInput={(text) => onType(isLegacy ? { most: text, tip: text } : { ...typed, [name]: text })}
      fault={faults[name]}
    />
  )
  if (isLegacy) return field('most', t('Gas price (gwei)'))
  return (
    <div class="two">
      {field('most', t('Max fee (gwei)'))}
      {field('tip', t('Priority fee (gwei)'))}
    </div>
  )
}
