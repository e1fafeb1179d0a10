import { useEffect, useState } from 'preact/hooks'
import { t } from '../../language/translate.ts'

/** The words in order. They hide when the window loses the focus, and there is no button that copies them. */
export function PhraseGrid({ phrase }: { phrase: string }) {
  const [hidden, setHidden] = useState(false)
  useEffect(() => {
    const hide = () => setHidden(true)
    window.addEventListener('blur', hide)
    return () => window.removeEventListener('blur', hide)
  }, [])
  if (phrase === '') return <p class="nothing">{t('Making your phrase…')}</p>
  return (
    <div class="phrase" data-hidden={hidden}>
      <ol aria-label={t('Recovery phrase')} aria-hidden={hidden}>
        {phrase.split(' ').map((word, index) => (
          <li key={index}>
            <span class="num dim">{index + 1}</span>
            {hidden ? '••••••' : word}
          </li>
        ))}
      </ol>
      {hidden && (
        <button type="button" class="second phrase-show" onClick={() => setHidden(false)}>
          {t('Show the words')}
        </button>
      )}
    </div>
  )
}
