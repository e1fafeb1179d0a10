import { createStore } from 'zustand/vanilla'
import type { CallPreview } from '../../domain/activity/callBatch.ts'
import type { Risk } from '../../domain/dapp/risk.ts'
import type { Quote, Trade } from '../../domain/swap/quote.ts'
import { toWalletError, type WalletError } from '../../errors.ts'
import type { DappsApi, QuotesApi } from '../../protocol.ts'
import { type Clock, createTimer } from '../clock.ts'
import { retryOnWorkerRestart } from '../retryOnWorkerRestart.ts'

export type PreviewState =
  | { status: 'idle' }
  /** `slow` once the user has waited long enough to go on without it. */
  | { status: 'loading'; id: string; slow: boolean }
  /** `trouble` is why the last renewal failed: what is shown is older than it should be. */
  | { status: 'ready'; id: string; preview: CallPreview; trouble: WalletError | undefined }
  | { status: 'failed'; id: string; error: WalletError }

const renewEveryMs = 12_000
const slowAfterMs = 5_000

/** What the calls of one request would do, asked again while somebody looks. A late answer to an old question never shows. */
export function createPreview(
  wallet: Pick<DappsApi, 'previewCalls' | 'signRisks' | 'recipientRisks'> & Pick<QuotesApi, 'quote'>,
  clock: Clock,
) {
  const store = createStore<PreviewState>()(() => ({ status: 'idle' }))
  const show = (state: PreviewState) => store.setState(state, true)
  const renewing = createTimer(clock)
  const waiting = createTimer(clock)
  /** The newest question. An answer to any other is dropped. */
  let question = 0

  async function ask(id: string): Promise<void> {
    question += 1
    const mine = question
    try {
      const isWanted = () => mine === question
      const preview = await retryOnWorkerRestart(clock, () => wallet.previewCalls(id), isWanted)
      if (isWanted()) show({ status: 'ready', id, preview, trouble: undefined })
    } catch (cause) {
      if (mine === question) fail(id, toWalletError(cause))
    }
    if (mine !== question) return
    waiting.stop()
    renewing.set(renewEveryMs, () => ask(id))
  }

  function fail(id: string, error: WalletError): void {
    const before = store.getState()
    show(before.status === 'ready' ? { ...before, trouble: error } : { status: 'failed', id, error })
  }

  return {
    ...store,

    /** Goes on until `stop`, or until another request is watched. */
    watch(id: string): void {
      renewing.stop()
      show({ status: 'loading', id, slow: false })
      waiting.set(slowAfterMs, () => show({ status: 'loading', id, slow: true }))
      ask(id)
    },

    stop(): void {
      question += 1
      renewing.stop()
      waiting.stop()
      show({ status: 'idle' })
    },

    /** Of typed data, asked once. */
    signRisks: (id: string): Promise<Risk[]> => retryOnWorkerRestart(clock, () => wallet.signRisks(id)),

    /** About recipients, asked once. */
    recipientRisks: (id: string): Promise<Risk[]> =>
      retryOnWorkerRestart(clock, () => wallet.recipientRisks(id)),

    /** What the wallet's own service pays for a trade that somebody else built. */
    quote: (trade: Trade): Promise<Quote> => wallet.quote({ trade }),
  }
}
