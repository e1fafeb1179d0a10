import { createStore } from 'zustand/vanilla'
import type { CallBatch } from '../domain/activity/callBatch.ts'
import type { NetworkFee } from '../domain/network/networkFee.ts'
import type { Address } from '../domain/token/token.ts'
import { toWalletError, WalletError } from '../errors.ts'
import type { Allowance, AllowancesApi, RevokeRequest, TransactionsApi } from '../protocol.ts'
import { type Clock, createTimer } from './clock.ts'
import { randomId } from './randomId.ts'
import { retryOnWorkerRestart } from './retryOnWorkerRestart.ts'

export type RevokeState =
  | { at: 'pricing' }
  | { at: 'priced'; fee: NetworkFee }
  | { at: 'sending' }
  /** Unsigned: the wallet is locked. */
  | { at: 'needs-unlock' }
  | { at: 'failed'; error: WalletError }

export type AllowancesState = {
  /** Undefined until read. */
  list: Allowance[] | undefined
  error: WalletError | undefined
  /** Amounts read one by one, newer than `list`, by `allowanceKey`. */
  named: Record<string, bigint>
  revocations: Record<string, RevokeState>
}

type Deps = Pick<AllowancesApi, 'allowances' | 'allowance' | 'revokeFee' | 'revoke'> &
  Pick<TransactionsApi, 'callBatch'>

const lookEveryMs = 2_000
const followForMs = 10 * 60_000
const nothing: AllowancesState = { list: undefined, error: undefined, named: {}, revocations: {} }

export function createAllowances(wallet: Deps, clock: Clock, newId: () => string = randomId) {
  const store = createStore<AllowancesState>()(() => nothing)
  /** Only the newest `load` counts. */
  let question = 0
  /** Keys read since then. */
  const newer = new Set<string>()

  function name(key: string, amount: bigint): void {
    newer.add(key)
    store.setState(({ named }) => ({ named: { ...named, [key]: amount } }))
  }
  const enter = (key: string, revocation: RevokeState | undefined) =>
    store.setState(({ revocations }) => {
      const { [key]: _, ...others } = revocations
      return { revocations: revocation === undefined ? others : { ...others, [key]: revocation } }
    })
  const isAt = (key: string, at: RevokeState['at']) => store.getState().revocations[key]?.at === at

  /** Permit2 allowances are only read with the whole list. */
  async function look({ chainId, account, token, spender, via }: RevokeRequest): Promise<bigint> {
    if (via === undefined)
      return retryOnWorkerRestart(clock, () => wallet.allowance(chainId, account, token, spender))
    const all = await retryOnWorkerRestart(clock, () => wallet.allowances(chainId, account))
    const found = all.find((one) => one.token.address === token && one.spender === spender && one.via === via)
    return found?.amount ?? 0n
  }

  /** Resolves once confirmed; throws the failure, or `node-timeout`. */
  async function follow(key: string, id: string): Promise<void> {
    const waiting = createTimer(clock)
    const until = clock.now() + followForMs
    while (clock.now() < until) {
      // The poll restarts a stopped worker.
      const sending = await wallet.callBatch(id).catch(() => 'unanswered' as const)
      if (sending === undefined) throw new WalletError('internal', `The wallet knows of no revocation ${id}.`)
      if (sending !== 'unanswered') {
        const { outcome } = sending
        if (outcome.status === 'failed') throw new WalletError(outcome.code, outcome.message, outcome.facts)
        if (isCarriedOut(sending)) return
        enter(key, { at: outcome.status === 'needs-unlock' ? 'needs-unlock' : 'sending' })
      }
      await new Promise<void>((go) => waiting.set(lookEveryMs, go))
    }
    throw new WalletError('node-timeout', `The network has not carried out the revocation ${id} yet.`)
  }

  return {
    ...store,

    async load(chainId: number, account: Address): Promise<void> {
      question += 1
      const mine = question
      newer.clear()
      store.setState({ list: undefined, error: undefined })
      try {
        const list = await retryOnWorkerRestart(
          clock,
          () => wallet.allowances(chainId, account),
          () => mine === question,
        )
        if (mine === question) {
          const named = Object.entries(store.getState().named).filter(([key]) => newer.has(key))
          store.setState({ list, named: Object.fromEntries(named) })
        }
      } catch (error) {
        if (mine === question) store.setState({ error: toWalletError(error) })
      }
    },

    async look(ask: RevokeRequest): Promise<void> {
      name(allowanceKey(ask), await look(ask))
    },

    async price(ask: RevokeRequest): Promise<void> {
      const key = allowanceKey(ask)
      if (isAt(key, 'sending') || isAt(key, 'needs-unlock') || isAt(key, 'pricing')) return
      enter(key, { at: 'pricing' })
      try {
        enter(key, { at: 'priced', fee: await retryOnWorkerRestart(clock, () => wallet.revokeFee(ask)) })
      } catch (error) {
        enter(key, { at: 'failed', error: toWalletError(error) })
      }
    },

    /** Resolves once the revocation is confirmed. */
    async revoke(ask: RevokeRequest): Promise<void> {
      const key = allowanceKey(ask)
      const priced = store.getState().revocations[key]
      if (priced?.at !== 'priced') return
      enter(key, { at: 'sending' })
      try {
        const id = newId()
        await retryOnWorkerRestart(clock, () => wallet.revoke({ ...ask, id, feeCap: priced.fee.feeCap }))
        await follow(key, id)
        name(key, await look(ask))
        enter(key, undefined)
      } catch (error) {
        enter(key, { at: 'failed', error: toWalletError(error) })
      }
    },
  }
}

export function allowanceKey({ chainId, account, token, spender, via }: RevokeRequest): string {
  return [chainId, account, token, spender, via].join(' ')
}

/** Unsigned batches have no step. */
function isCarriedOut({ steps: [step], outcome }: CallBatch): boolean {
  return outcome.status === 'done' || step?.state === 'mined' || step?.state === 'final'
}
