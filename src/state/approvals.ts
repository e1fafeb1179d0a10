import { createStore } from 'zustand/vanilla'
import type { Approval, Decision } from '../domain/dapp/approval.ts'
import { toWalletError, type WalletError } from '../errors.ts'
import type { DappsApi } from '../protocol.ts'
import { type Clock, createTimer } from './clock.ts'
import { retryOnWorkerRestart } from './retryOnWorkerRestart.ts'

export type ApprovalsState = {
  /** What pages ask and nobody has answered yet, the oldest first. */
  open: Approval[]
  /** The one on the screen. It stays there while its answer is under way, and for a moment after it ended by itself. */
  shown: Approval | undefined
  /** The one on the screen ended without an answer from here: its page took it back, or its time was over. */
  isOver: boolean
  /** The worker has told what is open: nothing is nothing. */
  isKnown: boolean
  /** Why that could not be read. */
  error: WalletError | undefined
}

/** Time enough to read that a request is over. */
const overForMs = 6_000

/** What pages ask of the user. The one being looked at stays where it is when others come. */
export function createApprovals(wallet: DappsApi, clock: Clock) {
  const store = createStore<ApprovalsState>()(() => ({
    open: [],
    shown: undefined,
    isOver: false,
    isKnown: false,
    error: undefined,
  }))
  const leaving = createTimer(clock)
  /** Requests whose answers are under way. */
  const held = new Set<string>()

  function heard(told: Approval[]): void {
    const open = oldestFirst(told)
    const { shown, isOver: wasOver } = store.getState()
    const isOver = shown !== undefined && !held.has(shown.id) && open.every(({ id }) => id !== shown.id)
    if (isOver && !wasOver) leaving.set(overForMs, goOn)
    store.setState({ open, shown: shown ?? open[0], isOver, isKnown: true, error: undefined })
  }

  /** To the next one. */
  function goOn(): void {
    leaving.stop()
    store.setState(({ open }) => ({ shown: open[0], isOver: false }))
  }

  /** The answer is given. The worker says so too, but perhaps later. */
  function drop(id: string): void {
    held.delete(id)
    const { open, shown } = store.getState()
    store.setState({ open: open.filter((one) => one.id !== id) })
    if (shown?.id === id) goOn()
  }

  /** An answer is under way: the request stays on the screen, whatever the worker says meanwhile. */
  function hold(id: string): void {
    held.add(id)
  }

  /** The answer was not taken. The request may have ended meanwhile. */
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

    /**
     * Says yes to the request with this id, and to no other that may have taken its place. It stays open when this throws. Approving
     * twice with one decision is approving once.
     */
    approve: (id: string, decision: Decision): Promise<void> =>
      answer([id], () => retryOnWorkerRestart(clock, () => wallet.approve(id, decision))),
    reject: (id: string): Promise<void> => answer([id], () => wallet.reject(id)),
    rejectAll: (): Promise<void> =>
      answer(
        store.getState().open.map(({ id }) => id),
        () => wallet.rejectAll(),
      ),

    /** Brings the approval window to the front. */
    show: () => wallet.showApprovals(),
  }
}

function oldestFirst(open: Approval[]): Approval[] {
  return [...open].sort((one, other) => one.createdAt - other.createdAt)
}
