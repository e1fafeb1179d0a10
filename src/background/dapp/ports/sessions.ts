import * as v from 'valibot'
import { browser } from 'wxt/browser'
import { parseOrUndefined } from '../../../domain/parseOrUndefined.ts'
import type { Address, Hex } from '../../../domain/token/token.ts'
import { cached } from '../../../lib/async/cached.ts'
import { createMutex } from '../../../lib/async/mutex.ts'
import type { ProviderEvent, ProviderMessage } from '../../../protocol.ts'
import type { Requester } from '../../approvals/store.ts'
import { address, chainId } from '../../schemas.ts'
import type { StorageArea } from '../../storage.ts'
import type { Sites, SiteView } from '../connectedSites.ts'

export type PageSession = Omit<Requester, 'requestId'>

/** Documents that sent requests, with their known view. They outlive the worker. */
export type Sessions = {
  /** Registers a port. The result closes it, and returns true for the last. */
  open(documentId: string, post: Post): () => boolean
  isOpen(documentId: string): boolean
  /** Dropped without an open port. */
  reply(documentId: string, message: ProviderMessage): void
  /** Registers for events. A forgotten document gets the current view. */
  meet(document: Requester): Promise<void>
  /** Returns the current view and stores it as known. */
  view(document: PageSession): Promise<{ accounts: Address[]; chainId: Hex }>
  /** Sends events to documents whose view changed. Does not throw. */
  tell(): Promise<void>
  /** Lost if the document is gone. */
  send(documentId: string, event: ProviderEvent): Promise<void>
}

type Post = (message: ProviderMessage) => void
type Told = Omit<PageSession, 'documentId'> & SiteView & { metAt: number }

type Deps = {
  session: StorageArea
  sites: Pick<Sites, 'view'>
  /** Reaches documents without an open port. */
  sendToTab?(tabId: number, documentId: string, message: { pageEvent: string }): Promise<unknown>
  now?(): number
}

const prefix = 'document.'
const maxDocuments = 1_000

