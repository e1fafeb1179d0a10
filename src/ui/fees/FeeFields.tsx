import { t } from '../../i18n/translate.ts'
import { Field } from '../components/Field.tsx'

/** What may stand in both fields: gwei, as they are typed. */
export type TypedFees = { most: string; tip: string }

type Props = {
  typed: TypedFees
  faults: { [field in keyof TypedFees]?: string | undefined }
  /** Shown while a field is empty. */
  hints: TypedFees
  /** A gas price takes one field: both fees are that. */
  isLegacy: boolean
  onType(typed: TypedFees): void
}

/** Fees per gas of the user's own. */
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
