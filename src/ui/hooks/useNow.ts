import { useEffect, useState } from 'preact/hooks'

/** Returns the stores' clock, read at each render, and rerenders every `everyMs`. */
export function useNow(everyMs: number): number {
  const [, draw] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => draw((times) => times + 1), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return performance.now()
}
