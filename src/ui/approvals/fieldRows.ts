import type { SignedField } from '../../domain/signing/signedFields.ts'
import { t } from '../../i18n/translate.ts'

/** Signed value with a path such as "details[0].token". */
export type FieldRow = { path: string; type: string; value: string }

/** Flattens `fields`. Empty lists and structs yield a row. */
export function fieldRows(fields: SignedField[], parent = '', isList = false): FieldRow[] {
  return fields.flatMap(({ name, type, value }) => {
    const path = parent === '' ? name : isList ? `${parent}[${name}]` : `${parent}.${name}`
    if (typeof value === 'string') return [{ path, type, value }]
    if (value.length === 0) return [{ path, type, value: t('empty') }]
    return fieldRows(value, path, type.endsWith(']'))
  })
}
