import { useLayoutEffect, useReducer, useRef } from 'preact/hooks'
import { createRest, type Rest, type RestState } from '../rest.ts'

/** Polled: moving a window fires no event. */
const placeEveryMs = 200

type Shared = { rest: Rest; draws: Set<() => void>; close(): void }

/** Shared by all controls of a document. */
let shared: Shared | undefined

const unknown: RestState = { isResting: true, round: 0, restMs: undefined }

/**
 * Rest of a confirming control. A change of `content` restarts it; mounting a `main` control counts as a new
 * screen.
 */
export function useRest(content: unknown, role: 'main' | 'other' = 'other') {
  const [, draw] = useReducer<number, void>((count) => count + 1, 0)
  const isFirst = useRef(true)
  useLayoutEffect(() => {
    shared ??= watchDocument()
    const mine = shared
    mine.draws.add(draw)
    return () => {
      mine.draws.delete(draw)
      if (mine.draws.size > 0) return
      mine.close()
      if (shared === mine) shared = undefined
    }
  }, [])
  // Before paint.
  useLayoutEffect(() => {
    if (isFirst.current && role === 'main') shared?.rest.shown()
    else shared?.rest.changed()
    isFirst.current = false
  }, [content])
  return {
    ...(shared?.rest.state() ?? unknown),
    /** Current also between renders. */
    isRestingNow: () => shared?.rest.state().isResting ?? true,
    changed: () => shared?.rest.changed(),
  }
}

function watchDocument(): Shared {
  const draws = new Set<() => void>()
  const rest = createRest({
    now: () => performance.now(),
    setTimer: (run, ms) => window.setTimeout(run, ms),
    clearTimer: (id) => window.clearTimeout(id),
    onChange: () => {
      for (const draw of draws) draw()
    },
  })
  const ending = new AbortController()
  const { signal } = ending
  // Before any control handles or stops the event.
  const early = { capture: true, signal }
  const point = ({ pointerId, pointerType, buttons, screenX, screenY }: PointerEvent) => ({
    pointerId,
    pointerType,
    buttons,
    screenX,
    screenY,
  })
  window.addEventListener('pointerdown', (event) => rest.pointerDown(point(event)), early)
  window.addEventListener('pointermove', (event) => rest.pointerMoved(point(event)), early)
  window.addEventListener('pointerup', (event) => rest.pointerUp(event), early)
  window.addEventListener('pointercancel', (event) => rest.pointerUp(event), early)
  window.addEventListener(
    'keydown',
    ({ key, ctrlKey, metaKey, altKey }) => rest.keyDown({ key, hasModifier: ctrlKey || metaKey || altKey }),
    early,
  )
  window.addEventListener('keyup', ({ key }) => rest.keyUp(key), early)
  window.addEventListener('focus', rest.shown, { signal })
  window.addEventListener('resize', rest.shown, { signal })
  window.addEventListener('blur', rest.left, { signal })
  document.addEventListener('visibilitychange', rest.shown, { signal })

  const placeOf = () => `${window.screenX} ${window.screenY}`
  let place = placeOf()
  const placeTimer = window.setInterval(() => {
    if (placeOf() === place) return
    place = placeOf()
    rest.shown()
  }, placeEveryMs)
  return {
    rest,
    draws,
    close() {
      ending.abort()
      window.clearInterval(placeTimer)
      rest.stop()
    },
  }
}
