/** The rest of a control whose user has moved the pointer over to it, in milliseconds: long enough to see a change. */
export const restMs = 700

/** The rest after a press that came too early, and of a control under a pointer that stands still. */
export const stillMs = 2_000

/** The longest rest. */
const maxRestMs = 5_000

/** The way of a pointer that somebody moves over on purpose, in CSS pixels. A hand that clicks trembles less. */
const approachPx = 48

type Point = { screenX: number; screenY: number }

export type RestState = {
  isResting: boolean
  /** Counts restarts. */
  round: number
  /** Undefined while something is held down: the rest begins when it is released. */
  restMs: number | undefined
}

export type RestDeps = {
  /** Milliseconds, never set back. */
  now(): number
  setTimer(run: () => void, ms: number): number
  clearTimer(id: number): void
  onChange(state: RestState): void
}

export type Rest = ReturnType<typeof createRest>

/**
 * Protects controls that confirm from presses that were meant for something else (clickjacking, double clicks, auto-repeat). They rest after
 * each change, and any press during the rest begins it again. A press counts only when it begins and ends outside of the rest.
 */
export function createRest({ now, setTimer, clearTimer, onChange }: RestDeps) {
  let state: RestState = { isResting: true, round: 0, restMs: stillMs }
  let timer: number | undefined
  let since = now()
  let lastPressAt = since
  /** The pointer was moved over since the display changed. */
  let hasApproached = false
  let origin: Point | undefined
  /** A press came too early. */
  let isInterrupted = false
  /** The longest time between such presses. */
  let paceMs = 0
  /** Pointers and keys that are down. */
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

  /** Another display, or one that comes back: the pointer may be where it is by accident. */
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

    /** Something else is signed, or stands on the screen. */
    changed: restart,

    shown,

    /** The window lost the focus: releases are not told any more. */
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
      // A release outside of the window is not told.
      if (to.buttons === 0 && held.has(`pointer ${to.pointerId}`)) up(`pointer ${to.pointerId}`)
      // A finger has no way over: it is only there when it presses.
      if (hasApproached || to.pointerType === 'touch') return
      origin ??= { screenX: to.screenX, screenY: to.screenY }
      if (Math.hypot(to.screenX - origin.screenX, to.screenY - origin.screenY) < approachPx) return
      hasApproached = true
      if (state.isResting && !isInterrupted) schedule()
    },

    keyDown({ key, hasModifier }: { key: string; hasModifier: boolean }): void {
      // macOS tells no release of a key while Command is down.
      if (isActivation(key) && !hasModifier) down(key)
      else if (state.isResting) restart()
    },

    keyUp: up,

    /** Ends all timers. */
    stop(): void {
      clearTimer(timer ?? 0)
      timer = undefined
    },
  }
}

/** Keys that press a button. */
function isActivation(key: string): boolean {
  return key === 'Enter' || key === ' '
}
