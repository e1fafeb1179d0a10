import type { Step } from './job.ts'

/** Creates a cache of a block's responses, without errors and those that are not `isKept`. */
export function createResponseCache<Answer>(
  isKept: (answer: Answer) => boolean = () => true,
  most = 2_000,
): Step<Answer> {
  const answers = new Map<string, Answer>()
  let block: string | undefined

  function keep(question: string, made: Answer): void {
    answers.set(question, made)
    const [oldest] = answers.keys()
    if (answers.size > most && oldest !== undefined) answers.delete(oldest)
  }

  return async (job, next) => {
    if (job.block !== block) {
      answers.clear()
      block = job.block
    }
    const known = answers.get(job.question)
    if (known !== undefined) return known

    const made = await next(job)
    if (job.block === block && isKept(made)) keep(job.question, made)
    return made
  }
}
