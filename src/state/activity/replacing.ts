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

export type ReplacingState =
  | { at: 'idle' }
  | { at: 'pricing' }
  /** `error`: why the last attempt was rejected. */
  | { at: 'priced'; offer: Replacement; error?: WalletError }
  | { at: 'sending'; offer: Replacement }
  | { at: 'sent' }
  | { at: 'failed'; error: WalletError }

type Deps = Pick<TransactionsApi, 'replacement' | 'replace'>

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

    ask(id: string, wish: ReplacementKind): Promise<void> {
      wanted = { id, wish }
      return price()
    },

    again: () => price(),

    /** Repeated calls send it once. */
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
        if (error.code === 'underpriced' || error.code === 'stale-review') await price(error)
        else if (isOver(error)) store.setState({ at: 'failed', error }, true)
        else store.setState({ at: 'priced', offer, error }, true)
      }
    },

    leave(): void {
      wanted = undefined
      store.setState({ at: 'idle' }, true)
    },
  }
}

function isOver({ code }: WalletError): boolean {
  return code === 'already-mined' || code === 'invalid-input'
}
