import { useEffect, useState } from 'preact/hooks'

/**
 * Returns the stores' clock and rerenders every `everyMs`. Read at each render, so that countdowns do not
 * jump.
 */
export function useNow(everyMs: number): number {
  const [, draw] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => draw((times) => times + 1), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return performance.now()
}
