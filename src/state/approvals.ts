import { createStore } from 'zustand/vanilla'
import type { Approval, Decision } from '../domain/approval.ts'
import { toWalletError, type WalletError } from '../errors.ts'
import type { Wallet } from '../protocol.ts'
import type { Clock } from './clock.ts'

export type ApprovalsState = {
  /** What pages ask and nobody has answered yet, the oldest first. */
  open: Approval[]
  /** The one on the screen. */
  id: string | undefined
  /** The worker has told what is open: nothing is nothing. */
  isKnown: boolean
  /** Why that could not be read. */
  error: WalletError | undefined
}

const attempts = 5
const attemptEveryMs = 300

/** What pages ask of the user. The one being looked at stays where it is when others come. */
export function createApprovals(wallet: Wallet, clock: Clock) {
  const store = createStore<ApprovalsState>()(() => ({
    open: [],
    id: undefined,
    isKnown: false,
    error: undefined,
  }))

  function heard(told: Approval[]): void {
    const open = oldestFirst(told)
    const { id: before } = store.getState()
    const id = open.some((one) => one.id === before) ? before : open[0]?.id
    store.setState({ open, id, isKnown: true, error: undefined })
  }

  /** It is answered. The worker says so too, but perhaps later. */
  function drop(id: string): void {
    heard(store.getState().open.filter((one) => one.id !== id))
  }

  /** A worker that stops before it answers is asked again: approving twice with one decision is approving once. */
  async function handOver(id: string, decision: Decision, attempt = 1): Promise<void> {
    try {
      await wallet.approve(id, decision)
    } catch (error) {
      if (toWalletError(error).code !== 'worker-stopped' || attempt === attempts) throw error
      await new Promise<void>((go) => clock.after(attemptEveryMs * attempt, go))
      await handOver(id, decision, attempt + 1)
    }
  }

  return {
    ...store,
    heard,

    async load(): Promise<void> {
      try {
        heard(await wallet.approvals())
      } catch (error) {
        store.setState({ error: toWalletError(error) })
      }
    },

    /** Says yes to the request with this id, and to no other that may have taken its place. It stays open when this throws. */
    async approve(id: string, decision: Decision): Promise<void> {
      await handOver(id, decision)
      drop(id)
    },
    async reject(id: string): Promise<void> {
      await wallet.reject(id)
      drop(id)
    },
    async rejectAll(): Promise<void> {
      await wallet.rejectAll()
      heard([])
    },

    /** Brings the approval window to the front. */
    show: () => wallet.showApprovals(),
  }
}

/** The request on the screen. */
export function currentApproval({ open, id }: ApprovalsState): Approval | undefined {
  return open.find((one) => one.id === id)
}

function oldestFirst(open: Approval[]): Approval[] {
  return [...open].sort((one, other) => one.createdAt - other.createdAt)
}
