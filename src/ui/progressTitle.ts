import type { Swap } from '../domain/swap.ts'

/** What became of a swap, in a word or two. Wrapping the coin is no swap. */
export function progressTitle({ outcome, steps }: Swap): string {
  if (outcome.status === 'needs-unlock') return 'Waiting for you'
  if (outcome.status === 'done') return 'Done'
  const isOver = outcome.status === 'failed'
  if (steps.some(({ kind }) => kind === 'wrap')) return isOver ? 'Not wrapped' : 'Wrapping…'
  if (steps.some(({ kind }) => kind === 'unwrap')) return isOver ? 'Not unwrapped' : 'Unwrapping…'
  return isOver ? 'Not swapped' : 'Swapping…'
}
