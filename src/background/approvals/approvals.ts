import type { Approval, DappRequest, Decision } from '../../domain/dapp/approval.ts'
import { WalletError } from '../../errors.ts'
import { createQueue } from '../../lib/async/queue.ts'
import { randomBytes, toHex } from '../../vault/bytes.ts'
import type { StorageArea } from '../storage.ts'
import type { ApprovalWindow } from './popupWindow.ts'
import { requireNoDuplicate, requireQuota } from './quotas.ts'
import { createPendingResponses } from './resolve.ts'
import { createThrottle } from './spamFilter.ts'
import {
  type ApprovalRecord,
  type Approved,
  createApprovalRecords,
  findDuplicate,
  getId,
  getKind,
  isRefused,
  listOpen,
  type OpenRecord,
  type Reason,
  survivesPageClose,
  toClosed,
} from './store.ts'

/** Who asks: one request of one document, as the browser reports it. */
export type Requester = { origin: string; documentId: string; tabId: number; requestId: number }

/** What pages ask of the user. */
export type Approvals = {
  /**
   * Puts `ask` before the user and answers what carrying it out gave. The same request again, after a worker was stopped, joins
   * the first or gets its stored outcome. `id` names the approval (16 random bytes as hex unless given); `expiresAt` ends it, ten
   * minutes after now unless given. Throws `rejected` (facts.reason: `rejected`, `closed`, `expired`), `request-open` when one of
   * its kind is open for that origin, `throttled`.
   */
  ask(
    asker: Requester,
    ask: DappRequest,
    options: { chainId: number; expiresAt?: number; id?: string },
  ): Promise<unknown>
  /** Throws what `ask` would throw at once: to be asked before anything is read or stored for an ask of this kind. */
  checkFree(asker: Requester, kind: DappRequest['kind'], id?: string): Promise<void>
  /** The open ones, the oldest first. */
  list(): Promise<Approval[]>
  find(id: string): Promise<Approval | undefined>
  /** Carries it out, then answers the page. The request stays open when carrying out throws. Repeating it is harmless. */
  approve(id: string, decision: Decision): Promise<void>
  reject(id: string): Promise<void>
  rejectAll(): Promise<void>
  /** The document is gone, or frozen: what it asked is taken back, except swaps, which outlive their page. */
  withdraw(documentId: string): Promise<void>
  /** The site was disconnected: all that it asked before is refused, also what fails to be carried out just now. */
  withdrawSite(origin: string): Promise<void>
  /** Opens the approval window, or brings it to the front; `quietly` one that is open only draws attention. */
  show(how?: 'quietly'): Promise<void>
}

/**
 * How an ask of each kind is carried out, `at` being when the user said yes: a stopped worker may lie between. Doing it twice has
 * to be doing it once. What it answers reaches the page's method.
 */
export type Executor = (approval: Approval, decision: Decision, at?: number) => Promise<unknown>

type Deps = {
  session: StorageArea
  window: ApprovalWindow
  carryOut: Executor
  /** Throws for a yes that the user may not give like this, before it is stored. */
  check: (approval: Approval, decision: Decision) => Promise<void>
  onChange: (open: Approval[]) => void
  /** True while the document has a port open. */
  isThere: (documentId: string) => boolean
  now: () => number
}

const expiresAfterMs = 10 * 60_000
/** What ends sooner than this was hardly seen. A page that makes such windows again and again counts as rejected. */
const hardlySeenMs = 10_000
/** Relays open their port again at once, and after 5 s when ports keep breaking. */
const backAfterMs = 6_000
const longestTimerMs = 2 ** 31 - 1

