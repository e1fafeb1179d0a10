import { createFlights } from './flights.ts'

/** Makes an answer. `signal` says when nobody waits for it any more; `forget` is called when it is not to be given again. */
export type Answering<Answer> = (signal: AbortSignal, forget: () => void) => Promise<Answer>

/**
 * Answers what was asked before at the same block from memory, also while the first answer is still being made. Failures are
 * not kept.
 */
export function createRepeats<Answer>(most = 2_000) {
  const answers = new Map<string, Answer>()
  const flights = createFlights<Answer>()
  let block: string | undefined

  return async (
    question: string,
    atBlock: string,
    answer: Answering<Answer>,
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
      if (isKept && atBlock === block && answers.size < most) answers.set(question, made)
      return made
    })
  }
}
