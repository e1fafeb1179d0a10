import { useEffect, useState } from 'preact/hooks'

const patienceMs = 4_000

/** True once `isOn` has been true for `patienceMs`. */
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
