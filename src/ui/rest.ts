/** Rest in milliseconds after a deliberate pointer move. */
export const restMs = 700

/** Rest in milliseconds after an early press or without a pointer move. */
export const stillMs = 2_000

const maxRestMs = 5_000

/** Deliberate move in CSS pixels, beyond the tremble of a click. */
const approachPx = 48

type Point = { screenX: number; screenY: number }

export type RestState = {
  isResting: boolean
  round: number
  /** Undefined while a pointer or key is down. */
  restMs: number | undefined
}

export type RestDeps = {
  /** Monotonic, in milliseconds. */
  now(): number
  setTimer(run: () => void, ms: number): number
  clearTimer(id: number): void
  onChange(state: RestState): void
}

export type Rest = ReturnType<typeof createRest>

/**
 * Protects confirming controls from unintended presses (clickjacking, double clicks, auto-repeat). Each
 * change, and each press during the rest, restarts it. A press must begin and end outside the rest.
 */
export function createRest({ now, setTimer, clearTimer, onChange }: RestDeps) {
  let state: RestState = { isResting: true, round: 0, restMs: stillMs }
  let timer: number | undefined
  let since = now()
  let lastPressAt = since
  /** Moved deliberately since the last screen change. */
  let hasApproached = false
  let origin: Point | undefined
  /** Pressed too early. */
  let isInterrupted = false
  let paceMs = 0
  const held = new Set<string>()

  function currentMs(): number {
    if (isInterrupted) return Math.min(Math.max(stillMs, 2 * paceMs), maxRestMs)
    return hasApproached ? restMs : stillMs
  }

  function schedule(): void {
    clearTimer(timer ?? 0)
    timer = undefined
    const ms = held.size > 0 ? undefined : currentMs()
    if (ms !== undefined) timer = setTimer(end, Math.max(0, since + ms - now()))
    state = { isResting: true, round: state.round + 1, restMs: ms }
    onChange(state)
  }

  function end(): void {
    timer = undefined
    isInterrupted = false
    paceMs = 0
    state = { ...state, isResting: false }
    onChange(state)
  }

  function restart(): void {
    since = now()
    schedule()
  }

  /** New or returning screen: the pointer may be there by accident. */
  function shown(): void {
    hasApproached = false
    origin = undefined
    lastPressAt = now()
    restart()
  }

  function interrupt(at?: Point): void {
    const pressedAt = now()
    paceMs = Math.max(paceMs, pressedAt - lastPressAt)
    lastPressAt = pressedAt
    isInterrupted = true
    hasApproached = false
    origin = at
    restart()
  }

  function down(id: string, at?: Point): void {
    held.add(id)
    if (state.isResting) interrupt(at)
  }

  function up(id: string): void {
    held.delete(id)
    if (state.isResting) restart()
  }

  return {
    state: () => state,

    /** Signed or displayed data changed. */
    changed: restart,

    shown,

    /** After a blur no releases are reported. */
    left(): void {
      held.clear()
      shown()
    },

    pointerDown({ pointerId, ...at }: Point & { pointerId: number }): void {
      down(`pointer ${pointerId}`, at)
    },

    pointerUp({ pointerId }: { pointerId: number }): void {
      up(`pointer ${pointerId}`)
    },

    pointerMoved(to: Point & { pointerId: number; pointerType: string; buttons: number }): void {
      // Releases outside the window are not reported.
      if (to.buttons === 0 && held.has(`pointer ${to.pointerId}`)) up(`pointer ${to.pointerId}`)
      // Touches have no approach.
      if (hasApproached || to.pointerType === 'touch') return
      origin ??= { screenX: to.screenX, screenY: to.screenY }
      if (Math.hypot(to.screenX - origin.screenX, to.screenY - origin.screenY) < approachPx) return
      hasApproached = true
      if (state.isResting && !isInterrupted) schedule()
    },

    keyDown({ key, hasModifier }: { key: string; hasModifier: boolean }): void {
      // macOS reports no release while Command is down.
      if (isActivation(key) && !hasModifier) down(key)
      else if (state.isResting) restart()
    },

    keyUp: up,

    stop(): void {
      clearTimer(timer ?? 0)
      timer = undefined
    },
  }
}

function isActivation(key: string): boolean {
  return key === 'Enter' || key === ' '
}
