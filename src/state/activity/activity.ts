import { createStore } from 'zustand/vanilla'
import type { Activity } from '../../domain/activity/activity.ts'
import { toWalletError, type WalletError } from '../../errors.ts'
import type { SwapsApi, TransactionsApi } from '../../protocol.ts'
import { type Clock, createTimer } from '../clock.ts'
import { retryOnWorkerRestart } from '../retryOnWorkerRestart.ts'

/** Swaps, transfers and what pages sent, the newest first; undefined until they were read. `error` says why they could not be. */
export type ActivityState = { entries: Activity[] | undefined; error: WalletError | undefined }

type Deps = Pick<SwapsApi, 'swaps'> & Pick<TransactionsApi, 'callBatches'>

const lookEveryMs = 2_000

/** All that was ever sent, for as long as somebody looks at it. */
export function createActivity(wallet: Deps, clock: Clock) {
  const store = createStore<ActivityState>()(() => ({ entries: undefined, error: undefined }))
  const looking = createTimer(clock)
  let watchers = 0
  /** The question that is out: whoever asks meanwhile waits for its answer. */
  let reading: Promise<void> | undefined
  /** What was heard since the last question: newer than its answer. */
  const newer = new Map<string, Activity>()

  function know(entries: Activity[]): void {
    const byId = new Map([...entries, ...newer.values()].map((one) => [one.intent.id, one]))
    store.setState({ entries: newestFirst([...byId.values()]), error: undefined })
    // The browser may stop a worker that waits for a block. Asking starts it again, and it goes on where it was.
    if (watchers > 0 && [...byId.values()].some(isWorking)) looking.set(lookEveryMs, () => void refresh())
    else looking.stop()
  }

  async function read(): Promise<void> {
    newer.clear()
    try {
      const lists = await retryOnWorkerRestart(clock, () =>
        Promise.all([wallet.swaps(), wallet.callBatches()]),
      )
      know(lists.flat())
    } catch (error) {
      const { entries } = store.getState()
      // What was read before is still true of most.
      if (entries !== undefined) know(entries)
      else store.setState({ error: toWalletError(error) })
    }
  }

  /** Reads all of it. */
  function refresh(): Promise<void> {
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }

  return {
    ...store,
    refresh,

    heard(one: Activity): void {
      newer.set(one.intent.id, one)
      const { entries } = store.getState()
      if (entries !== undefined) know(entries)
    },

    /** Reads all of it, and looks again while something is under way, until the last who watches has called what it got from here. */
    watch(): () => void {
      watchers += 1
      // What somebody watches already is fresh.
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

function isWorking({ outcome }: Activity): boolean {
  return outcome.status === 'working'
}

function newestFirst(entries: Activity[]): Activity[] {
  // When a damaged one was nobody knows: it may be the newest.
  const at = ({ createdAt }: Activity) => createdAt || Number.MAX_VALUE
  return entries.sort((one, other) => at(other) - at(one))
}
