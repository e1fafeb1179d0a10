import { fakeBrowser } from 'wxt/testing/fake-browser'
import { createHttp } from '../../../src/api/http.ts'
import { v6 } from '../../../src/api/v6.ts'
import { start } from '../../../src/background/main.ts'
import { type Chain, createChain } from '../../../src/evm/client.ts'
import { connect } from '../../../src/messaging.ts'
import { getPagePortName, type WalletApi } from '../../../src/protocol.ts'
import type { Backup } from '../../../src/vault/storage/store.ts'
import { type Gate, gated } from './worker.ts'

// The whole worker in a fake browser.

export const wallet = connect<WalletApi>('wallet')

/** Before each storage or RPC operation; may perform, fail or hang. */
let gate: Gate
let stop = () => {}
let backup: Backup
let connectPort: (port: object) => void
/** The toolbar icon's. */
export const shownBadge = { text: '' }
const disk = fakeBrowser.storage.local

export function openBrowser(): void {
  stop()
  fakeBrowser.reset()
  const action = {
    setBadgeText: async ({ text }: { text: string }) => {
      shownBadge.text = text
    },
    setBadgeBackgroundColor: async () => undefined,
  }
  shownBadge.text = ''
  const onConnect = {
    addListener: (listener: typeof connectPort) => {
      connectPort = listener
    },
  }
  Object.assign(fakeBrowser, { action, permissions: fakePermissions() })
  Object.assign(fakeBrowser.runtime, { onConnect, getManifest: () => ({ version: '0.0.0' }) })
  deliverAsPopup()
  backup = memoryBackup()
  setGate()
}

export function setGate(next: Gate = (_operation, perform) => perform()): void {
  gate = next
}

/** Starts a worker; the last one stops. */
export function begin(change: (chain: Chain) => Chain = (chain) => chain): void {
  stop()
  fakeBrowser.runtime.onMessage.removeAllListeners()
  granted.heard = []
  fakeBrowser.alarms.onAlarm.removeAllListeners()
  let isAlive = true
  stop = () => {
    isAlive = false
    fakeBrowser.storage.local = disk
  }
  const own: Gate = async (operation, perform) => {
    const result = isAlive ? await gate(operation, perform) : undefined
    return isAlive ? (result as Awaited<ReturnType<typeof perform>>) : new Promise<never>(() => {})
  }
  fakeBrowser.storage.local = {
    ...disk,
    ...gated('local', { get: disk.get, set: disk.set, remove: disk.remove, clear: disk.clear }, own),
  }
  start({
    createChain: (network) => gated('chain', change(createChain(network)), own),
    createApi: ({ serviceUrl, chainId }) => v6(createHttp({ baseUrl: serviceUrl }), chainId),
    backup,
  })
}

export function openPage(origin: string, hear: (text: string) => void) {
  const listeners: ((message: unknown) => void)[] = []
  const gone: (() => void)[] = []
  connectPort({
    name: getPagePortName('0.0.0'),
    sender: {
      id: fakeBrowser.runtime.id,
      frameId: 0,
      documentLifecycle: 'active',
      origin,
      url: `${origin}/`,
      documentId: `of ${origin}`,
      tab: { id: 4 },
    },
    postMessage: hear,
    onMessage: { addListener: (listener: (message: unknown) => void) => listeners.push(listener) },
    onDisconnect: { addListener: (listener: () => void) => gone.push(listener) },
  })
  return {
    say(message: unknown): void {
      for (const listener of listeners) listener(message)
    },
    close(): void {
      for (const listener of gone) listener()
    },
  }
}

/** Returns a function that restores the storage. */
export async function photograph(): Promise<() => Promise<void>> {
  const [items, copy, session] = [
    await onDisk(),
    await backup.read(),
    await fakeBrowser.storage.session.get(null),
  ]
  const kept = structuredClone({ items, copy, session })
  return async () => {
    stop()
    const { local: _, session } = fakeBrowser.storage
    await disk.clear()
    await disk.set(structuredClone(kept.items))
    await session.clear()
    await session.set(structuredClone(kept.session))
    backup = memoryBackup(structuredClone(kept.copy))
    setGate()
  }
}

export async function onDisk(): Promise<Record<string, unknown>> {
  return structuredClone(await disk.get(null))
}

/** Outlives the worker, but not the browser. */
export async function inSession(): Promise<Record<string, unknown>> {
  return structuredClone(await fakeBrowser.storage.session.get(null))
}

/** Writes behind the worker's back. */
export async function plant(area: 'local' | 'session', items: Record<string, unknown>): Promise<void> {
  await (area === 'local' ? disk : fakeBrowser.storage.session).set(items)
}

export function memoryBackup(stored?: unknown): Backup {
  let copy = stored
  return {
    read: async () => copy,
    write: async (records) => {
      copy = structuredClone(records)
    },
    clear: async () => {
      copy = undefined
    },
  }
}

let granted: { origins: Set<string>; permissions: Set<string>; heard: (() => void)[] }

function fakePermissions() {
  granted = { origins: new Set(), permissions: new Set(), heard: [] }
  return {
    onAdded: { addListener: (listener: () => void) => granted.heard.push(listener) },
    contains: async ({ origins = [], permissions = [] }: Wanted) =>
      origins.every((one) => granted.origins.has(one)) &&
      permissions.every((one) => granted.permissions.has(one)),
  }
}

type Wanted = { origins?: string[]; permissions?: string[] }

export function grant({ origins = [], permissions = [] }: Wanted): void {
  for (const one of origins) granted.origins.add(one)
  for (const one of permissions) granted.permissions.add(one)
  for (const listener of granted.heard) listener()
}

/** Chromium names the sender. */
function deliverAsPopup(): void {
  const popup = { id: fakeBrowser.runtime.id, url: fakeBrowser.runtime.getURL('/popup.html' as never) }
  const trigger = fakeBrowser.runtime.onMessage.trigger as (...args: unknown[]) => Promise<unknown[]>
  const relay = (message: unknown) =>
    new Promise<unknown>((resolve, reject) => {
      trigger(message, popup, resolve).then((kept) => {
        if (!kept.includes(true)) reject(new Error('Receiving end does not exist.'))
      })
    })
  fakeBrowser.runtime.sendMessage = relay as typeof fakeBrowser.runtime.sendMessage
}
