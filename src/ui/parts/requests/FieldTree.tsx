import type { SignedField } from '../../../domain/signing/permit.ts'
import { plural } from '../../../language/translate.ts'
import { fieldRows } from './fieldRows.ts'
import { Marked } from './Marked.tsx'

/** More than these nobody reads; what comes after them is counted. */
const mostRows = 400

/** Everything that is signed, value by value. */
export function FieldTree({ fields }: { fields: SignedField[] }) {
  const rows = fieldRows(fields)
  const rest = rows.length - mostRows
  return (
    <dl class="fields" dir="ltr" translate={false}>
      {rows.slice(0, mostRows).map(({ path, type, value }) => (
        <div key={path}>
          <dt>
            <Marked text={path} /> <span class="small">{type}</span>
          </dt>
          <dd class="num">
            <Marked text={value} />
          </dd>
        </div>
      ))}
      {rest > 0 && <div class="dim">{plural(rest, 'and {count} more', 'and {count} more')}</div>}
    </dl>
  )
}
