import { useEffect, useState } from 'preact/hooks'
import type { WalletError } from '../../errors.ts'

/** Bound in seconds, against clock changes. */
const longest = 5 * 60

/** Returns the seconds until another password attempt, or 0. */
export function useCountdown(error: WalletError | undefined): number {
  const [, draw] = useState(0)
  const left = secondsLeft(error, Date.now())
  const isWaiting = left > 0
  useEffect(() => {
    if (!isWaiting) return
    const timer = setInterval(() => draw((times) => times + 1), 250)
    return () => clearInterval(timer)
  }, [isWaiting])
  return left
}

export function secondsLeft(error: WalletError | undefined, now: number): number {
  if (error?.code !== 'too-many-tries') return 0
  const ms = Number(error.facts.until) - now
  return ms > 0 ? Math.min(Math.ceil(ms / 1_000), longest) : 0
}

/** Formats "0:07". */
export function formatWait(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
