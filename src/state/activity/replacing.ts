import { createStore } from 'zustand/vanilla'
import {
  acceptReplacement,
  type Fees,
  type Replacement,
  type ReplacementKind,
} from '../../domain/activity/replacement.ts'
import { toWalletError, type WalletError } from '../../errors.ts'
import type { TransactionsApi } from '../../protocol.ts'
import type { Clock } from '../clock.ts'
import { retryOnWorkerRestart } from '../retryOnWorkerRestart.ts'

/** How far another transaction in the place of one that waits has come. */
export type ReplacingState =
  | { at: 'idle' }
  | { at: 'pricing' }
  /** `error`: why the try before was not taken. */
  | { at: 'priced'; offer: Replacement; error?: WalletError }
  | { at: 'sending'; offer: Replacement }
  /** It is stored, and the node was told. */
  | { at: 'sent' }
  /** There is nothing to replace any more, or nobody could say what that costs. */
  | { at: 'failed'; error: WalletError }

type Deps = Pick<TransactionsApi, 'replacement' | 'replace'>

/** Speeds up a transaction that waits, or cancels it: one at a time, as somebody looks at it. */
export function createReplacing(wallet: Deps, clock: Clock) {
  const store = createStore<ReplacingState>()(() => ({ at: 'idle' }))
  let wanted: { id: string; wish: ReplacementKind } | undefined

  async function price(error?: WalletError): Promise<void> {
    const mine = wanted
    if (mine === undefined) return
    store.setState({ at: 'pricing' }, true)
    try {
      const offer = await retryOnWorkerRestart(clock, () => wallet.replacement(mine.id, mine.wish))
      if (mine === wanted) store.setState({ at: 'priced', offer, ...(error && { error }) }, true)
    } catch (cause) {
      if (mine === wanted) store.setState({ at: 'failed', error: toWalletError(cause) }, true)
    }
  }

  return {
    ...store,

    /** Finds out what it costs. */
    ask(id: string, wish: ReplacementKind): Promise<void> {
      wanted = { id, wish }
      return price()
    },

    /** The same question once more. */
    again: () => price(),

    /** Puts it there, for what is on the screen. Asking twice is asking once. */
    async confirm(fees: Fees): Promise<void> {
      const mine = wanted
      const now = store.getState()
      if (mine === undefined || now.at !== 'priced') return
      const { offer } = now
      store.setState({ at: 'sending', offer }, true)
      try {
        await retryOnWorkerRestart(clock, () =>
          wallet.replace({ ...mine, ...acceptReplacement(offer, fees) }),
        )
        if (mine === wanted) store.setState({ at: 'sent' }, true)
      } catch (cause) {
        const error = toWalletError(cause)
        if (mine !== wanted) return
        // What it has to pay, or what it costs, is another now.
        if (error.code === 'underpriced' || error.code === 'stale-review') await price(error)
        else if (isOver(error)) store.setState({ at: 'failed', error }, true)
        else store.setState({ at: 'priced', offer, error }, true)
      }
    },

    /** Nobody looks any more. What was sent is sent. */
    leave(): void {
      wanted = undefined
      store.setState({ at: 'idle' }, true)
    },
  }
}

function isOver({ code }: WalletError): boolean {
  return code === 'already-mined' || code === 'invalid-input'
}
