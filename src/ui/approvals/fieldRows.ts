import type { SignedField } from '../../domain/signing/signedFields.ts'
import { t } from '../../i18n/translate.ts'

/** One value of what is signed. Its path is as a program would write it: "details[0].token". */
export type FieldRow = { path: string; type: string; value: string }

/** Every value of `fields`, in order. An empty list or struct is a value too. */
export function fieldRows(fields: SignedField[], parent = '', isList = false): FieldRow[] {
  return fields.flatMap(({ name, type, value }) => {
    const path = parent === '' ? name : isList ? `${parent}[${name}]` : `${parent}.${name}`
    if (typeof value === 'string') return [{ path, type, value }]
    if (value.length === 0) return [{ path, type, value: t('empty') }]
    return fieldRows(value, path, type.endsWith(']'))
  })
}
