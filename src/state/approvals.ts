import { createStore } from 'zustand/vanilla'
import type { Approval, Decision } from '../domain/dapp/approval.ts'
import { toWalletError, type WalletError } from '../errors.ts'
import type { DappsApi } from '../protocol.ts'
import { type Clock, createTimer } from './clock.ts'
import { retryOnWorkerRestart } from './retryOnWorkerRestart.ts'

export type ApprovalsState = {
  /** Oldest first. */
  open: Approval[]
  /** Stays until answered, and briefly after it ended. */
  shown: Approval | undefined
  /** `shown` was withdrawn or timed out. */
  isOver: boolean
  /** False until first loaded. */
  isKnown: boolean
  error: WalletError | undefined
}

const overForMs = 6_000

/** New requests never replace the one shown. */
export function createApprovals(wallet: DappsApi, clock: Clock) {
  const store = createStore<ApprovalsState>()(() => ({
    open: [],
    shown: undefined,
    isOver: false,
    isKnown: false,
    error: undefined,
  }))
  const leaving = createTimer(clock)
  /** Answers under way. */
  const held = new Set<string>()

  function heard(told: Approval[]): void {
    const open = oldestFirst(told)
    const { shown, isOver: wasOver } = store.getState()
    const isOver = shown !== undefined && !held.has(shown.id) && open.every(({ id }) => id !== shown.id)
    if (isOver && !wasOver) leaving.set(overForMs, goOn)
    store.setState({ open, shown: shown ?? open[0], isOver, isKnown: true, error: undefined })
  }

  function goOn(): void {
    leaving.stop()
    store.setState(({ open }) => ({ shown: open[0], isOver: false }))
  }

  function drop(id: string): void {
    held.delete(id)
    const { open, shown } = store.getState()
    store.setState({ open: open.filter((one) => one.id !== id) })
    if (shown?.id === id) goOn()
  }

  /** Keeps a request shown while its answer is under way. */
  function hold(id: string): void {
    held.add(id)
  }

  function release(id: string): void {
    held.delete(id)
    heard(store.getState().open)
  }

  async function answer(ids: string[], give: () => Promise<void>): Promise<void> {
    ids.forEach(hold)
    try {
      await give()
    } catch (error) {
      ids.forEach(release)
      throw error
    }
    ids.forEach(drop)
  }

  return {
    ...store,
    heard,
    goOn,
    hold,
    drop,
    release,

    async load(): Promise<void> {
      try {
        heard(await wallet.approvals())
      } catch (error) {
        store.setState({ error: toWalletError(error) })
      }
    },

    /** Stays open when this throws; a decision may be repeated. */
    approve: (id: string, decision: Decision): Promise<void> =>
      answer([id], () => retryOnWorkerRestart(clock, () => wallet.approve(id, decision))),
    reject: (id: string): Promise<void> => answer([id], () => wallet.reject(id)),
    rejectAll: (): Promise<void> =>
      answer(
        store.getState().open.map(({ id }) => id),
        () => wallet.rejectAll(),
      ),

    show: () => wallet.showApprovals(),
  }
}

function oldestFirst(open: Approval[]): Approval[] {
  return [...open].sort((one, other) => one.createdAt - other.createdAt)
}
