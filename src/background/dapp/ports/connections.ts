import { browser } from 'wxt/browser'
import { tellsLifecycle } from '../../../config.ts'
import { parseObject } from '../../../domain/json.ts'
import { toWalletError, WalletError } from '../../../errors.ts'
import {
  getPagePortName,
  isPagePort,
  isTooLarge,
  maxRequestBytes,
  maxUnacknowledgedLength,
  type PageRequest,
  type ProviderError,
  type ProviderMessage,
  type RelayNotification,
} from '../../../protocol.ts'
import type { Approvals } from '../../approvals/approvals.ts'
import type { RpcRouter } from '../router.ts'
import { type ByteBudget, createByteBudget, type Release } from './byteBudget.ts'
import { createRejectionLimit } from './rejectionLimit.ts'
import type { PageSession, Sessions } from './sessions.ts'

type Deps = {
  answer: RpcRouter
  documents: Pick<Sessions, 'open' | 'reply' | 'meet'>
  approvals: Pick<Approvals, 'withdraw'>
  /** Runs before each request, for the auto-lock and open swaps. */
  wake(): Promise<unknown>
  budget?: Pick<ByteBudget, 'take' | 'wait' | 'addAnswer'>
  now?(): number
}

/** The browser sets `sender`, which alone identifies the document. */
type Port = {
  name: string
  sender?: {
    id?: string
    frameId?: number
    documentLifecycle?: string
    origin?: string
    documentId?: string
    tab?: { id?: number | undefined }
  }
  postMessage(text: string): void
  disconnect(): void
  onMessage: { addListener(hear: (message: unknown) => void): void }
  onDisconnect: { addListener(hear: () => void): void }
}

const maxNested = 100
/** The relay uses at most half. */
const maxAtOnce = 100

/** Serves the relays of pages. Documents without access get an error per request. */
export function serveDapps({
  answer,
  documents,
  approvals,
  wake,
  budget = createByteBudget(),
  now = () => performance.now(),
}: Deps): void {
  /** Ids being answered, by document: a repetition over another port joins. */
  const running = new Map<string, Set<number>>()
  const refusals = createRejectionLimit(now)
  const portName = getPagePortName(browser.runtime.getManifest().version)

  async function serve(document: PageSession, request: PageRequest, text: string): Promise<void> {
    const { documentId } = document
    const { id } = request
    const own = running.get(documentId) ?? new Set()
    if (own.has(id)) return
    running.set(documentId, own.add(id))
    try {
      if (own.size > maxAtOnce) throw tooMany()
      await wake().catch(() => undefined)
      // If it fails, the document only misses events.
      await documents.meet({ ...document, requestId: id }).catch(() => undefined)
      const result = await answer({ ...document, requestId: id }, request)
      documents.reply(documentId, { id, result: result ?? null })
    } catch (error) {
      documents.reply(documentId, { id, error: toFault(error, text) })
    } finally {
      own.delete(id)
      if (own.size === 0) running.delete(documentId)
    }
  }

  function serveDocument(port: Port, document: PageSession): void {
    const { origin, documentId } = document
    /** Credits granted or queued, and long answers on the way, by request id. */
    const credits = new Map<number, { length: number; end: Release; release?: Release }>()
    const onTheWay = new Map<number, Release>()

    const post = (message: ProviderMessage) => {
      const text = toText(message)
      if ('id' in message && text.length > maxUnacknowledgedLength) {
        onTheWay.get(message.id)?.()
        onTheWay.set(message.id, budget.addAnswer(origin, text.length))
      }
      try {
        port.postMessage(text)
      } catch {
        // The relay asks again over another port.
      }
    }
    const closeDocument = documents.open(documentId, post)

    function close(): void {
      for (const { end } of credits.values()) end()
      for (const release of onTheWay.values()) release()
      credits.clear()
      onTheWay.clear()
      if (closeDocument()) approvals.withdraw(documentId).catch(() => undefined)
    }

    function refuse(id: number | undefined, error: WalletError): void {
      if (refusals.count(origin)) {
        port.disconnect()
        close()
      } else if (id !== undefined) post({ id, error: toFault(error, '') })
    }

    function giveCredit(id: number, length: number): void {
      if (credits.has(id) || running.get(documentId)?.has(id)) return
      if (length > maxRequestBytes) refuse(id, tooLong())
      else if (credits.size >= maxAtOnce) refuse(id, tooMuch())
      else {
        const credit: { length: number; end: Release; release?: Release } = { length, end: () => undefined }
        credits.set(id, credit)
        credit.end = budget.wait(origin, length, (release) => {
          credit.release = release
          post({ credit: id })
        })
      }
    }

    function takeRoom(id: number | undefined, length: number): Release | undefined {
      const credit = id === undefined ? undefined : credits.get(id)
      if (id === undefined || credit?.release === undefined || length > credit.length) {
        return budget.take(origin, length)
      }
      credits.delete(id)
      return credit.release
    }

    async function hear(text: string): Promise<void> {
      const notice = parseNotice(text)
      if (notice !== undefined) {
        if ('length' in notice) giveCredit(notice.id, notice.length)
        else {
          onTheWay.get(notice.id)?.()
          onTheWay.delete(notice.id)
        }
        return
      }
      const head = idOfHead(text)
      if (isTooLarge(text)) {
        refuse(head, tooLong())
        return
      }
      const release = takeRoom(head, text.length)
      if (release === undefined) {
        refuse(head, tooMuch())
        return
      }
      try {
        const { id, request, error } = parseMessage(text)
        if (id === undefined) return
        if (request === undefined) post({ id, error: toFault(error, '') })
        else await serve(document, request, text)
      } finally {
        release()
      }
    }

    port.onMessage.addListener((message) => {
      if (typeof message === 'string') void hear(message)
    })
    port.onDisconnect.addListener(close)
  }

  browser.runtime.onConnect.addListener((port: Port) => {
    if (!isPagePort(port.name)) return
    const document = getDocument(port)
    // During an update a relay of the old version connects and never reports that it closed.
    if (port.name !== portName) port.disconnect()
    else if (document === undefined) refuseStranger(port)
    else if (refusals.isShut(document.origin)) port.disconnect()
    else serveDocument(port, document)
  })
}

