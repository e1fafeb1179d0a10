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
  /** To be done first: replaces the label, and pressing leads there. */
  todo?: Todo | undefined
  /** Shows that something is awaited. */
  isBusy?: boolean
  /** Defaults to `main`. */
  class?: string
  onPress(): void
}

export type Todo = { label: string; onPress(): void; onFocus?(): void }

/** Rests after each change of `content`, screen or window; a press restarts the rest (rest.ts). */
export function ConfirmButton({
  children,
  content,
  isDanger = false,
  isDisabled = false,
  todo,
  isBusy = false,
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
  const isReady = !isDisabled && todo === undefined
  return (
    <>
      <button
        ref={button}
        type="button"
        class={`${look} ${isDanger ? 'main-danger' : ''} rest`}
        data-rest={todo ? 'todo' : isBusy ? 'busy' : isReady && isResting ? 'resting' : undefined}
        // `disabled` would drop the focus and hide early presses.
        aria-disabled={todo === undefined && (isDisabled || isResting)}
        aria-busy={isBusy}
        aria-describedby={isResting && isReady ? hint : undefined}
        onFocus={todo?.onFocus}
        onClick={() => {
          if (todo) {
            // The control it leads to rests, too.
            changed()
            todo.onPress()
          } else if (isRestingNow()) {
            setEarly(true)
            // Screen readers click without pointer or key events.
            changed()
          } else if (isReady) onPress()
        }}
      >
        {todo?.label ?? children}
        {isResting && isReady && restMs !== undefined && <RestBar key={round} ms={restMs} />}
        {isBusy && <span class="busy-bar" aria-hidden="true" />}
      </button>
      <span id={hint} class="unseen">
        {t('Ready in a moment. The button pauses after every change so that you don’t confirm by accident.')}
      </span>
      <span class="unseen" role="status">
        {isEarly && isResting && isReady ? t('Too early. Wait a moment, then press once.') : ''}
      </span>
    </>
  )
}

/** Fills while a control rests. */
export function RestBar({ ms }: { ms: number }) {
  return <span class="rest-bar" style={{ animationDuration: `${ms}ms` }} aria-hidden="true" />
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
