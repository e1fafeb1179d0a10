import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { t } from '../../../i18n/translate.ts'
import { useId } from '../../hooks/useId.ts'
import { useRest } from '../../hooks/useRest.ts'
import '../../style/lazy/rest.css'

type Props = {
  children: ComponentChildren
  /** Everything the press agrees to, shown or not. */
  content: unknown
  isDanger?: boolean
  isDisabled?: boolean
  /** Defaults to `main`. */
  class?: string
  onPress(): void
}

/** Rests after each change of `content`, screen or window; a press restarts the rest (rest.ts). */
export function ConfirmButton({
  children,
  content,
  isDanger = false,
  isDisabled = false,
  class: look = 'main',
  onPress,
}: Props) {
  const button = useRef<HTMLButtonElement>(null)
  const hint = useId()
  const { isResting, round, restMs, isRestingNow, changed } = useRest(content, 'main')
  const [isEarly, setEarly] = useState(false)
  useChanges(button, changed)
  useEffect(() => {
    if (!isResting) setEarly(false)
  }, [isResting])
  return (
    <>
      <button
        ref={button}
        type="button"
        class={`${look} ${isDanger ? 'main-danger' : ''} rest`}
        // `disabled` would drop the focus and hide early presses.
        aria-disabled={isDisabled || isResting}
        aria-describedby={isResting && !isDisabled ? hint : undefined}
        onClick={() => {
          if (isRestingNow()) {
            setEarly(true)
            // Screen readers click without pointer or key events.
            changed()
          } else if (!isDisabled) onPress()
        }}
      >
        {children}
        {isResting && !isDisabled && restMs !== undefined && (
          <span
            key={round}
            class="rest-bar"
            style={{ animationDuration: `${restMs}ms` }}
            aria-hidden="true"
          />
        )}
      </button>
      <span id={hint} class="unseen">
        {t('Ready in a moment. The button pauses after every change so that you don’t confirm by accident.')}
      </span>
      <span class="unseen" role="status">
        {isEarly && isResting && !isDisabled ? t('Too early. Wait a moment, then press once.') : ''}
      </span>
    </>
  )
}

/** Calls `onChange` when anything around the button changes. */
function useChanges(button: { current: HTMLElement | null }, onChange: () => void): void {
  const latest = useRef(onChange)
  latest.current = onChange
  useEffect(() => {
    const own = button.current
    const screen = own?.closest('dialog,main')
    if (!own || !screen) return
    const observer = new MutationObserver((records) => {
      const isSeen = (record: MutationRecord) => !own.contains(record.target) && !isHidden(record.target)
      if (records.some((record) => isChange(record) && isSeen(record))) latest.current()
    })
    observer.observe(screen, {
      childList: true,
      characterData: true,
      characterDataOldValue: true,
      subtree: true,
    })
    return () => observer.disconnect()
  }, [])
}

/** Preact rewrites empty texts and zeros on every render. */
function isChange({ type, oldValue, target }: MutationRecord): boolean {
  return type !== 'characterData' || oldValue !== target.nodeValue
}

/** Such text cannot move controls. */
function isHidden(target: Node): boolean {
  const element = target instanceof Element ? target : target.parentElement
  return element?.closest('.unseen') != null
}
