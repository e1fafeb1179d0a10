import type { RelayBrowser, RelayRuntime } from '../../../src/provider/contentScript.ts'
import type { ClientPort } from '../../../src/provider/portClient.ts'

/** Browser stub for a relay; the test plays the worker. */
export function standInBrowser(stored: Record<string, unknown> = {}) {
  const ports: StandInPort[] = []
  const listeners: Parameters<RelayRuntime['onMessage']['addListener']>[0][] = []
  const runtime: RelayRuntime = {
    id: 'sluice',
    getManifest: () => ({ version: '1.2.3' }),
    connect({ name }) {
      if (runtime.id === undefined) throw new Error('Extension context invalidated.')
      const port = standInPort(name, () => runtime.id !== undefined)
      ports.push(port)
      return port
    },
    onMessage: { addListener: (listener) => listeners.push(listener) },
  }
  const browser: RelayBrowser = { runtime, storage: { sync: { get: async () => stored } } }
  return {
    browser,
    runtime,
    ports,
    message(message: unknown, sender: { id?: string; tab?: unknown }) {
      for (const listener of listeners) listener(message, sender)
    },
  }
}

export type StandInPort = ClientPort & {
  name: string
  sent: { id: number; method: string; params?: unknown }[]
  isClosed: boolean
  say(message: unknown): void
  close(): void
}

/** Chromium’s ports throw once the extension is gone. */
function standInPort(name: string, isValid: () => boolean): StandInPort {
  const heard: ((message: unknown) => void)[] = []
  const gone: (() => void)[] = []
  const port: StandInPort = {
    name,
    sent: [],
    isClosed: false,
    postMessage(message) {
      if (!isValid()) throw new Error('Extension context invalidated.')
      if (port.isClosed) throw new Error('Attempting to use a disconnected port object')
      port.sent.push(JSON.parse(message))
    },
    disconnect() {
      if (!isValid()) throw new Error('Extension context invalidated.')
      port.isClosed = true
    },
    onMessage: { addListener: (listener) => heard.push(listener) },
    onDisconnect: { addListener: (listener) => gone.push(listener) },
    say(message) {
      for (const listener of heard) listener(JSON.stringify(message))
    },
    close() {
      port.isClosed = true
      for (const listener of gone) listener()
    },
  }
  return port
}
