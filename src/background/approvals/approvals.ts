import type { Approval, DappRequest, Decision } from '../../domain/dapp/approval.ts'
import { WalletError } from '../../errors.ts'
import { createMutex } from '../../lib/async/mutex.ts'
import { randomBytes, toHex } from '../../vault/bytes.ts'
import type { StorageArea } from '../storage.ts'
import type { ApprovalWindow } from './popupWindow.ts'
import { requireNoDuplicate, requireQuota } from './quotas.ts'
import { createPendingResponses, createRejection } from './resolve.ts'
import { createSpamFilter } from './spamFilter.ts'
import {
  type ApprovalRecord,
  type Approved,
  createApprovalRecords,
  findDuplicate,
  getApprovalId,
  getApprovalKind,
  isRejected,
  listPending,
  type OpenRecord,
  type Reason,
  type Requester,
  survivesPageClose,
  toClosed,
} from './store.ts'

export type Approvals = {
  /**
   * Asks the user and returns the result of execution. A repeated request joins the first or gets its stored
   * outcome. `expiresAt`: ten minutes by default. Throws `rejected` (facts.reason: `Reason`), `request-open`,
   * `throttled`.
   */
  ask(
    asker: Requester,
    ask: DappRequest,
    options: { chainId: number; expiresAt?: number; id?: string },
  ): Promise<unknown>
  /** Throws early what `ask` would throw at once. */
  checkFree(asker: Requester, kind: DappRequest['kind'], id?: string): Promise<void>
  /** Oldest first. */
  list(): Promise<Approval[]>
  find(id: string): Promise<Approval | undefined>
  /** Executes and answers the page; stays open on errors. Idempotent. */
  approve(id: string, decision: Decision): Promise<void>
  reject(id: string): Promise<void>
  rejectAll(): Promise<void>
  /** Except swaps, which outlive their page. */
  withdraw(documentId: string): Promise<void>
  /** Refuses requests of a disconnected site, also one that fails while executing. */
  withdrawSite(origin: string): Promise<void>
  /** `quietly` only draws attention to an open window. */
  show(how?: 'quietly'): Promise<void>
}

/**
 * Executes an approved request. Must be idempotent, as a restarted worker repeats it. `at`: time of approval.
 */
export type Executor = (approval: Approval, decision: Decision, at?: number) => Promise<unknown>

type Deps = {
  session: StorageArea
  window: ApprovalWindow
  perform: Executor
  /** Throws for an invalid decision before it is stored. */
  check: (approval: Approval, decision: Decision) => Promise<void>
  onChange: (open: Approval[]) => void
  /** True while the document has an open port. */
  isThere: (documentId: string) => boolean
  now: () => number
}

const expiresAfterMs = 10 * 60_000
/** Shorter requests count as rejected. */
const hardlySeenMs = 10_000
/** Relays reconnect within 5 s. */
const backAfterMs = 6_000
const maxTimerMs = 2 ** 31 - 1

