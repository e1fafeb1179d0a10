import { useRef, useState } from 'preact/hooks'
import { toWalletError, type WalletError } from '../../errors.ts'

export type Task<Args extends unknown[]> = {
  run(...args: Args): void
  isRunning: boolean
  error: WalletError | undefined
  /** The error was answered by something else. */
  forget(): void
}

/** Something that takes a while and may fail, started by a control: one run at a time. */
export function useMutation<Args extends unknown[]>(work: (...args: Args) => Promise<unknown>): Task<Args> {
  const [isRunning, setRunning] = useState(false)
  const [error, setError] = useState<WalletError | undefined>(undefined)
  const busy = useRef(false)
  return {
    isRunning,
    error,
    forget: () => setError(undefined),
    run(...args) {
      if (busy.current) return
      busy.current = true
      setRunning(true)
      setError(undefined)
      work(...args)
        .catch((cause: unknown) => setError(toWalletError(cause)))
        .finally(() => {
          busy.current = false
          setRunning(false)
        })
    },
  }
}
