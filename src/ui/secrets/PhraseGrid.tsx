import { t } from '../../i18n/translate.ts'
import { useHideOnBlur } from '../hooks/useHideOnBlur.ts'
import '../style/phrase.css'

/** The words in order. They hide when the window loses the focus, and there is no button that copies them. */
export function PhraseGrid({ phrase }: { phrase: string }) {
  const [isCovered, setCovered] = useHideOnBlur()
  if (phrase === '') return <p class="nothing">{t('Generating your phrase…')}</p>
  return (
    <div class="phrase" data-hidden={isCovered}>
      {/* A keyboard scrolls only what can have the focus. */}
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
