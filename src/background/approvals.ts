import type { Approval, Ask, Decision } from '../domain/approval.ts'
import { WalletError } from '../errors.ts'
import { randomBytes, toHex } from '../vault/bytes.ts'
import { createQueue } from '../vault/queue.ts'
import { checkRoom } from './approvalLimits.ts'
import {
  type ApprovalRecord,
  createApprovalRecords,
  type End,
  idOf,
  type OpenRecord,
  type OverRecord,
  openOf,
  type Reason,
} from './approvalRecords.ts'
import type { Area } from './storage.ts'
import { createThrottle } from './throttle.ts'
import type { ApprovalWindow } from './window.ts'

/** Who asks: one request of one document, as the browser reports it. */
export type Asker = { origin: string; documentId: string; tabId: number; requestId: number }

/** What pages ask of the user. */
export type Approvals = {
  /**
   * Puts `ask` before the user and answers what carrying it out gave. The same request again, after a worker was stopped, joins
   * the first or gets its stored outcome. `id` names the approval (16 random bytes as hex unless given); `expiresAt` ends it, ten
   * minutes after now unless given. Throws `rejected` (facts.reason: `rejected`, `closed`, `expired`), `request-open` when one of
   * its kind is open for that origin, `throttled`.
   */
  ask(asker: Asker, ask: Ask, options: { chainId: number; expiresAt?: number; id?: string }): Promise<unknown>
  /** The open ones, the oldest first. */
  list(): Promise<Approval[]>
  find(id: string): Promise<Approval | undefined>
  /** Carries it out, then answers the page. The request stays open when carrying out throws. Repeating it is harmless. */
  approve(id: string, decision: Decision): Promise<void>
  reject(id: string): Promise<void>
  rejectAll(): Promise<void>
  /** The document is gone, or frozen: what it asked is taken back, except swaps, which outlive their page. */
  withdraw(documentId: string): Promise<void>
  /** Opens the approval window, or brings it to the front. */
  show(): Promise<void>
}

/** How an ask of each kind is carried out. Doing it twice has to be doing it once. What it answers reaches the page's method. */
export type CarryOut = (approval: Approval, decision: Decision) => Promise<unknown>

type Parts = {
  session: Area
  window: ApprovalWindow
  carryOut: CarryOut
  onChange: (open: Approval[]) => void
  now: () => number
}

const expiresAfterMs = 10 * 60_000
const longestTimerMs = 2 ** 31 - 1

