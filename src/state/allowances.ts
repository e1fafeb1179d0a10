import { createStore } from 'zustand/vanilla'
import type { CallBatch } from '../domain/activity/callBatch.ts'
import type { Address } from '../domain/token/token.ts'
import { toWalletError, WalletError } from '../errors.ts'
import type { Allowance, AllowancesApi, RevokeRequest, TransactionsApi } from '../protocol.ts'
import { type Clock, createTimer } from './clock.ts'
import { randomId } from './randomId.ts'
import { retryOnWorkerRestart } from './retryOnWorkerRestart.ts'

/** A permission on its way back. */
export type RevokeState =
  | { at: 'pricing' }
  /** One press away, for `fee` wei at most. */
  | { at: 'priced'; fee: bigint }
  | { at: 'sending' }
  /** It is not signed yet, and the wallet is locked. */
  | { at: 'needs-unlock' }
  | { at: 'failed'; error: WalletError }

/** `named` are base units, and `revocations` how far each one came, both by `allowanceKey`. */
export type AllowancesState = {
  /** `undefined` until they were read. */
  list: Allowance[] | undefined
  /** Why they could not be. */
  error: WalletError | undefined
  /** Permissions that were looked at one by one: newer than the list. */
  named: Record<string, bigint>
  revocations: Record<string, RevokeState>
}

type Deps = Pick<AllowancesApi, 'allowances' | 'allowance' | 'revokeFee' | 'revoke'> &
  Pick<TransactionsApi, 'callBatch'>

const lookEveryMs = 2_000
const followForMs = 10 * 60_000
const nothing: AllowancesState = { list: undefined, error: undefined, named: {}, revocations: {} }

/** What others may take of an account's tokens, and the way to take that back. */
export function createAllowances(wallet: Deps, clock: Clock, newId: () => string = randomId) {
  const store = createStore<AllowancesState>()(() => nothing)
  /** The newest question for the whole list. An answer to any other is dropped. */
  let question = 0
  /** What was looked at since that question. */
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

  /** What may be taken of one token now. Permit2's own books are read with the list alone. */
  async function look({ chainId, account, token, spender, via }: RevokeRequest): Promise<bigint> {
    if (via === undefined)
      return retryOnWorkerRestart(clock, () => wallet.allowance(chainId, account, token, spender))
    const all = await retryOnWorkerRestart(clock, () => wallet.allowances(chainId, account))
    const found = all.find((one) => one.token.address === token && one.spender === spender && one.via === via)
    return found?.amount ?? 0n
  }

  /** Answers once the network has carried it out, or throws why it has not, as far as that is known by then. */
  async function follow(key: string, id: string): Promise<void> {
    const waiting = createTimer(clock)
    const until = clock.now() + followForMs
    while (clock.now() < until) {
      // A worker that stopped is started by the next question, and goes on where it was.
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

    /** Reads all of them anew. */
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
        // What was looked at before the question is in the list now; what was looked at since is newer.
        if (mine === question) {
          const named = Object.entries(store.getState().named).filter(([key]) => newer.has(key))
          store.setState({ list, named: Object.fromEntries(named) })
        }
      } catch (error) {
        if (mine === question) store.setState({ error: toWalletError(error) })
      }
    },

    /** Reads one of them. */
    async look(ask: RevokeRequest): Promise<void> {
      name(allowanceKey(ask), await look(ask))
    },

    /** Finds out what taking it back costs. */
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

    /** Takes it back for the fee on the screen, and follows that until the network has carried it out. */
    async revoke(ask: RevokeRequest): Promise<void> {
      const key = allowanceKey(ask)
      const priced = store.getState().revocations[key]
      if (priced?.at !== 'priced') return
      enter(key, { at: 'sending' })
      try {
        const id = newId()
        await retryOnWorkerRestart(clock, () => wallet.revoke({ ...ask, id, feeCap: priced.fee }))
        await follow(key, id)
        name(key, await look(ask))
        enter(key, undefined)
      } catch (error) {
        enter(key, { at: 'failed', error: toWalletError(error) })
      }
    },
  }
}

/** A permission's name. */
export function allowanceKey({ chainId, account, token, spender, via }: RevokeRequest): string {
  return [chainId, account, token, spender, via].join(' ')
}

/** A revocation is one call; before that is signed it has no step yet. */
function isCarriedOut({ steps: [step], outcome }: CallBatch): boolean {
  return outcome.status === 'done' || step?.state === 'mined' || step?.state === 'final'
}
