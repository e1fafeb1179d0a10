import { useState } from 'preact/hooks'
import type { SignedField } from '../../../domain/signing/signedFields.ts'
import { plural, t } from '../../../language/translate.ts'
import { fieldRows } from './fieldRows.ts'
import { Marked } from './Marked.tsx'

/** So many are drawn at a time. What comes after them is counted, and there when it is asked for. */
const pageSize = 400

/** Everything that is signed, value by value. */
export function FieldTree({ fields }: { fields: SignedField[] }) {
  const rows = fieldRows(fields)
  const [most, setMost] = useState(pageSize)
  const rest = rows.length - most
  return (
    <>
      <dl class="fields" dir="ltr" translate={false}>
        {rows.slice(0, most).map(({ path, type, value }) => (
          <div key={path}>
            <dt>
              <Marked text={path} /> <span class="small">{type}</span>
            </dt>
            <dd class="num">
              <Marked text={value} />
            </dd>
          </div>
        ))}
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
