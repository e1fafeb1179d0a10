import { createStore } from 'zustand/vanilla'
import { type ActivityEntry, getEntryId, isIncoming } from '../../domain/activity/incoming.ts'
import { toWalletError, type WalletError } from '../../errors.ts'
import type { SwapsApi, TransactionsApi } from '../../protocol.ts'
import { type Clock, createTimer } from '../clock.ts'
import { retryOnWorkerRestart } from '../retryOnWorkerRestart.ts'

/** Newest first; undefined until read. */
export type ActivityState = { entries: ActivityEntry[] | undefined; error: WalletError | undefined }

type Deps = Pick<SwapsApi, 'swaps'> & Pick<TransactionsApi, 'callBatches' | 'incomingTransfers'>

const lookEveryMs = 2_000

export function createActivity(wallet: Deps, clock: Clock) {
  const store = createStore<ActivityState>()(() => ({ entries: undefined, error: undefined }))
  const looking = createTimer(clock)
  let watchers = 0
  /** Single-flight. */
  let reading: Promise<void> | undefined
  /** Updates since the last read began; they override its result. */
  const newer = new Map<string, ActivityEntry>()

  function know(entries: ActivityEntry[]): void {
    const byId = new Map([...entries, ...newer.values()].map((one) => [getEntryId(one), one]))
    store.setState({ entries: newestFirst([...byId.values()]), error: undefined })
    // A browser may stop the waiting worker; polling restarts it.
    if (watchers > 0 && [...byId.values()].some(isWorking)) looking.set(lookEveryMs, () => void refresh())
    else looking.stop()
  }

  async function read(): Promise<void> {
    newer.clear()
    try {
      const lists = await retryOnWorkerRestart(clock, () =>
        Promise.all([wallet.swaps(), wallet.callBatches(), wallet.incomingTransfers()]),
      )
      know(lists.flat())
    } catch (error) {
      const { entries } = store.getState()
      if (entries !== undefined) know(entries)
      else store.setState({ error: toWalletError(error) })
    }
  }

  function refresh(): Promise<void> {
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }

  return {
    ...store,
    refresh,

    heard(one: ActivityEntry): void {
      newer.set(getEntryId(one), one)
      const { entries } = store.getState()
      if (entries !== undefined) know(entries)
    },

    /** Polls while an entry is pending, until the last watcher calls the returned function. */
    watch(): () => void {
      watchers += 1
      if (watchers === 1 || store.getState().entries === undefined) refresh()
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        watchers -= 1
        if (watchers === 0) looking.stop()
      }
    },
  }
}

function isWorking(one: ActivityEntry): boolean {
  return !isIncoming(one) && one.outcome.status === 'working'
}

function newestFirst(entries: ActivityEntry[]): ActivityEntry[] {
  // Damaged entries have no date and sort first.
  const at = ({ createdAt }: ActivityEntry) => createdAt || Number.MAX_VALUE
  return entries.sort((one, other) => at(other) - at(one))
}
