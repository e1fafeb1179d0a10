import { createFlights } from './singleFlight.ts'

/** Makes an answer. `signal` says when nobody waits for it any more; `forget` is called when it is not to be given again. */
export type CachedHandler<Answer> = (signal: AbortSignal, forget: () => void) => Promise<Answer>

/**
 * Answers what was asked before at the same block from memory, also while the first answer is still being made. Failures are
 * not kept.
 */
export function createResponseCache<Answer>(most = 2_000) {
  const answers = new Map<string, Answer>()
  const flights = createFlights<Answer>()
  let block: string | undefined

  /** The oldest goes when there are too many. */
  function keep(question: string, made: Answer): void {
    answers.set(question, made)
    const [oldest] = answers.keys()
    if (answers.size > most && oldest !== undefined) answers.delete(oldest)
  }

  return async (
    question: string,
    atBlock: string,
    answer: CachedHandler<Answer>,
    signal = new AbortController().signal,
  ): Promise<Answer> => {
    if (atBlock !== block) {
      answers.clear()
      block = atBlock
    }
    const known = answers.get(question)
    if (known !== undefined) return known

    return flights(`${atBlock} ${question}`, signal, async (everybody) => {
      let isKept = true
      const made = await answer(everybody, () => {
        isKept = false
      })
      if (isKept && atBlock === block) keep(question, made)
      return made
    })
  }
}
