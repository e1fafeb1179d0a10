import { t } from '../../i18n/translate.ts'
import { useHideOnBlur } from '../hooks/useHideOnBlur.ts'
import '../style/secret.css'

/** Covers the key when the window loses focus. */
export function KeyText({ text }: { text: string }) {
  const [isCovered, setCovered] = useHideOnBlur()
  return (
    <>
      <section class="secret-text" aria-label={t('Private key')}>
        {isCovered ? '•'.repeat(text.length) : text}
      </section>
      {isCovered && (
        <button type="button" class="second" onClick={() => setCovered(false)}>
          {t('Show key')}
        </button>
      )}
    </>
  )
}
