import { createQueue } from '../../lib/async/queue.ts'
import type { StorageArea } from '../storage.ts'

/** The one window in which pages' requests wait. */
export type ApprovalWindow = {
  /** Opens it where there is none. One that is open comes to the front, or only draws attention. */
  open(how: 'front' | 'quietly'): Promise<void>
  /** How many requests wait: the number on the wallet's icon. */
  count(open: number): void
  /** To be called in the worker's first turn: closing the window may be what starts it. */
  onClosed(listener: () => unknown): void
}

/** What is needed of `browser.windows`, `browser.action` and `browser.runtime`. */
type Deps = {
  session: StorageArea
  windows: {
    create(data: object): Promise<{ id?: number | undefined } | undefined>
    get(id: number): Promise<OpenWindow>
    update(id: number, info: object): Promise<unknown>
    getLastFocused(query: { windowTypes: ['normal'] }): Promise<OpenWindow>
    onRemoved: { addListener(listener: (id: number) => void): void }
  }
  action?: { setBadgeText(details: { text: string }): Promise<void> } | undefined
  /** `getContexts`, where the browser has it, tells which of our own pages are open. */
  runtime: { getContexts?(filter: { contextTypes: ['TAB'] }): Promise<Context[]> }
  /** The page that the window shows. */
  url: string
  now: () => number
  /** From 0 to below 1, not to be guessed by a page. */
  random: () => number
}

type OpenWindow = {
  id?: number | undefined
  type?: string | undefined
  state?: string | undefined
  focused?: boolean | undefined
  left?: number | undefined
  top?: number | undefined
  width?: number | undefined
  height?: number | undefined
}
type Context = { documentUrl?: string | undefined; windowId: number }

const key = 'approvals.window'

/** The page is 360 wide; the rest is the window's frame. */
const size = { width: 376, height: 640 }
type Span = { from: number; to: number }

/** The room within which the place varies at least, in pixels, where the screen has it. */
const leastRoom = 160

/** How many places are tried before the browser chooses one. */
const mostPlaces = 4

/** A window that closes this soon after a request came into an emptied one was closing by itself: nobody saw the request. */
const closingMs = 500

/** The window's id is kept in `session`, so that a worker started again finds the window and opens no second one. */
export function createApprovalWindow(places: Deps): ApprovalWindow {
  const { session, windows, runtime, url, now, random } = places
  const oneAtATime = createQueue()
  let isEmptied = false
  let reusedAt = Number.NEGATIVE_INFINITY

  async function existing(): Promise<OpenWindow | undefined> {
    const id = await session.get(key)
    const known = typeof id === 'number' ? await windows.get(id).catch(() => undefined) : undefined
    return known ?? unnoted()
  }

  /** The window that a worker opened right before it was stopped. A user's own tab with the same page is not it. */
  async function unnoted(): Promise<OpenWindow | undefined> {
    const pages = (await runtime.getContexts?.({ contextTypes: ['TAB'] }).catch(() => [])) ?? []
    for (const { documentUrl, windowId } of pages) {
      if (documentUrl !== url) continue
      const found = await windows.get(windowId).catch(() => undefined)
      if (found?.type !== 'popup') continue
      await session.set({ [key]: windowId })
      return found
    }
    return undefined
  }

  /** Its place varies: a page must not know what comes to lie under the pointer. */
  async function openNew(): Promise<void> {
    const data = { type: 'popup', url, ...size, focused: true }
    const opened = await create(data)
    isEmptied = false
    reusedAt = Number.NEGATIVE_INFINITY
    if (opened?.id !== undefined) await session.set({ [key]: opened.id })
  }

  /** A browser refuses a place that is off its screens. The icon's number still shows that something waits where it opens none. */
  async function create(data: object): Promise<OpenWindow | undefined> {
    const area = await areaInUse()
    for (let tries = 0; area !== undefined && tries < mostPlaces; tries++) {
      const place = { left: within(area.left), top: within(area.top) }
      const opened = await windows.create({ ...data, ...place }).catch(() => undefined)
      if (opened !== undefined) return opened
    }
    return windows.create(data).catch(() => undefined)
  }

  /** Returns where the window's corner may be, over the browser window in use, whatever screen that is on. */
  async function areaInUse(): Promise<{ left: Span; top: Span } | undefined> {
    const last = await windows.getLastFocused({ windowTypes: ['normal'] }).catch(() => undefined)
    if (last === undefined || last.state === 'minimized') return undefined
    const { left, top, width, height } = last
    if (left === undefined || top === undefined || width === undefined || height === undefined)
      return undefined
    return { left: spanOf(left, width - size.width), top: spanOf(top, height - size.height) }
  }

  function within({ from, to }: Span): number {
    return Math.round(from + random() * (to - from))
  }

  async function attract({ id, focused, state }: OpenWindow, how: 'front' | 'quietly'): Promise<void> {
    if (isEmptied) reusedAt = now()
    isEmptied = false
    if (id === undefined || focused) return
    const front = state === 'minimized' ? { state: 'normal', focused: true } : { focused: true }
    await windows.update(id, how === 'front' ? front : { drawAttention: true })
  }

  async function removed(id: number, listener: () => unknown): Promise<void> {
    if ((await session.get(key)) !== id) return
    await session.remove([key])
    if (now() - reusedAt < closingMs) await openNew()
    else listener()
  }

  return {
    open: (how) =>
      oneAtATime(async () => {
        const found = await existing()
        await (found === undefined ? openNew() : attract(found, how))
      }),
    count(open) {
      if (open === 0) isEmptied = true
      places.action?.setBadgeText({ text: open === 0 ? '' : String(open) }).catch(() => undefined)
    },
    onClosed(listener) {
      windows.onRemoved.addListener((id) => {
        oneAtATime(() => removed(id, listener)).catch(() => undefined)
      })
    },
  }
}

/**
 * Returns where the window may begin along one axis: inside of a browser window with `room` to spare. Of a small one it sticks out to
 * the left or the top, where the screen goes on for certain.
 */
function spanOf(start: number, room: number): Span {
  const to = start + Math.max(0, room)
  return { from: Math.min(start, Math.max(Math.min(start, 0), to - leastRoom)), to }
}
