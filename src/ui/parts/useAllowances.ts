import { createAllowances } from '../../state/allowances.ts'
import { useStores } from '../use.ts'

/** What others may take. Only screens that are fetched later look at it. */
export function useAllowances(): ReturnType<typeof createAllowances> {
  return useStores().open(createAllowances)
}
