import { t } from '../../i18n/translate.ts'
import { useHideOnBlur } from '../hooks/useHideOnBlur.ts'
import { Field, type FieldProps } from './Field.tsx'
import { Icon } from './Icon.tsx'

/**
 * A password, or another secret in one line. It can be looked at while it is typed, and is covered again when it is sent and before the
 * page goes out of sight: browsers write to disk what is in plain text fields that they may complete (docs/security.md, Keys).
 */
export function PasswordField({ autocomplete, ...field }: Omit<FieldProps, 'type' | 'children'>) {
  const [isCovered, setCovered] = useHideOnBlur(true)
  return (
    <Field {...field} type={isCovered ? 'password' : 'text'} autocomplete={isCovered ? autocomplete : 'off'}>
      <button
        type="button"
        class="round"
        aria-label={t('Show text')}
        aria-pressed={!isCovered}
        // The field keeps the focus.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => setCovered(!isCovered)}
      >
        <Icon name={isCovered ? 'show' : 'hide'} size={18} />
      </button>
    </Field>
  )
}
