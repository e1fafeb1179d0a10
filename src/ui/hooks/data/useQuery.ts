import { useLayoutEffect, useMemo, useReducer } from 'preact/hooks'
import { toWalletError, type WalletError } from '../../../errors.ts'

/** Result whose `value` and `error` can be destructured in all states. */
export type QueryResult<Value> =
  | { status: 'asking'; value?: undefined; error?: undefined }
  | { status: 'answered'; value: Value; error?: undefined }
  | { status: 'failed'; value?: undefined; error: WalletError }

/**
 * Runs `ask` on mount and when `about` changes. Stays pending if `ask` returns undefined. Outdated results
 * are discarded.
 */
export function useQuery<Value>(
  ask: () => Promise<Value> | undefined,
  about: readonly unknown[],
): QueryResult<Value> {
  const question = useMemo((): { answer: QueryResult<Value> } => ({ answer: { status: 'asking' } }), about)
  const [, draw] = useReducer<number, void>((count) => count + 1, 0)
  // Before the next paint.
  useLayoutEffect(() => {
    const keep = (answer: QueryResult<Value>) => {
      question.answer = answer
      draw()
    }
    ask()?.then(
      (value) => keep({ status: 'answered', value }),
      (cause: unknown) => keep({ status: 'failed', error: toWalletError(cause) }),
    )
  }, [question])
  return question.answer
}
