import { browser } from 'wxt/browser'
import { tellsLifecycle } from '../../config.ts'
import { parseObject } from '../../domain/json.ts'
import { toWalletError, WalletError } from '../../errors.ts'
import { type PageFault, type PageMessage, type PageRequest, pagePort } from '../../protocol.ts'
import type { Approvals } from '../approvals/approvals.ts'
import type { Documents, PageDocument } from './documents.ts'
import type { Pages } from './pages.ts'

type Parts = {
  answer: Pages
  documents: Pick<Documents, 'open' | 'reply' | 'meet'>
  approvals: Pick<Approvals, 'withdraw'>
  /** What comes before each request: the lock, whose time may be over, and the swaps that are open. */
  wake(): Promise<unknown>
}

/** What a port tells of itself. `sender` is the browser's word, and the only one about who asks. */
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
  onMessage: { addListener(hear: (message: unknown) => void): void }
  onDisconnect: { addListener(hear: () => void): void }
}

/** The relay counts bytes, of which no text has fewer than characters. */
const mostCharacters = 1_000_000
const mostNested = 100
/** The relay keeps to half of it. */
const mostAtOnce = 100

/** Answers the relays of pages. One that may not ask is told so, request by request. */
export function servePages({ answer, documents, approvals, wake }: Parts): void {
  /** The ids of what is being answered, by document: the same request over another port joins it. */
  const running = new Map<string, Set<number>>()

  async function serve(document: PageDocument, request: PageRequest, text: string): Promise<void> {
    const { documentId } = document
    const { id } = request
    const own = running.get(documentId) ?? new Set()
    if (own.has(id)) return
    running.set(documentId, own.add(id))
    try {
      if (own.size > mostAtOnce) {
        throw new WalletError('throttled', 'Too many requests of this page wait for an answer.')
      }
      await wake().catch(() => undefined)
      // Who cannot be remembered hears of no changes, and is answered all the same.
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

  browser.runtime.onConnect.addListener((port: Port) => {
    if (port.name !== pagePort) return
    const document = documentOf(port)
    const post = (message: PageMessage) => {
      try {
        port.postMessage(toText(message))
      } catch {
        // It closed. The relay asks again over another one.
      }
    }

    port.onMessage.addListener((message) => {
      if (typeof message !== 'string') return
      const { id, request, error } = parseMessage(message)
      if (id === undefined) return
      if (document === undefined) post({ id, error: toFault(stranger(), '') })
      else if (request === undefined) post({ id, error: toFault(error, '') })
      else void serve(document, request, message)
    })

    if (document === undefined) return
    const close = documents.open(document.documentId, post)
    port.onDisconnect.addListener(() => {
      if (close()) approvals.withdraw(document.documentId).catch(() => undefined)
    })
  })
}

/** Top frames of web pages that somebody looks at (docs/security.md, who is asking). */
function documentOf({ sender = {} }: Port): PageDocument | undefined {
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

type Parsed = { id?: number; request?: PageRequest; error?: WalletError }

/** A request, or the id of what is none. Without an id nobody waits for an answer. */
function parseMessage(text: string): Parsed {
  if (text.length > mostCharacters) {
    const id = Number(/^\{"id":(-?\d{1,15}),/.exec(text)?.[1] ?? Number.NaN)
    return isId(id) ? { id, error: invalid('A request has at most 1 MB.') } : {}
  }
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
  if (!isFlat(params, mostNested)) return { id, error: invalid('params: nested too deeply.') }
  return { id, request: { id, method, params } }
}

/** Pages have those above zero, the relay the others. */
function isId(id: unknown): id is number {
  return Number.isSafeInteger(id)
}

/** Behind the door things are walked through by functions that call themselves. */
function isFlat(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((item) => isFlat(item, levels - 1))
}

function invalid(message: string): WalletError {
  return new WalletError('invalid-request', message)
}

/** A result that JSON cannot say is a fault of ours, and an answer too. */
function toText(message: PageMessage): string {
  try {
    return JSON.stringify(message)
  } catch (error) {
    return JSON.stringify('id' in message ? { id: message.id, error: toFault(error, '') } : message)
  }
}

/** The error as pages see it: without addresses that the page did not name itself. The node's words are no secret of ours. */
function toFault(error: unknown, asked: string): PageFault {
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