export function createSessions({ session, sites, sendToTab = sendByTabs, now = Date.now }: Deps): Sessions {
  // A document must not get an older view after a newer one.
  const runExclusive = createMutex()
  const ports = new Map<string, Post[]>()
  const { get: all } = cached(async () => {
    const found = Object.entries(await session.all()).flatMap(([key, stored]): [string, Told][] => {
      const told = parseOrUndefined(toldShape, stored)
      return key.startsWith(prefix) && told !== undefined ? [[key.slice(prefix.length), told]] : []
    })
    return new Map(found.sort(([, one], [, other]) => one.metAt - other.metAt))
  })

  // If lost, an event is repeated or missed after a restart.
  async function store(known: Map<string, Told>, documentIds: string[]): Promise<void> {
    if (documentIds.length === 0) return
    const items = documentIds.map((documentId) => [prefix + documentId, known.get(documentId)])
    await session.set(Object.fromEntries(items)).catch(() => undefined)
  }

  async function forget(documentIds: string[]): Promise<void> {
    if (documentIds.length === 0) return
    const known = await all()
    for (const documentId of documentIds) known.delete(documentId)
    await session.remove(documentIds.map((documentId) => prefix + documentId)).catch(() => undefined)
  }

  async function note({ documentId, tabId, origin }: PageSession, view: SiteView): Promise<void> {
    const known = await all()
    const metAt = known.get(documentId)?.metAt ?? now()
    known.set(documentId, { tabId, origin, metAt, ...view })
    await store(known, [documentId])
    // A tab shows one document; an earlier one asks again when it returns.
    const before = [...known].filter(
      ([id, told]) => told.tabId === tabId && id !== documentId && !ports.has(id),
    )
    await forget(before.map(([id]) => id))
    await forget(surplus(known, documentId))
  }

  /** Oldest documents of the largest site, those without an open port first. */
  function surplus(known: Map<string, Told>, met: string): string[] {
    if (known.size <= maxDocuments) return []
    const others = [...known].filter(([id]) => id !== met)
    const closed = others.filter(([id]) => !ports.has(id))
    const bySite = new Map<string, string[]>()
    for (const [id, { origin }] of closed.length > 0 ? closed : others) {
      bySite.set(origin, [...(bySite.get(origin) ?? []), id])
    }
    const [most = []] = [...bySite.values()].sort((one, other) => other.length - one.length)
    return most.slice(0, known.size - maxDocuments)
  }

  function newestPort(documentId: string): Post | undefined {
    return ports.get(documentId)?.at(-1)
  }

  function post(documentId: string, tabId: number, event: ProviderEvent): void {
    const port = newestPort(documentId)
    if (port !== undefined) {
      port(event)
      return
    }
    // A hanging tab must not delay others.
    sendToTab(tabId, documentId, { pageEvent: JSON.stringify(event) })
      .catch(() => (ports.has(documentId) ? undefined : forget([documentId])))
      .catch(() => undefined)
  }

  async function viewsOf(known: Map<string, Told>): Promise<Map<string, SiteView>> {
    const origins = [...new Set([...known.values()].map(({ origin }) => origin))]
    const views = await Promise.all(
      origins.map(async (origin): Promise<[string, SiteView][]> => {
        const view = await sites.view(origin).catch(() => undefined)
        return view === undefined ? [] : [[origin, view]]
      }),
    )
    return new Map(views.flat())
  }

  async function tellAll(): Promise<void> {
    const known = await all()
    const views = await viewsOf(known)
    const changed = [...known].filter(([documentId, told]) => {
      const view = views.get(told.origin)
      const events = view === undefined ? [] : eventsBetween(told, view)
      for (const event of events) post(documentId, told.tabId, event)
      if (events.length > 0) known.set(documentId, { ...told, ...view })
      return events.length > 0
    })
    await store(
      known,
      changed.map(([documentId]) => documentId),
    )
  }

  return {
    open(documentId, post) {
      ports.set(documentId, [...(ports.get(documentId) ?? []), post])
      return () => {
        const rest = (ports.get(documentId) ?? []).filter((each) => each !== post)
        if (rest.length > 0) ports.set(documentId, rest)
        else ports.delete(documentId)
        return rest.length === 0
      }
    },
    isOpen: (documentId) => ports.has(documentId),
    reply: (documentId, message) => newestPort(documentId)?.(message),
    async meet(document) {
      if ((await all()).has(document.documentId)) return
      await runExclusive(async () => {
        if ((await all()).has(document.documentId)) return
        const view = await sites.view(document.origin)
        await note(document, view)
        // Documents count requests from 1; relays (ids below zero) ask for the view anyway.
        if (document.requestId > 1) newestPort(document.documentId)?.({ view: shown(view) })
      })
    },
    view: (document) =>
      runExclusive(async () => {
        const view = await sites.view(document.origin)
        await note(document, view)
        return shown(view)
      }),
    tell: () => runExclusive(tellAll).catch(() => undefined),
    async send(documentId, event) {
      const told = (await all()).get(documentId)
      if (told !== undefined) post(documentId, told.tabId, event)
    },
  }
}

function shown({ accounts, chainId }: SiteView): { accounts: Address[]; chainId: Hex } {
  return { accounts, chainId: hexChainId(chainId) }
}

/** Formats a chain id (EIP-695). */
export function hexChainId(chainId: number): Hex {
  return `0x${chainId.toString(16)}`
}

function eventsBetween(told: SiteView, view: SiteView): ProviderEvent[] {
  const moved = told.chainId !== view.chainId
  const others = told.accounts.join() !== view.accounts.join()
  return [
    ...(moved ? [{ event: 'chainChanged', data: hexChainId(view.chainId) } as const] : []),
    ...(others ? [{ event: 'accountsChanged', data: view.accounts } as const] : []),
  ]
}

function sendByTabs(tabId: number, documentId: string, message: { pageEvent: string }): Promise<unknown> {
  return browser.tabs.sendMessage(tabId, message, { documentId })
}

const toldShape: v.GenericSchema<unknown, Told> = v.object({
  tabId: v.pipe(v.number(), v.safeInteger()),
  origin: v.string(),
  accounts: v.array(address),
  chainId,
  metAt: v.number(),
})
