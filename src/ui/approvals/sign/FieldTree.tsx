import { useState } from 'preact/hooks'
import type { SignedField } from '../../../domain/signing/signedFields.ts'
import type { Address } from '../../../domain/token/token.ts'
import { plural, t } from '../../../i18n/translate.ts'
import { HighlightedText } from './HighlightedText.tsx'

/** Rows drawn per page. */
const pageSize = 400

type Props = {
  fields: SignedField[]
  nameOf(address: Address): string | undefined
}

export function FieldTree({ fields, nameOf }: Props) {
  const rows = fieldRows(fields)
  const [most, setMost] = useState(pageSize)
  const rest = rows.length - most
  return (
    <>
      <dl class="fields" dir="ltr" translate={false}>
        {rows.slice(0, most).map(({ path, type, value }) => {
          const name = type === 'address' ? nameOf(value.toLowerCase() as Address) : undefined
          return (
            <div key={path}>
              <dt>
                <HighlightedText text={path} /> <span class="dim fields-type">{type}</span>
              </dt>
              <dd class="num">
                <HighlightedText text={value} />
                {name !== undefined && (
                  <>
                    {' '}
                    <bdi class="tag">{name}</bdi>
                  </>
                )}
              </dd>
            </div>
          )
        })}
      </dl>
      {rest > 0 && (
        <p>
          <span class="dim">{plural(rest, 'and {count} more', 'and {count} more')}</span>{' '}
          <button type="button" class="link" onClick={() => setMost(most + pageSize)}>
            {t('Show more')}
          </button>
        </p>
      )}
    </>
  )
}

/** One signed value, with a path such as "details[0].token". */
type FieldRow = { path: string; type: string; value: string }

/** Flattens `fields` in order. Empty lists and structs yield a row. */
export function fieldRows(fields: SignedField[], parent = '', isList = false): FieldRow[] {
  return fields.flatMap(({ name, type, value }) => {
    const path = parent === '' ? name : isList ? `${parent}[${name}]` : `${parent}.${name}`
    if (typeof value === 'string') return [{ path, type, value }]
    if (value.length === 0) return [{ path, type, value: t('empty') }]
    return fieldRows(value, path, type.endsWith(']'))
  })
}
