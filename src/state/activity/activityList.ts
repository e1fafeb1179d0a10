import { createStore } from 'zustand/vanilla'
import type { Activity } from '../../domain/activity/activity.ts'
import { type ActivityFilter, matches } from '../../domain/activity/activityFilter.ts'
import { type Names, searchActivity } from '../../domain/activity/activitySearch.ts'
import type { Address } from '../../domain/token/token.ts'

/** What of the activity is looked for. It stays while the view lives. */
export type ActivityListState = Pick<ActivityFilter, 'kind' | 'state'> & {
  text: string
  /** Everybody's of this wallet, or the account's that acts. */
  isOfAll: boolean
  /** Of the network that is chosen, or of every one. */
  isHere: boolean
  /** So many are drawn. */
  most: number
}

/** Nobody reads further at one go, and it is drawn at once. */
const pageSize = 50

const nothingWanted = { text: '', isOfAll: false, isHere: false, kind: undefined, state: undefined }

export function createActivityList() {
  const store = createStore<ActivityListState>()(() => ({ ...nothingWanted, most: pageSize }))
  return {
    ...store,
    /** What is looked for is another: from the top. */
    want: (changes: Partial<Omit<ActivityListState, 'most'>>) =>
      store.setState({ ...changes, most: pageSize }),
    clear: () => store.setState({ ...nothingWanted, isOfAll: true, most: pageSize }),
    more: () => store.setState(({ most }) => ({ most: most + pageSize })),
  }
}

/** The entries that are looked for, in the order they came. */
export function findIn(
  entries: readonly Activity[],
  { text, isOfAll, isHere, kind, state }: ActivityListState,
  { account, chainId }: { account: Address; chainId: number },
  names: Names,
): Activity[] {
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
