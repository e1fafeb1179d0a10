import { t } from '../../../i18n/translate.ts'
import { useHideOnBlur } from '../../hooks/useHideOnBlur.ts'
import { Icon } from '../Icon.tsx'
import { Field, type FieldProps } from './Field.tsx'

/**
 * Input for secrets. Covered on submit and before the page is hidden: browsers write plain text fields to
 * disk (docs/security/keys.md).
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
        // Keeps the focus.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => setCovered(!isCovered)}
      >
        <Icon name={isCovered ? 'show' : 'hide'} size={18} />
      </button>
    </Field>
  )
}
