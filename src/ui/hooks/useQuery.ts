import { useLayoutEffect, useMemo, useReducer } from 'preact/hooks'
import { toWalletError, type WalletError } from '../../errors.ts'

/** What came of a question. `value` and `error` are there in their own states alone, so that both can be taken without asking which it is. */
export type QueryResult<Value> =
  | { status: 'asking'; value?: undefined; error?: undefined }
  | { status: 'answered'; value: Value; error?: undefined }
  | { status: 'failed'; value?: undefined; error: WalletError }

/**
 * Asks when it is first drawn, and anew whenever one of `about` is another. Where `ask` gives nothing there is nothing to ask yet. An
 * answer stands in its own question: a late one goes to a question that nobody looks at any more, and with it goes what it held.
 */
export function useQuery<Value>(
  ask: () => Promise<Value> | undefined,
  about: readonly unknown[],
): QueryResult<Value> {
  const question = useMemo((): { answer: QueryResult<Value> } => ({ answer: { status: 'asking' } }), about)
  const [, draw] = useReducer<number, void>((count) => count + 1, 0)
  // At once: an effect of the other kind waits for the next picture.
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
