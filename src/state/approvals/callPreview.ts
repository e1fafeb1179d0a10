import { createStore } from 'zustand/vanilla'
import type { CallPreview } from '../../domain/activity/callBatch.ts'
import type { Risk } from '../../domain/dapp/risks/risk.ts'
import type { Quote, Trade } from '../../domain/swap/quote.ts'
import { toWalletError, type WalletError } from '../../errors.ts'
import type { DappsApi, QuotesApi } from '../../protocol.ts'
import { type Clock, createTimer } from '../clock.ts'
import { retryOnWorkerRestart } from '../retryOnWorkerRestart.ts'

export type PreviewState =
  | { status: 'idle' }
  /** `slow`: the user may continue without it. */
  | { status: 'loading'; id: string; slow: boolean }
  /** `trouble`: why the last refresh failed. */
  | { status: 'ready'; id: string; preview: CallPreview; trouble: WalletError | undefined }
  | { status: 'failed'; id: string; error: WalletError }

const renewEveryMs = 12_000
const slowAfterMs = 5_000

export function createPreview(
  wallet: Pick<DappsApi, 'previewCalls' | 'signRisks' | 'recipientRisks'> & Pick<QuotesApi, 'quote'>,
  clock: Clock,
) {
  const store = createStore<PreviewState>()(() => ({ status: 'idle' }))
  const show = (state: PreviewState) => store.setState(state, true)
  const renewing = createTimer(clock)
  const waiting = createTimer(clock)
  /** Only the newest call counts. */
  let question = 0

  async function ask(id: string, limit?: bigint): Promise<void> {
    question += 1
    const mine = question
    try {
      const isWanted = () => mine === question
      const preview = await retryOnWorkerRestart(clock, () => wallet.previewCalls(id, limit), isWanted)
      if (isWanted()) show({ status: 'ready', id, preview, trouble: undefined })
    } catch (cause) {
      if (mine === question) fail(id, toWalletError(cause))
    }
    if (mine !== question) return
    waiting.stop()
    renewing.set(renewEveryMs, () => ask(id, limit))
  }

  function fail(id: string, error: WalletError): void {
    const before = store.getState()
    show(before.status === 'ready' ? { ...before, trouble: error } : { status: 'failed', id, error })
  }

  return {
    ...store,

    /** `limit`: spending limit in place of the requested one. Asks after `delayMs`. */
    watch(id: string, limit?: bigint, delayMs = 0): void {
      question += 1
      show({ status: 'loading', id, slow: false })
      waiting.set(delayMs + slowAfterMs, () => show({ status: 'loading', id, slow: true }))
      renewing.stop()
      if (delayMs > 0) renewing.set(delayMs, () => ask(id, limit))
      else ask(id, limit)
    },

    stop(): void {
      question += 1
      renewing.stop()
      waiting.stop()
      show({ status: 'idle' })
    },

    /** Typed data only. */
    signRisks: (id: string): Promise<Risk[]> => retryOnWorkerRestart(clock, () => wallet.signRisks(id)),

    recipientRisks: (id: string): Promise<Risk[]> =>
      retryOnWorkerRestart(clock, () => wallet.recipientRisks(id)),

    /** Uses the wallet's swap service. */
    quote: (trade: Trade): Promise<Quote> => wallet.quote({ trade }),
  }
}
