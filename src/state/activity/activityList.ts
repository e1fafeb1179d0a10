import { createStore } from 'zustand/vanilla'
import { type ActivityFilter, matches } from '../../domain/activity/activityFilter.ts'
import { type ActivityNames, searchActivity } from '../../domain/activity/activitySearch.ts'
import type { ActivityEntry } from '../../domain/activity/incoming.ts'
import type { Address } from '../../domain/token/token.ts'

export type ActivityListState = Pick<ActivityFilter, 'kind' | 'state'> & {
  text: string
  /** Includes all accounts. */
  isOfAll: boolean
  /** Current network only. */
  isHere: boolean
  /** Entries drawn. */
  most: number
}

const pageSize = 50

const nothingWanted = { text: '', isOfAll: false, isHere: false, kind: undefined, state: undefined }

export function createActivityList() {
  const store = createStore<ActivityListState>()(() => ({ ...nothingWanted, most: pageSize }))
  return {
    ...store,
    want: (changes: Partial<Omit<ActivityListState, 'most'>>) =>
      store.setState({ ...changes, most: pageSize }),
    clear: () => store.setState({ ...nothingWanted, isOfAll: true, most: pageSize }),
    more: () => store.setState(({ most }) => ({ most: most + pageSize })),
  }
}

export function findIn(
  entries: readonly ActivityEntry[],
  { text, isOfAll, isHere, kind, state }: ActivityListState,
  { account, chainId }: { account: Address; chainId: number },
  names: ActivityNames,
): ActivityEntry[] {
  const filter: ActivityFilter = {
    account: isOfAll ? undefined : account,
    chainId: isHere ? chainId : undefined,
    kind,
    state,
  }
  return searchActivity(
    entries.filter((one) => matches(one, filter)),
    text,
    names,
  )
}
