import { createMutex } from '../../lib/async/mutex.ts'
import type { Badge } from '../badge.ts'
import type { StorageArea } from '../storage.ts'

export type ApprovalWindow = {
  open(how: 'front' | 'quietly'): Promise<void>
  /** Shows the count on the badge. */
  count(open: number): void
  /** Call in the worker's first turn, as closing may start the worker. */
  onClosed(listener: () => unknown): void
}

type Deps = {
  session: StorageArea
  windows: {
    create(data: object): Promise<{ id?: number | undefined } | undefined>
    get(id: number): Promise<OpenWindow>
    update(id: number, info: object): Promise<unknown>
    getLastFocused(query: { windowTypes: ['normal'] }): Promise<OpenWindow>
    onRemoved: { addListener(listener: (id: number) => void): void }
  }
  badge?: Pick<Badge, 'setRequests'>
  /** `getContexts`, if available, lists our open pages. */
  runtime: { getContexts?(filter: { contextTypes: ['TAB'] }): Promise<Context[]> }
  url: string
  now: () => number
  /** From 0 to below 1, unpredictable for pages. */
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

/** 360 wide, plus the frame. */
const size = { width: 376, height: 640 }
type Span = { from: number; to: number }

/** Minimum variation in pixels. */
const minRoom = 160

const maxPlaces = 4

/** A window closing this soon after reuse was closing already, with the request unseen. */
const closingMs = 500

/** Keeps the window's id in `session`, so that a restarted worker finds it. */
export function createApprovalWindow(places: Deps): ApprovalWindow {
  const { session, windows, runtime, url, now, random } = places
  const runExclusive = createMutex()
  let isEmptied = false
  let reusedAt = Number.NEGATIVE_INFINITY

  async function existing(): Promise<OpenWindow | undefined> {
    const id = await session.get(key)
    const known = typeof id === 'number' ? await windows.get(id).catch(() => undefined) : undefined
    return known ?? unnoted()
  }

  /** Finds a window opened right before a worker stop. Skips the user's tabs. */
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

  /** The position varies so that pages cannot predict what is under the pointer. */
  async function openNew(): Promise<void> {
    const data = { type: 'popup', url, ...size, focused: true }
    const opened = await create(data)
    isEmptied = false
    reusedAt = Number.NEGATIVE_INFINITY
    if (opened?.id !== undefined) await session.set({ [key]: opened.id })
  }

  /** Browsers refuse positions off screen. */
  async function create(data: object): Promise<OpenWindow | undefined> {
    const area = await areaInUse()
    for (let tries = 0; area !== undefined && tries < maxPlaces; tries++) {
      const place = { left: within(area.left), top: within(area.top) }
      const opened = await windows.create({ ...data, ...place }).catch(() => undefined)
      if (opened !== undefined) return opened
    }
    return windows.create(data).catch(() => undefined)
  }

  async function areaInUse(): Promise<{ left: Span; top: Span } | undefined> {
    const last = await windows.getLastFocused({ windowTypes: ['normal'] }).catch(() => undefined)
    if (last === undefined || last.state === 'minimized') return undefined
    const { left, top, width, height } = last
    if (left === undefined || top === undefined || width === undefined || height === undefined)
      return undefined
    return { left: getSpan(left, width - size.width), top: getSpan(top, height - size.height) }
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
      runExclusive(async () => {
        const found = await existing()
        await (found === undefined ? openNew() : attract(found, how))
      }),
    count(open) {
      if (open === 0) isEmptied = true
      places.badge?.setRequests(open)
    },
    onClosed(listener) {
      windows.onRemoved.addListener((id) => {
        runExclusive(() => removed(id, listener)).catch(() => undefined)
      })
    },
  }
}

/** A small browser window is exceeded to the left or top, where the screen continues. */
function getSpan(start: number, room: number): Span {
  const to = start + Math.max(0, room)
  return { from: Math.min(start, Math.max(Math.min(start, 0), to - minRoom)), to }
}
