import { useEffect, useRef, useState } from 'preact/hooks'
import { type Activity, waitingStep } from '../../domain/activity/activity.ts'

/** Where blocks are fast, most are mined until then. Where they are slow, there is time enough to call one back. */
const patienceMs = 5_000

/** True while a transaction waits that has waited for long: since it was first seen here, or since all began. */
export function useLongWait(entry: Activity): boolean {
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
