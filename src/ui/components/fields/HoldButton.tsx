import { useEffect, useRef, useState } from 'preact/hooks'
import { t } from '../../../i18n/translate.ts'
import { useRest } from '../../hooks/useRest.ts'
import { Checkbox } from './Checkbox.tsx'
import { RestBar } from './ConfirmButton.tsx'
import '../../style/lazy/hold.css'

const holdMs = 2_000

type Props = {
  /** Label for holding. */
  label: string
  /** Label for pressing. */
  pressed: string
  /** Label of the checkbox that replaces holding. */
  agree: string
  isDanger?: boolean
  isDisabled?: boolean
  onHeld(): void
}

/** Button to hold for two seconds, or a checkbox for users who cannot hold. */
export function HoldButton({ label, pressed, agree, isDanger = false, isDisabled = false, onHeld }: Props) {
  const [isHeld, setHeld] = useState(false)
  const [isTicking, setTicking] = useState(false)
  const [isTicked, setTicked] = useState(false)
  const { isResting, round, restMs, isRestingNow } = useRest(label)
  const timer = useRef<number | undefined>(undefined)
  const tone = `main ${isDanger ? 'main-danger' : ''}`

  const end = () => {
    clearTimeout(timer.current)
    timer.current = undefined
    setHeld(false)
  }
  const act = () => {
    // Covers shown secrets (useHideOnBlur.ts).
    window.dispatchEvent(new Event('held'))
    onHeld()
  }
  const begin = () => {
    if (isDisabled || isRestingNow() || timer.current !== undefined) return
    setHeld(true)
    timer.current = window.setTimeout(() => {
      end()
      act()
    }, holdMs)
  }
  useEffect(() => {
    window.addEventListener('blur', end)
    return () => {
      window.removeEventListener('blur', end)
      end()
    }
  }, [])

  if (isTicking) {
    return (
      <div class="stack">
        <Checkbox label={agree} isTicked={isTicked} onTick={setTicked} />
        <button type="button" class={tone} disabled={!isTicked || isDisabled} onClick={act}>
          {pressed}
        </button>
      </div>
    )
  }
  return (
    <div class="stack">
      <button
        type="button"
        class={`${tone} hold rest`}
        data-rest={isResting && !isDisabled ? 'resting' : undefined}
        data-held={isHeld}
        disabled={isDisabled}
        aria-disabled={isResting}
        onPointerDown={(event) => {
          if (event.button === 0) begin()
        }}
        onPointerUp={end}
        onPointerLeave={end}
        onPointerCancel={end}
        onContextMenu={(event) => event.preventDefault()}
        onKeyDown={(event) => {
          if (event.key !== ' ' && event.key !== 'Enter') return
          event.preventDefault()
          if (!event.repeat) begin()
        }}
        onKeyUp={end}
        onBlur={end}
        // Without a pointer or key: a screen reader, which cannot hold.
        onClick={(event) => {
          if (event.detail === 0) setTicking(true)
        }}
      >
        <svg class="hold-ring" width="22" height="22" viewBox="0 0 22 22" aria-hidden="true">
          <circle cx="11" cy="11" r="9" pathLength="100" />
          <circle class="hold-done" cx="11" cy="11" r="9" pathLength="100" />
        </svg>
        <span>{isHeld ? t('Keep holding…') : label}</span>
        {isResting && !isDisabled && restMs !== undefined && <RestBar key={round} ms={restMs} />}
      </button>
      <p class="hold-line dim small">
        <span>{t('Hold for 2 seconds')}</span>
        <button type="button" class="link small" onClick={() => setTicking(true)}>
          {t('Can’t press and hold?')}
        </button>
      </p>
    </div>
  )
}
