import { type ApprovalWindow, createApprovalWindow } from '../../../src/background/approvals/popupWindow.ts'
import type { memoryArea } from '../../helpers/background/memoryArea.ts'

type BrowserWindow = {
  id: number
  type: 'normal' | 'popup'
  state: 'normal' | 'minimized'
  focused: boolean
  left: number
  top: number
  width: number
  height: number
  url?: string
}

export const requestsUrl = 'chrome-extension://id/popup.html#requests'

/** Asynchronous, and outlives the worker. */
export function createDesktop() {
  const open = new Map<number, BrowserWindow>()
  const listeners = new Set<(id: number) => void>()
  const desktop = {
    created: [] as object[],
    updated: [] as object[],
    badge: '',
    refuses: (_data: object): boolean => false,
    open,
    popups: () => [...open.values()].filter(({ type }) => type === 'popup'),
    add(window: Partial<BrowserWindow>): number {
      const id = nextId++
      const plain = {
        type: 'normal',
        state: 'normal',
        focused: false,
        left: 0,
        top: 0,
        width: 1_200,
        height: 900,
      } as const
      open.set(id, { ...plain, ...window, id })
      return id
    },
    focus(id: number | undefined) {
      for (const window of open.values()) window.focused = window.id === id
    },
    close(id: number) {
      if (open.delete(id)) for (const listener of [...listeners]) listener(id)
    },
    forget: () => listeners.clear(),
  }
  let nextId = 1

  const windows = {
    async create(data: object) {
      await later()
      if (desktop.refuses(data)) throw new Error('Invalid value for bounds.')
      desktop.created.push(data)
      const id = desktop.add({ ...(data as Partial<BrowserWindow>), focused: false })
      desktop.focus(id)
      return { id }
    },
    async get(id: number) {
      await later()
      const window = open.get(id)
      if (window === undefined) throw new Error(`No window with id: ${id}.`)
      return { ...window }
    },
    async update(id: number, info: Partial<BrowserWindow>) {
      await later()
      const window = open.get(id)
      if (window === undefined) throw new Error(`No window with id: ${id}.`)
      desktop.updated.push(info)
      if (info.focused) desktop.focus(id)
      if (info.state !== undefined) window.state = info.state
    },
    async getLastFocused() {
      await later()
      const normal = [...open.values()].filter(({ type }) => type === 'normal').at(-1)
      if (normal === undefined) throw new Error('No last-focused window')
      return { ...normal }
    },
    onRemoved: { addListener: (listener: (id: number) => void) => void listeners.add(listener) },
  }
  const badge = {
    setRequests(count: number) {
      desktop.badge = count === 0 ? '' : String(count)
    },
  }
  const runtime = {
    getContexts: async () =>
      [...open.values()].map(({ id, url }) => ({
        windowId: id,
        ...(url !== undefined && { documentUrl: url }),
      })),
  }
  return { desktop, windows, badge, runtime }
}

export type Desktop = ReturnType<typeof createDesktop>

export function windowOn(
  { windows, badge, runtime }: Pick<Desktop, 'windows' | 'badge' | 'runtime'>,
  session: ReturnType<typeof memoryArea>,
  now: () => number,
  random: () => number = Math.random,
): ApprovalWindow {
  return createApprovalWindow({ session, windows, badge, runtime, url: requestsUrl, now, random })
}

function later(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