/** Reads only request ids. */
function refuseStranger(port: Port): void {
  port.onMessage.addListener((message) => {
    const id = typeof message === 'string' ? idOfHead(message) : undefined
    if (id === undefined) return
    try {
      port.postMessage(toText({ id, error: toFault(stranger(), '') }))
    } catch {
      // Closed.
    }
  })
}

/** Accepts active top frames of web pages (docs/security/dapps.md). */
function getDocument({ sender = {} }: Port): PageSession | undefined {
  const { id, frameId, documentLifecycle, origin = '', documentId = '', tab } = sender
  if (id !== browser.runtime.id || frameId !== 0) return undefined
  if (tellsLifecycle && documentLifecycle !== 'active') return undefined
  // A sandboxed frame has its page's URL, but the origin "null".
  if (!URL.canParse(origin) || !['http:', 'https:'].includes(new URL(origin).protocol)) return undefined
  return documentId === '' || tab?.id === undefined ? undefined : { origin, documentId, tabId: tab.id }
}

function stranger(): WalletError {
  return new WalletError('not-connected', 'This document cannot use the wallet.')
}

function tooMany(): WalletError {
  return new WalletError('throttled', 'Too many requests of this page wait for an answer.')
}

function tooMuch(): WalletError {
  return new WalletError(
    'limit-exceeded',
    'This site has sent more than the wallet takes at once. Try again later.',
  )
}

function tooLong(): WalletError {
  return new WalletError('invalid-request', 'A request has at most 256 kB.', {
    limit: String(maxRequestBytes),
  })
}

function parseNotice(text: string): RelayNotification | undefined {
  const [, id, length] =
    text.length > 60 ? [] : (/^\{"id":(-?\d{1,15}),"(?:length":(\d{1,9})|received":true)\}$/.exec(text) ?? [])
  if (id === undefined) return undefined
  return length === undefined
    ? { id: Number(id), received: true }
    : { id: Number(id), length: Number(length) }
}

/** Relays write the id first. */
function idOfHead(text: string): number | undefined {
  const [, id] = /^\{"id":(-?\d{1,15})[,}]/.exec(text) ?? []
  return id === undefined ? undefined : Number(id)
}

type Parsed = { id?: number; request?: PageRequest; error?: WalletError }

function parseMessage(text: string): Parsed {
  const message = parseObject(text)
  const id = message?.id
  if (message === undefined || !isId(id)) return {}
  const { method, params } = message
  if (typeof method !== 'string' || method === '' || method.length > 100) {
    return { id, error: invalid('method: a name of 1 to 100 characters is missing.') }
  }
  if (params === undefined) return { id, request: { id, method } }
  if (typeof params !== 'object' || params === null) {
    return { id, error: invalid('params: neither a list nor an object.') }
  }
  if (!isFlat(params, maxNested)) return { id, error: invalid('params: nested too deeply.') }
  return { id, request: { id, method, params } }
}

/** Positive ids are the page's, others the relay's. */
function isId(id: unknown): id is number {
  return Number.isSafeInteger(id)
}

/** Bounds later recursion. */
function isFlat(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((item) => isFlat(item, levels - 1))
}

function invalid(message: string): WalletError {
  return new WalletError('invalid-request', message)
}

/** Results that JSON cannot encode become errors. */
function toText(message: ProviderMessage): string {
  try {
    return JSON.stringify(message)
  } catch (error) {
    return JSON.stringify('id' in message ? { id: message.id, error: toFault(error, '') } : message)
  }
}

/** Hides addresses that the page did not name itself. RPC messages are no secret. */
function toFault(error: unknown, asked: string): ProviderError {
  const { code, message, facts } = toWalletError(error)
  if (code === 'node-answered') return { code, message, facts }
  const known = asked.toLowerCase()
  const hide = (text: string) =>
    text.replace(/0x[0-9a-f]{40}(?![0-9a-f])/gi, (found) =>
      known.includes(found.toLowerCase()) ? found : '(an address)',
    )
  const shown = Object.entries(facts).map(([name, value]) => [name, hide(value)])
  return { code, message: hide(message), facts: Object.fromEntries(shown) }
}
