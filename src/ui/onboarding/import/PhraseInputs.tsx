import { useRef, useState } from 'preact/hooks'
import { t } from '../../../i18n/translate.ts'
import { useQuery } from '../../hooks/data/useQuery.ts'
import { useStores } from '../../hooks/data/useStore.ts'
import { useId } from '../../hooks/useId.ts'
import { useLatest } from '../../hooks/useLatest.ts'
import { isMultipleWords } from './phraseInputs.ts'
import '../../style/lazy/phrase.css'

type Props = {
  words: string[]
  /** Zero-based positions of unknown words. */
  wrong: number[]
  onWord(index: number, word: string): void
  onPaste(index: number, text: string): void
  onLeave(): void
}

/**
 * Word inputs: arrow keys select suggestions, Tab or Enter accepts. Password fields, because browsers write
 * plain text fields to disk (docs/security/keys.md).
 */
export function PhraseInputs({ words, wrong, onWord, onPaste, onLeave }: Props) {
  const { account } = useStores()
  const [at, setAt] = useState<number | undefined>()
  /** Selected suggestion, or dismissed. */
  const [done, setDone] = useState<{ with: string[]; active: number | 'away' } | undefined>()
  const cells = useRef<HTMLDivElement>(null)
  const id = useId()
  const typed = at === undefined ? '' : (words[at] ?? '')

  // Suggestions are optional.
  const asked = useQuery(() => account.suggestWords(typed).catch(() => none), [account, typed])
  const found = useLatest(asked.value) ?? none
  const chosen = done?.with === found ? done.active : undefined
  const suggested = chosen === 'away' ? none : found
  // Tab accepts only the exact word or the only match.
  const active = typeof chosen === 'number' ? chosen : suggested.length === 1 ? 0 : suggested.indexOf(typed)

  const goTo = (index: number) => cells.current?.querySelectorAll('input')[index]?.focus()
  const take = (index: number, word: string) => {
    onWord(index, word)
    goTo(index + 1)
  }

  const onKey = (event: KeyboardEvent, index: number) => {
    const { key, shiftKey } = event
    // Until then the suggestions belong to earlier text.
    const word = asked.value && suggested[active]
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
    const isNext = key === ' ' || (key === 'Enter' && index + 1 < words.length)
    if (step !== 0 && suggested.length > 0) {
      const from = active < 0 && step < 0 ? 0 : active
      setDone({ with: found, active: (from + step + suggested.length) % suggested.length })
    } else if (key === 'Escape' && suggested.length > 0) setDone({ with: found, active: 'away' })
    else if (((key === 'Tab' && !shiftKey) || isNext) && word !== undefined && word !== typed) {
      take(index, word)
    } else if (isNext && typed !== '') goTo(index + 1)
    else return
    event.preventDefault()
  }

  return (
    <>
      <div ref={cells} class="words">
        {words.map((word, index) => (
          <label key={index} class="word" data-wrong={wrong.includes(index)}>
            <span class="num">{index + 1}</span>
            {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: password fields have no HTML role. */}
            <input
              type="password"
              aria-label={t('Word {number}', { number: index + 1 })}
              aria-invalid={wrong.includes(index)}
              aria-autocomplete="list"
              aria-controls={id}
              aria-activedescendant={index === at && active >= 0 ? `${id}-${active}` : undefined}
              autocomplete="off"
              autocapitalize="none"
              spellcheck={false}
              value={word}
              onFocus={() => setAt(index)}
              onBlur={() => {
                setAt(undefined)
                onLeave()
              }}
              onKeyDown={(event) => onKey(event, index)}
              onInput={(event) => onWord(index, event.currentTarget.value.trim().toLowerCase())}
              onPaste={(event) => {
                const text = event.clipboardData?.getData('text') ?? ''
                if (!isMultipleWords(text)) return
                event.preventDefault()
                onPaste(index, text)
              }}
            />
          </label>
        ))}
      </div>
      <div id={id} class="suggest" role="listbox" tabIndex={-1} aria-label={t('Word suggestions')}>
        {suggested.map((word, index) => (
          <button
            type="button"
            key={word}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            // Keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => {
              if (at !== undefined) take(at, word)
            }}
          >
            {word}
          </button>
        ))}
      </div>
    </>
  )
}

const none: string[] = []