/** `expire` ends what is over its time; to be called now and then, as timers do not outlive the worker. */
export function createApprovals(parts: Parts): Approvals & { expire(): Promise<void> } {
  const { session, window, carryOut, onChange, now } = parts
  const records = createApprovalRecords(session, now)
  const throttle = createThrottle(session, now)
  const oneAtATime = createQueue()
  /** Pages that wait, by approval. */
  const waiting = new Map<string, Waiting>()
  /** What is being carried out. It cannot be refused any more. */
  const underWay = new Map<string, Promise<void>>()
  /** Documents that went while something of theirs was being carried out. */
  const gone = new Set<string>()
  let isAwake = false
  let timer: ReturnType<typeof setTimeout> | undefined

  /** All records, after those over their time were ended. Only in the queue. */
  async function look(): Promise<ReadonlyMap<string, ApprovalRecord>> {
    const all = await records.all()
    if (!isAwake) wake(openOf(all))
    const late = openOf(all).filter(({ approval }) => now() >= approval.expiresAt)
    await refuse(late, 'expired')
    return all
  }

  /** A worker that was stopped leaves behind what the user had said yes to: it is gone on with. */
  function wake(open: OpenRecord[]): void {
    isAwake = true
    for (const record of open) {
      const { decision, approval } = record
      if (decision !== undefined && now() < approval.expiresAt) carry(record, decision).catch(() => undefined)
    }
    showCount(open)
  }

  async function changed(): Promise<void> {
    const open = openOf(await records.all())
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
      oneAtATime(async () => showCount(openOf(await look()))).catch(() => undefined)
    }, waitMs)
  }

  function isFree(record: OpenRecord): boolean {
    return !underWay.has(idOf(record))
  }

  /** Ends those that nobody is carrying out. Answers them. */
  async function refuse(open: OpenRecord[], reason: Reason): Promise<OpenRecord[]> {
    const free = open.filter(isFree)
    if (free.length === 0) return []
    const over = free.map((record) => toOver(record, { status: 'refused', reason }, now()))
    await records.put(over)
    for (const record of over) tell(record)
    await changed()
    return free
  }

  /** As `refuse`, by the user: what counts against the sites. */
  async function rejectAs(reason: Reason, open: OpenRecord[]): Promise<void> {
    const refused = await refuse(open, reason)
    if (refused.length > 0) await throttle.rejected(refused.map(({ approval }) => approval.origin))
  }

  function carry(record: OpenRecord, decision: Decision): Promise<void> {
    const id = idOf(record)
    const finish = (settle: () => Promise<void>) =>
      oneAtATime(async () => {
        underWay.delete(id)
        await settle()
        if (underWay.size === 0) gone.clear()
      })
    const run = attempt(() => carryOut(record.approval, decision)).then(
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
    const over = toOver(record, { status: 'done', outcome }, now())
    // Where it cannot be stored, the next worker carries it out again: that does nothing twice.
    await records.keep(over)
    tell(over)
    await changed()
  }

  async function reopen({ decision: _, ...record }: OpenRecord): Promise<void> {
    await records.keep(record)
    if (gone.has(record.asker.documentId) && !outlivesPage(record)) {
      await refuse([record], 'withdrawn')
      return
    }
    await changed()
    // The user may have closed the window meanwhile.
    present('quietly')
  }

  /** The answer for a page that asks, now or later. */
  function answerOf(record: ApprovalRecord): Promise<unknown> {
    const id = idOf(record)
    const known = waiting.get(id)
    if (known !== undefined) return known.promise
    const fresh = createWaiting()
    waiting.set(id, fresh)
    if (record.state === 'over') tell(record)
    return fresh.promise
  }

  function tell({ id, end }: OverRecord): void {
    const page = waiting.get(id)
    waiting.delete(id)
    if (end.status === 'done') page?.resolve(end.outcome)
    else page?.reject(refusal(end.reason))
  }

  async function leave(documents: (asker: Asker) => boolean): Promise<void> {
    const left = openOf(await look()).filter((record) => documents(record.asker) && !outlivesPage(record))
    for (const record of left) if (!isFree(record)) gone.add(record.asker.documentId)
    await refuse(left, 'withdrawn')
  }

  /** A window that fails to come is no reason to fail: the number on the icon tells, too. */
  function present(how: 'front' | 'quietly'): Promise<void> {
    return window.open(how).catch(() => undefined)
  }

  window.onClosed(() =>
    oneAtATime(async () => rejectAs('closed', openOf(await look()))).catch(() => undefined),
  )

  return {
    async ask(asker, ask, { chainId, expiresAt, id }) {
      const { answer } = await oneAtATime(async () => {
        gone.delete(asker.documentId)
        const known = findAsked(await look(), asker, id)
        if (known !== undefined) {
          if (known.state === 'open') present('quietly')
          return { answer: answerOf(known) }
        }
        await leave(
          ({ tabId, documentId }) => tabId >= 0 && tabId === asker.tabId && documentId !== asker.documentId,
        )
        if (await throttle.isBlocked(asker.origin)) {
          throw new WalletError(
            'throttled',
            'The user rejected several requests of this site. Try again in a minute.',
          )
        }
        const open = openOf(await records.all())
        checkRoom(open, asker.origin, ask)
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
        const promise = answerOf(record)
        await changed()
        // A site that has something open already does not take the focus again and again.
        const isFirst = open.every(({ approval }) => approval.origin !== asker.origin)
        present(isFirst ? 'front' : 'quietly')
        return { answer: promise }
      })
      return answer
    },

    list: () => oneAtATime(async () => openOf(await look()).map(({ approval }) => approval)),

    find: (id) =>
      oneAtATime(async () => {
        const record = (await look()).get(id)
        return record?.state === 'open' ? record.approval : undefined
      }),

    async approve(id, decision) {
      const { done } = await oneAtATime(async () => {
        const record = (await look()).get(id)
        if (record === undefined || isRefused(record)) {
          throw new WalletError('invalid-input', 'This request is no longer open.')
        }
        if (kindOf(record) !== decision.kind) {
          throw new WalletError('invalid-input', 'This is an answer to another kind of request.')
        }
        if (record.state === 'over') return { done: undefined }
        const running = underWay.get(id)
        if (running !== undefined) return { done: running }
        const accepted = { ...record, decision }
        await records.put([accepted])
        return { done: carry(accepted, decision) }
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
        await rejectAs('rejected', [record])
      }),

    rejectAll: () => oneAtATime(async () => rejectAs('rejected', openOf(await look()))),

    withdraw: (documentId) => oneAtATime(() => leave((asker) => asker.documentId === documentId)),

    async show() {
      const open = await oneAtATime(look)
      if (openOf(open).length > 0) await window.open('front')
    },

    expire: () =>
      oneAtATime(async () => {
        await look()
      }),
  }
}

/** The same request as before: by the name its method gave it, or as the document counts. */
function findAsked(
  all: ReadonlyMap<string, ApprovalRecord>,
  { origin, documentId, requestId }: Asker,
  id: string | undefined,
): ApprovalRecord | undefined {
  const isSame = ({ asker }: ApprovalRecord) =>
    asker.documentId === documentId && asker.requestId === requestId && asker.origin === origin
  const known = (id === undefined ? undefined : all.get(id)) ?? [...all.values()].find(isSame)
  if (known !== undefined && known.asker.origin !== origin) {
    throw new WalletError('id-used', 'Another request has this id.')
  }
  return known
}

function outlivesPage(record: OpenRecord): boolean {
  return kindOf(record) === 'swap'
}

function kindOf(record: ApprovalRecord): Ask['kind'] {
  return record.state === 'open' ? record.approval.ask.kind : record.kind
}

function isRefused(record: ApprovalRecord): boolean {
  return record.state === 'over' && record.end.status === 'refused'
}

function toOver({ approval, asker }: OpenRecord, end: End, endedAt: number): OverRecord {
  return { state: 'over', id: approval.id, kind: approval.ask.kind, asker, endedAt, end }
}

const refusals: Record<Reason, string> = {
  rejected: 'The user rejected the request.',
  closed: 'The user closed the window without an answer.',
  expired: 'The request was not answered in time.',
  withdrawn: 'The page went away before the user answered.',
}

function refusal(reason: Reason): WalletError {
  return new WalletError('rejected', refusals[reason], { reason })
}

type Waiting = { promise: Promise<unknown>; resolve(value: unknown): void; reject(error: unknown): void }

function createWaiting(): Waiting {
  let ends: Omit<Waiting, 'promise'> = { resolve: () => undefined, reject: () => undefined }
  const promise = new Promise<unknown>((resolve, reject) => {
    ends = { resolve, reject }
  })
  // Whoever asked hears of it; nobody else has to.
  promise.catch(() => undefined)
  return { promise, ...ends }
}

async function attempt<T>(act: () => Promise<T>): Promise<T> {
  return act()
}