/** `expire` must be called periodically, as timers do not outlive the worker. */
export function createApprovals(parts: Deps): Approvals & { expire(): Promise<void> } {
  const { session, window, perform, check, onChange, isThere, now } = parts
  const records = createApprovalRecords(session, now)
  const throttle = createSpamFilter(session, now)
  const runExclusive = createMutex()
  const answers = createPendingResponses()
  /** Executing; cannot be refused. */
  const underWay = new Map<string, Promise<void>>()
  /** Documents that closed during execution. */
  const gone = new Set<string>()
  /** Executing when their site was disconnected. */
  const orphaned = new Set<string>()
  let isAwake = false
  let timer: ReturnType<typeof setTimeout> | undefined

  /** Expires late records. Only in the queue. */
  async function look(): Promise<ReadonlyMap<string, ApprovalRecord>> {
    const all = await records.all()
    if (!isAwake) wake(listPending(all))
    // The journal limits the age of approved requests.
    const late = listPending(all).filter(
      (record) => record.approved === undefined && now() >= record.approval.expiresAt,
    )
    await refuse(late, 'expired')
    return all
  }

  /** Resumes approved requests after a restart. */
  function wake(open: OpenRecord[]): void {
    isAwake = true
    for (const record of open) {
      if (record.approved !== undefined) execute(record, record.approved).catch(() => undefined)
    }
    showCount(open)
    if (open.length > 0) setTimeout(() => runExclusive(leaveLost).catch(() => undefined), backAfterMs)
  }

  function leaveLost(): Promise<void> {
    return leave(({ documentId }) => !isThere(documentId))
  }

  async function changed(): Promise<void> {
    const open = listPending(await records.all())
    showCount(open)
    onChange(open.map(({ approval }) => approval))
  }

  function showCount(open: OpenRecord[]): void {
    window.count(open.length)
    clearTimeout(timer)
    const ends = open.filter(isFree).map(({ approval }) => approval.expiresAt)
    if (ends.length === 0) return
    const waitMs = Math.min(Math.max(0, Math.min(...ends) - now()), maxTimerMs)
    timer = setTimeout(() => {
      runExclusive(async () => showCount(listPending(await look()))).catch(() => undefined)
    }, waitMs)
  }

  function isFree(record: OpenRecord): boolean {
    return !underWay.has(getApprovalId(record))
  }

  /** Counts against the site if refused or hardly seen. */
  async function refuse(open: OpenRecord[], reason: Reason): Promise<void> {
    const free = open.filter(isFree)
    if (free.length === 0) return
    const over = free.map((record) => toClosed(record, { status: 'refused', reason }, now()))
    await records.put(over)
    for (const record of over) answers.tell(record)
    await changed()
    const isNo = reason === 'rejected' || reason === 'closed'
    const counting = free.filter(({ approval }) => isNo || now() - approval.createdAt < hardlySeenMs)
    if (counting.length > 0) await throttle.rejected(counting.map(({ approval }) => approval.origin))
  }

  function execute(record: OpenRecord, approved: Approved): Promise<void> {
    const id = getApprovalId(record)
    const finish = (end: () => Promise<void>) =>
      runExclusive(async () => {
        underWay.delete(id)
        await end()
        orphaned.delete(id)
        if (underWay.size === 0) gone.clear()
      })
    const run = attempt(() => perform(record.approval, approved.decision, approved.at)).then(
      (outcome) => finish(() => close(record, outcome)),
      async (error: unknown) => {
        await finish(() => reopen(record))
        throw error
      },
    )
    underWay.set(id, run)
    return run
  }

  async function close(record: OpenRecord, outcome: unknown): Promise<void> {
    const over = toClosed(record, { status: 'done', outcome }, now())
    // If not stored, a restart repeats the execution.
    await records.keep(over)
    answers.tell(over)
    await changed()
  }

  async function reopen({ approved: _, ...record }: OpenRecord): Promise<void> {
    await records.keep(record)
    if (orphaned.has(getApprovalId(record))) return refuse([record], 'disconnected')
    if (gone.has(record.asker.documentId) && !survivesPageClose(getApprovalKind(record)))
      return refuse([record], 'withdrawn')
    await changed()
    // The window may have closed meanwhile.
    present('quietly')
  }

  async function leave(documents: (asker: Requester) => boolean): Promise<void> {
    const left = listPending(await look()).filter(
      (record) => documents(record.asker) && !survivesPageClose(getApprovalKind(record)),
    )
    for (const record of left) if (!isFree(record)) gone.add(record.asker.documentId)
    await refuse(left, 'withdrawn')
  }

  /** Withdraws requests of the tab's earlier documents. */
  async function admit(asker: Requester, kind: DappRequest['kind']): Promise<void> {
    if (isThere(asker.documentId)) {
      await leave(
        ({ tabId, documentId }) => tabId >= 0 && tabId === asker.tabId && documentId !== asker.documentId,
      )
    } else if (!survivesPageClose(kind)) {
      // Its withdrawal came first.
      throw createRejection('withdrawn')
    }
    if (await throttle.isBlocked(asker.origin)) {
      throw new WalletError(
        'throttled',
        'Several requests of this site were rejected, or taken back at once. Try again in a minute.',
      )
    }
    requireNoDuplicate(listPending(await records.all()), asker.origin, kind)
  }

  /** The badge still shows the request. */
  function present(how: 'front' | 'quietly'): Promise<void> {
    return window.open(how).catch(() => undefined)
  }

  window.onClosed(() =>
    runExclusive(async () => refuse(listPending(await look()), 'closed')).catch(() => undefined),
  )

  return {
    async ask(asker, ask, { chainId, expiresAt, id }) {
      const { answer } = await runExclusive(async () => {
        gone.delete(asker.documentId)
        const known = findDuplicate(await look(), asker, id)
        if (known !== undefined) {
          if (known.state === 'open') present('quietly')
          return { answer: answers.of(known) }
        }
        await admit(asker, ask.kind)
        const open = listPending(await records.all())
        requireQuota(open, asker.origin, ask)
        const last = open.at(-1)?.approval.createdAt ?? 0
        const approval: Approval = {
          id: id ?? toHex(randomBytes(16)).slice(2),
          origin: asker.origin,
          chainId,
          // Unique, for the order.
          createdAt: Math.max(now(), last + 1),
          expiresAt: expiresAt ?? now() + expiresAfterMs,
          ask,
        }
        const record: OpenRecord = { state: 'open', approval, asker }
        await records.put([record])
        const promise = answers.of(record)
        await changed()
        // Only a site's first request takes the focus.
        const isFirst = open.every(({ approval }) => approval.origin !== asker.origin)
        present(isFirst ? 'front' : 'quietly')
        return { answer: promise }
      })
      return answer
    },

    checkFree: (asker, kind, id) =>
      runExclusive(async () => {
        if (findDuplicate(await look(), asker, id) === undefined) await admit(asker, kind)
      }),

    list: () => runExclusive(async () => listPending(await look()).map(({ approval }) => approval)),

    find: (id) =>
      runExclusive(async () => {
        const record = (await look()).get(id)
        return record?.state === 'open' ? record.approval : undefined
      }),

    async approve(id, decision) {
      const asked = await runExclusive(async () => (await look()).get(id))
      if (asked?.state === 'open' && asked.approved === undefined) await check(asked.approval, decision)
      const { done } = await runExclusive(async () => {
        const record = (await look()).get(id)
        if (record === undefined || isRejected(record)) {
          throw new WalletError('invalid-input', 'This request is no longer open.')
        }
        if (getApprovalKind(record) !== decision.kind) {
          throw new WalletError('invalid-input', 'This is an answer to another kind of request.')
        }
        if (record.state === 'closed') return { done: undefined }
        const running = underWay.get(id)
        if (running !== undefined) return { done: running }
        const approved = { decision, at: now() }
        const accepted: OpenRecord = { ...record, approved }
        await records.put([accepted])
        return { done: execute(accepted, approved) }
      })
      await done
    },

    reject: (id) =>
      runExclusive(async () => {
        const record = (await look()).get(id)
        if (record === undefined || isRejected(record)) return
        if (record.state === 'closed' || !isFree(record)) {
          throw new WalletError('invalid-input', 'This request was approved already.')
        }
        await refuse([record], 'rejected')
      }),

    rejectAll: () => runExclusive(async () => refuse(listPending(await look()), 'rejected')),

    withdraw: (documentId) => runExclusive(() => leave((asker) => asker.documentId === documentId)),

    withdrawSite: (origin) =>
      runExclusive(async () => {
        const own = listPending(await look()).filter(({ approval }) => approval.origin === origin)
        for (const record of own) if (!isFree(record)) orphaned.add(getApprovalId(record))
        await refuse(own, 'disconnected')
      }),

    async show(how) {
      const open = await runExclusive(look)
      if (listPending(open).length > 0) await window.open(how ?? 'front')
    },

    expire: () =>
      runExclusive(async () => {
        await look()
      }),
  }
}

async function attempt<T>(act: () => Promise<T>): Promise<T> {
  return act()
}
