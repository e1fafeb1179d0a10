import { createSingleFlight } from './singleFlight.ts'

/** `signal` aborts when all clients have disconnected; `forget` prevents caching. */
export type CachedHandler<Answer> = (signal: AbortSignal, forget: () => void) => Promise<Answer>

/** Creates a single-flight cache of a block's responses, without errors. */
export function createResponseCache<Answer>(most = 2_000) {
  const answers = new Map<string, Answer>()
  const flights = createSingleFlight<Answer>()
  let block: string | undefined

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
