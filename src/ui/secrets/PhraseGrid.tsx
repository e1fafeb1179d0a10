import { t } from '../../i18n/translate.ts'
import { useHideOnBlur } from '../hooks/useHideOnBlur.ts'
import '../style/lazy/phrase.css'

/** Hides the words when the window loses focus. Deliberately without a copy button. */
export function PhraseGrid({ phrase }: { phrase: string }) {
  const [isCovered, setCovered] = useHideOnBlur()
  if (phrase === '') return <p class="nothing">{t('Generating your phrase…')}</p>
  return (
    <div class="phrase" data-hidden={isCovered}>
      {/* Focusable for keyboard scrolling. */}
      <ol aria-label={t('Recovery phrase')} aria-hidden={isCovered} tabIndex={isCovered ? -1 : 0}>
        {phrase.split(' ').map((word, index) => (
          <li key={index}>
            <span class="num dim">{index + 1}</span>
            {isCovered ? '••••••' : word}
          </li>
        ))}
      </ol>
      {isCovered && (
        <button type="button" class="second phrase-show" onClick={() => setCovered(false)}>
          {t('Show phrase')}
        </button>
      )}
    </div>
  )
}
