import type { Swap } from '../domain/swap.ts'
import { t } from '../language/translate.ts'

/** What became of a swap, in a word or two. Wrapping the coin is no swap. */
export function progressTitle({ outcome, steps }: Swap): string {
  if (outcome.status === 'needs-unlock') return t('Waiting for you')
  if (outcome.status === 'done') return t('Done')
  const isOver = outcome.status === 'failed'
  if (steps.some(({ kind }) => kind === 'wrap')) return isOver ? t('Not wrapped') : t('Wrapping…')
  if (steps.some(({ kind }) => kind === 'unwrap')) return isOver ? t('Not unwrapped') : t('Unwrapping…')
  return isOver ? t('Not swapped') : t('Swapping…')
}