/** `expire` ends what is over its time; to be called now and then, as timers do not outlive the worker. */
export function createApprovals(parts: Deps): Approvals & { expire(): Promise<void> } {
  const { session, window, carryOut, check, onChange, isThere, now } = parts
  const records = createApprovalRecords(session, now)
  const throttle = createThrottle(session, now)
  const oneAtATime = createQueue()
  const answers = createPendingResponses()
  /** What is being carried out. It cannot be refused any more. */
  const underWay = new Map<string, Promise<void>>()
  /** Documents that went while something of theirs was being carried out. */
  const gone = new Set<string>()
  /** What was being carried out when its site was disconnected, by approval. */
  const orphaned = new Set<string>()
  let isAwake = false
  let timer: ReturnType<typeof setTimeout> | undefined

  /** All records, after those over their time were ended. Only in the queue. */
  async function look(): Promise<ReadonlyMap<string, ApprovalRecord>> {
    const all = await records.all()
    if (!isAwake) wake(listOpen(all))
    // What the user had said yes to is carried out, not ended: the journal has its own rule for what is too old to be signed.
    const late = listOpen(all).filter(
      (record) => record.yes === undefined && now() >= record.approval.expiresAt,
    )
    await refuse(late, 'expired')
    return all
  }

  /** A worker that was stopped leaves behind what the user had said yes to: it is gone on with. */
  function wake(open: OpenRecord[]): void {
    isAwake = true
    for (const record of open) {
      if (record.yes !== undefined) carry(record, record.yes).catch(() => undefined)
    }
    showCount(open)
    // Pages that went while there was no worker said so to nobody.
    if (open.length > 0) setTimeout(() => oneAtATime(leaveLost).catch(() => undefined), backAfterMs)
  }

  function leaveLost(): Promise<void> {
    return leave(({ documentId }) => !isThere(documentId))
  }

  async function changed(): Promise<void> {
    const open = listOpen(await records.all())
    showCount(open)
    onChange(open.map(({ approval }) => approval))
  }

  function showCount(open: OpenRecord[]): void {
    window.count(open.length)
    clearTimeout(timer)
    const ends = open.filter(isFree).map(({ approval }) => approval.expiresAt)
    if (ends.length === 0) return
    const waitMs = Math.min(Math.max(0, Math.min(...ends) - now()), longestTimerMs)
    timer = setTimeout(() => {
      // It may be too early, by the clock that counts.
      oneAtATime(async () => showCount(listOpen(await look()))).catch(() => undefined)
    }, waitMs)
  }

  function isFree(record: OpenRecord): boolean {
    return !underWay.has(getId(record))
  }

  /** Ends those that nobody is carrying out. It counts against their sites when the user said no, or could say nothing yet. */
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

  function carry(record: OpenRecord, yes: Approved): Promise<void> {
    const id = getId(record)
    const finish = (settle: () => Promise<void>) =>
      oneAtATime(async () => {
        underWay.delete(id)
        await settle()
        orphaned.delete(id)
        if (underWay.size === 0) gone.clear()
      })
    const run = attempt(() => carryOut(record.approval, yes.decision, yes.at)).then(
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
    // Where it cannot be stored, the next worker carries it out again: that does nothing twice.
    await records.keep(over)
    answers.tell(over)
    await changed()
  }

  async function reopen({ yes: _, ...record }: OpenRecord): Promise<void> {
    await records.keep(record)
    if (orphaned.has(getId(record))) return refuse([record], 'disconnected')
    if (gone.has(record.asker.documentId) && !survivesPageClose(record)) return refuse([record], 'withdrawn')
    await changed()
    // The user may have closed the window meanwhile.
    present('quietly')
  }

  async function leave(documents: (asker: Requester) => boolean): Promise<void> {
    const left = listOpen(await look()).filter(
      (record) => documents(record.asker) && !survivesPageClose(record),
    )
    for (const record of left) if (!isFree(record)) gone.add(record.asker.documentId)
    await refuse(left, 'withdrawn')
  }

  /** Throws unless the asker may put another question of this kind. What its tab's earlier documents asked is taken back. */
  async function admit(asker: Requester, kind: DappRequest['kind']): Promise<void> {
    await leave(
      ({ tabId, documentId }) => tabId >= 0 && tabId === asker.tabId && documentId !== asker.documentId,
    )
    if (await throttle.isBlocked(asker.origin)) {
      throw new WalletError(
        'throttled',
        'Several requests of this site were rejected, or taken back at once. Try again in a minute.',
      )
    }
    requireNoDuplicate(listOpen(await records.all()), asker.origin, kind)
  }

  /** A window that fails to come is no reason to fail: the number on the icon tells, too. */
  function present(how: 'front' | 'quietly'): Promise<void> {
    return window.open(how).catch(() => undefined)
  }

  window.onClosed(() =>
    oneAtATime(async () => refuse(listOpen(await look()), 'closed')).catch(() => undefined),
  )

  return {
    async ask(asker, ask, { chainId, expiresAt, id }) {
      const { answer } = await oneAtATime(async () => {
        gone.delete(asker.documentId)
        const known = findDuplicate(await look(), asker, id)
        if (known !== undefined) {
          if (known.state === 'open') present('quietly')
          return { answer: answers.of(known) }
        }
        await admit(asker, ask.kind)
        const open = listOpen(await records.all())
        requireQuota(open, asker.origin, ask)
        const last = open.at(-1)?.approval.createdAt ?? 0
        const approval: Approval = {
          id: id ?? toHex(randomBytes(16)).slice(2),
          origin: asker.origin,
          chainId,
          // No two have the same: it is their order.
          createdAt: Math.max(now(), last + 1),
          expiresAt: expiresAt ?? now() + expiresAfterMs,
          ask,
        }
        const record: OpenRecord = { state: 'open', approval, asker }
        await records.put([record])
        const promise = answers.of(record)
        await changed()
        // A site that has something open already does not take the focus again and again.
        const isFirst = open.every(({ approval }) => approval.origin !== asker.origin)
        present(isFirst ? 'front' : 'quietly')
        return { answer: promise }
      })
      return answer
    },

    checkFree: (asker, kind, id) =>
      oneAtATime(async () => {
        if (findDuplicate(await look(), asker, id) === undefined) await admit(asker, kind)
      }),

    list: () => oneAtATime(async () => listOpen(await look()).map(({ approval }) => approval)),

    find: (id) =>
      oneAtATime(async () => {
        const record = (await look()).get(id)
        return record?.state === 'open' ? record.approval : undefined
      }),

    async approve(id, decision) {
      const asked = await oneAtATime(async () => (await look()).get(id))
      // A stored approval only continues.
      if (asked?.state === 'open' && asked.yes === undefined) await check(asked.approval, decision)
      const { done } = await oneAtATime(async () => {
        const record = (await look()).get(id)
        if (record === undefined || isRefused(record)) {
          throw new WalletError('invalid-input', 'This request is no longer open.')
        }
        if (getKind(record) !== decision.kind) {
          throw new WalletError('invalid-input', 'This is an answer to another kind of request.')
        }
        if (record.state === 'over') return { done: undefined }
        const running = underWay.get(id)
        if (running !== undefined) return { done: running }
        const yes = { decision, at: now() }
        const accepted = { ...record, yes }
        await records.put([accepted])
        return { done: carry(accepted, yes) }
      })
      await done
    },

    reject: (id) =>
      oneAtATime(async () => {
        const record = (await look()).get(id)
        if (record === undefined || isRefused(record)) return
        if (record.state === 'over' || !isFree(record)) {
          throw new WalletError('invalid-input', 'This request was approved already.')
        }
        await refuse([record], 'rejected')
      }),

    rejectAll: () => oneAtATime(async () => refuse(listOpen(await look()), 'rejected')),

    withdraw: (documentId) => oneAtATime(() => leave((asker) => asker.documentId === documentId)),

    withdrawSite: (origin) =>
      oneAtATime(async () => {
        const own = listOpen(await look()).filter(({ approval }) => approval.origin === origin)
        for (const record of own) if (!isFree(record)) orphaned.add(getId(record))
        await refuse(own, 'disconnected')
      }),

    async show(how) {
      const open = await oneAtATime(look)
      if (listOpen(open).length > 0) await window.open(how ?? 'front')
    },

    expire: () =>
      oneAtATime(async () => {
        await look()
      }),
  }
}

async function attempt<T>(act: () => Promise<T>): Promise<T> {
  return act()
}
