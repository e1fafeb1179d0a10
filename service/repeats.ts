/**
 * Answers what was asked before at the same block from memory, also while the first answer is still being made. Failures are
 * not kept.
 */
export function createRepeats<Answer>(most = 2_000) {
  const answers = new Map<string, Promise<Answer>>()
  let block: string | undefined

  return (question: string, atBlock: string, answer: () => Promise<Answer>): Promise<Answer> => {
    if (atBlock !== block) {
      answers.clear()
      block = atBlock
    }
    const known = answers.get(question)
    if (known !== undefined) return known

    const made = answer()
    if (answers.size < most) answers.set(question, made)
    made.catch(() => answers.delete(question))
    return made
  }
}
