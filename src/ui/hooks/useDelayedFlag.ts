import { useEffect, useState } from 'preact/hooks'

/** Whoever waits without a word for longer thinks that nothing happens. */
const patienceMs = 4_000

/** True once something that `isOn` has been so for long. */
export function useDelayedFlag(isOn: boolean): boolean {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    setLate(false)
    if (!isOn) return
    const timer = setTimeout(() => setLate(true), patienceMs)
    return () => clearTimeout(timer)
  }, [isOn])
  return isLate
}
