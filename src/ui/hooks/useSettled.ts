import { useLayoutEffect, useState } from 'preact/hooks'

/** Long enough to see that the screen changed. */
const settleMs = 700

/**
 * False until what stands on the screen has stood there for a moment, and again after `content` or the window's focus changed: a
 * click that was meant for what was there before goes nowhere.
 */
export function useSettled(content: unknown): boolean {
  const [settled, setSettled] = useState(false)
  // A change of content starts the wait anew, before it is painted.
  useLayoutEffect(() => {
    let timer = 0
    const wait = () => {
      clearTimeout(timer)
      setSettled(false)
      timer = window.setTimeout(() => setSettled(true), settleMs)
    }
    wait()
    window.addEventListener('focus', wait)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('focus', wait)
    }
  }, [content])
  return settled
}
