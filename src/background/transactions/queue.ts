import type { CallBatch, CallsIntent } from '../../domain/activity/callBatch.ts'
import { getChainId, hasOutcome, type Intent, isCallBatch, isSwap } from '../../domain/activity/intent.ts'
import type { Replacement, ReplacementKind, ReplaceRequest } from '../../domain/activity/replacement.ts'
import type { Swap, SwapIntent } from '../../domain/swap/swap.ts'
import { WalletError } from '../../errors.ts'
import { createKeyedMutex, createMutex } from '../../lib/async/mutex.ts'
import type { Vault } from '../../vault/vault.ts'
import type { Networks } from '../networks/networks.ts'
import type { SettingsStore } from '../settings.ts'
import { isRecordOpen, isSigned, isStepFinal, type Journal } from './journal.ts'
import { createProcessor, type FailureCounts, type NextAction } from './process.ts'
import { createReplace } from './replace.ts'
import type { IntentRecord, StepRecord } from './schemas.ts'
import { toView } from './toView.ts'

/** Executes intents exactly once, across worker restarts. */
export type TransactionQueue = {
  /**
   * Starts an intent; a known id returns its state. Throws `storage-failed`, `locked`, `watch-only` or
   * `invalid-input` before signing. `at`: time of approval.
   */
  swap(intent: SwapIntent, at?: number): Promise<Swap>
  send(intent: CallsIntent, at?: number): Promise<CallBatch>
  replacement(id: string, wish: ReplacementKind): Promise<Replacement>
  replace(ask: ReplaceRequest): Promise<Swap | CallBatch>
  /** Newest first. */
  list(): Promise<Swap[]>
  /** Newest first. */
  sendings(): Promise<CallBatch[]>
  openChains(): Promise<number[]>
  find(id: string): Promise<Swap | CallBatch | undefined>
  /** Resolves with the first state that satisfies `is`. */
  until(id: string, is: (one: Swap | CallBatch) => boolean): Promise<Swap | CallBatch>
  /** Rejects all `until` calls. */
  forget(): void
  /** At worker start, after unlock, and periodically. */
  resume(): Promise<void>
}

type Deps = {
  vault: Pick<Vault, 'requireKey' | 'status' | 'withKey'>
  journal: Journal
  networks: Networks
  settings: Pick<SettingsStore, 'get'>
  onChange(swap: Swap): void
  onSending(sending: CallBatch): void
  /** Called on a new status. */
  onStatusChange?(one: Swap | CallBatch): void
  now?(): number
  wait?(ms: number): Promise<void>
}

