import { useRef, useState } from 'preact/hooks'
import { toWalletError, type WalletError } from '../../../errors.ts'

export type Mutation<Args extends unknown[]> = {
  run(...args: Args): void
  isRunning: boolean
  error: WalletError | undefined
  forget(): void
}

/** Runs one action at a time. */
export function useMutation<Args extends unknown[]>(
  work: (...args: Args) => Promise<unknown>,
): Mutation<Args> {
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
