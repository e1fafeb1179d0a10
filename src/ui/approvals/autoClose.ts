import type { Stores } from '../../state/stores.ts'

/** Swap progress appears shortly after the answer. */
const afterMs = 200

/** Closes the approval window when nothing is left. Returns its stop function. */
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
