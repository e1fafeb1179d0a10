import { useEffect, useState } from 'preact/hooks'

/** The stores' time, drawn every `everyMs` at the least: never one of an earlier drawing, from which a countdown would jump. */
export function useNow(everyMs: number): number {
  const [, draw] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => draw((times) => times + 1), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return performance.now()
}
