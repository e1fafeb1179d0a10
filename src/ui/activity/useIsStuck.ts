import { useEffect, useRef, useState } from 'preact/hooks'
import { type Activity, waitingStep } from '../../domain/activity/activity.ts'

/** Most transactions on fast chains are mined by then; slow ones can still be cancelled. */
const patienceMs = 5_000

/** True after a transaction has been pending for `patienceMs`. */
export function useIsStuck(entry: Activity): boolean {
  const [isLong, setLong] = useState(false)
  const isFirst = useRef(true)
  const nonce = waitingStep(entry)?.nonce
  useEffect(() => {
    setLong(false)
    if (nonce === undefined) return
    const waited = isFirst.current ? Math.max(0, Date.now() - entry.createdAt) : 0
    isFirst.current = false
    const timer = setTimeout(() => setLong(true), Math.max(0, patienceMs - waited))
    return () => clearTimeout(timer)
  }, [nonce])
  return isLong && nonce !== undefined
}