export function createTransactionQueue({
  vault,
  journal,
  networks,
  settings,
  onChange,
  onSending,
  onStatusChange,
  now = Date.now,
  wait = pause,
}: Deps): TransactionQueue {
  const runExclusive = createMutex()
  const runExclusiveById = createKeyedMutex()
  const followed = new Set<string>()
  const listeners = new Map<(one: Swap | CallBatch) => void, (error: WalletError) => void>()
  const advance = createProcessor({ vault, networks, settings, journal, save, now })
  const { offer, replace } = createReplace({ vault, networks, journal, save, now })

  async function save(record: IntentRecord): Promise<IntentRecord> {
    const before = await journal.get(record.intent.id)
    if (before === undefined) throw new WalletError('no-vault', isForgotten)
    return store(record, before)
  }

  async function store(record: IntentRecord, before?: IntentRecord): Promise<IntentRecord> {
    await journal.put(record)
    const view = toView(record)
    if (isSwap(view)) onChange(view)
    else onSending(view)
    if (before?.outcome.status !== view.outcome.status) onStatusChange?.(view)
    for (const listener of [...listeners.keys()]) listener(view)
    return record
  }

  async function follow(id: string): Promise<void> {
    if (followed.has(id)) return
    followed.add(id)
    try {
      const failures: FailureCounts = new WeakMap()
      let troubleSince: number | undefined
      let known: IntentRecord | undefined
      for (let looks = 0; ; looks++) {
        const found = await runExclusiveById(id, async () => {
          const record = await journal.get(id)
          if (record === undefined || !isRecordOpen(record)) return undefined
          return {
            record,
            next: await advance(record, failures, troubleSince).catch((): NextAction => 'wait'),
          }
        })
        if (found === undefined || found.next === 'stop') return
        const { record, next } = found
        if (record !== known) looks = 0
        known = record
        troubleSince = next === 'retry' ? (troubleSince ?? now()) : undefined
        if (next === 'continue') looks = -1
        // The other swap may end at any moment.
        if (next === 'yield') looks = 0
        if (next !== 'continue') await wait(pollDelay(getChainId(record.intent), looks))
      }
    } catch {
      // The next tick retries.
    } finally {
      followed.delete(id)
    }
  }

  function begin(intent: Intent, at = now()): Promise<Swap | CallBatch> {
    return runExclusive(async () => {
      const known = await journal.get(intent.id)
      if (known !== undefined) return toView(known)
      await vault.requireKey(intent.account)
      const record: IntentRecord = { intent, createdAt: at, steps: [], outcome: { status: 'working' } }
      await store(record)
      follow(intent.id)
      return toView(record)
    })
  }

  async function find(id: string): Promise<Swap | CallBatch | undefined> {
    const record = await journal.get(id)
    return record && toView(record)
  }

  return {
    async swap(intent, at) {
      const begun = await begin(intent, at)
      if (isSwap(begun)) return begun
      throw otherKind()
    },
    async send(intent, at) {
      const begun = await begin(intent, at)
      if (!isSwap(begun)) return begun
      throw otherKind()
    },
    replacement: offer,
    replace: async (ask) => toView(await runExclusiveById(ask.id, () => replace(ask))),
    list: async () => (await journal.list()).map(toView).filter(isSwap),
    sendings: async () => (await journal.list()).map(toView).filter(isCallBatch),
    openChains: async () => (await journal.list()).filter(isAwaited).map(({ intent }) => getChainId(intent)),
    find,
    until(id, is) {
      return new Promise((resolve, reject) => {
        const look = (one: Swap | CallBatch | undefined) => {
          if (one?.intent.id !== id || !is(one)) return
          listeners.delete(look)
          resolve(one)
        }
        listeners.set(look, reject)
        find(id).then(look, (error) => {
          listeners.delete(look)
          reject(error)
        })
      })
    },
    forget() {
      // Connected sites.
      for (const reject of listeners.values()) reject(new WalletError('not-connected', isForgotten))
      listeners.clear()
    },
    async resume() {
      for (const record of await journal.list()) if (isRecordOpen(record)) follow(record.intent.id)
    },
  }
}

/** Dropped transactions may reappear, but are not awaited. */
function isAwaited(record: IntentRecord): boolean {
  const mayChange = (step: StepRecord) => isSigned(step) && !isStepFinal(step) && step.state !== 'dropped'
  return !hasOutcome(record) || record.steps.some(mayChange)
}

const isForgotten = 'The wallet was forgotten, and this with it.'

/** Ids are random, so this is a caller's bug. */
function otherKind(): WalletError {
  return new WalletError('invalid-input', 'The id belongs to something else.')
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

const local = 31337
/** Blocks of 12 seconds; those of other chains take a few. */
const ethereum = 1

/** Returns the delay in milliseconds after `looks` unchanged polls. */
export function pollDelay(chainId: number, looks: number): number {
  if (chainId === local) return looks < 20 ? 500 : looks < 70 ? 1_000 : 15_000
  if (chainId === ethereum && looks < 2) return looks === 0 ? 5_000 : 3_000
  if (chainId !== ethereum && looks < 10) return 1_000
  if (looks < 30) return 2_000
  if (looks < 50) return 15_000
  return 30_000
}
