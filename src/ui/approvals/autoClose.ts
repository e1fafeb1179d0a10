import type { Stores } from '../../state/stores.ts'

/** A swap's progress comes on the screen a moment after its request is answered. */
const afterMs = 200

/** Closes the approval window when nothing is left to answer or to watch. Answers the way to stop. */
export function watchRequests(
  { approvals, swap }: Pick<Stores, 'approvals' | 'swap'>,
  close: () => void,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const isOver = () => {
    const { isKnown, shown } = approvals.getState()
    const { at } = swap.getState().stage
    return isKnown && shown === undefined && at !== 'confirming' && at !== 'progress'
  }
  const look = () => {
    clearTimeout(timer)
    if (isOver()) timer = setTimeout(() => isOver() && close(), afterMs)
  }
  look()
  const ties = [approvals.subscribe(look), swap.subscribe(look)]
  return () => {
    clearTimeout(timer)
    for (const untie of ties) untie()
  }
}
