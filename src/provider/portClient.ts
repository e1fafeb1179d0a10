import {
  getPagePortName,
  maxRequestBytes,
  maxUnacknowledgedLength,
  maxUnaskedLength,
  type RelayNotification,
} from '../protocol.ts'
import type { RelayMessage } from './messages.ts'

export type PortRuntime = {
  /** Absent after an update or removal of the extension. */
  id?: string | undefined
  getManifest(): { version: string }
  connect(info: { name: string }): ClientPort
}

export type ClientPort = {
  postMessage(message: string): void
  disconnect(): void
  onMessage: { addListener(heard: (message: unknown) => void): void }
  onDisconnect: { addListener(gone: () => void): void }
}

export type PortClient = {
  /** Drops anything but requests. */
  ask(text: unknown): void
  /** After the back/forward cache, where messages were lost. */
  renew(): void
  resume(): void
}

/** Per document; the rest waits in the page's process. */
const maxUnanswered = 50
const maxPauseMs = 5_000
const lookEveryMs = 1_000

/**
 * Opens ports on demand. When one breaks, resends unanswered requests under the same ids; each is answered
 * once.
 */
export function createPortClient(
  runtime: PortRuntime,
  say: (text: string) => void,
  isOnHold: () => boolean,
): PortClient {
  const unanswered = new Map<number, string>()
  const waiting = new Map<number, string>()
  let port: ClientPort | undefined
  let pause: ReturnType<typeof setTimeout> | undefined
  let watch: ReturnType<typeof setTimeout> | undefined
  let breaks = 0
  let viewId = 0

  function move(): void {
    if (isOnHold()) return
    for (const [id, text] of waiting) {
      if (unanswered.size >= maxUnanswered) break
      waiting.delete(id)
      unanswered.set(id, text)
      if (port !== undefined) send(id, text)
    }
    if (unanswered.size > 0 && port === undefined && pause === undefined) open()
    if (unanswered.size > 0 && watch === undefined) watch = setTimeout(look, lookEveryMs)
  }

  function open(): void {
    if (runtime.id === undefined) {
      end()
      return
    }
    const openedAt = Date.now()
    try {
      const opened = runtime.connect({ name: getPagePortName(runtime.getManifest().version) })
      port = opened
      opened.onMessage.addListener((text) => {
        if (opened === port) hear(String(text))
      })
      opened.onDisconnect.addListener(() => {
        // Read, or the browser logs it in the page's console. Minifiers drop unused reads.
        Reflect.get(runtime, 'lastError')
        if (opened !== port) return
        if (Date.now() - openedAt > maxPauseMs) breaks = 0
        onBreak()
      })
      for (const [id, text] of unanswered) send(id, text)
    } catch {
      onBreak()
    }
  }

  /** Ports opened during an update do not report disconnects. */
  function look(): void {
    watch = undefined
    if (unanswered.size === 0) return
    if (runtime.id === undefined) end()
    else move()
  }

  /** Long requests wait for the worker's credit, shared by the site's tabs. */
  function send(id: number, text: string): void {
    post(text.length > maxUnaskedLength ? notice({ id, length: text.length }) : text)
  }

  function post(text: string): void {
    try {
      port?.postMessage(text)
    } catch {
      onBreak()
    }
  }

  /** First at once, then with backoff. */
  function onBreak(): void {
    port = undefined
    if (runtime.id === undefined) {
      end()
      return
    }
    if (unanswered.size === 0 || pause !== undefined) return
    pause = setTimeout(
      () => {
        pause = undefined
        move()
      },
      Math.min(50 * (2 ** breaks - 1), maxPauseMs),
    )
    breaks += 1
  }

  function hear(text: string): void {
    const message = JSON.parse(text) as RelayMessage
    if ('credit' in message) {
      const credited = unanswered.get(message.credit)
      if (credited !== undefined) post(credited)
      return
    }
    if (!('id' in message)) {
      say(text)
      return
    }
    if (text.length > maxUnacknowledgedLength) post(notice({ id: message.id, received: true }))
    if (!unanswered.delete(message.id)) return
    breaks = 0
    if (message.id > 0) say(text)
    else if ('result' in message) say(JSON.stringify({ view: message.result }))
    move()
  }

  function end(): void {
    unanswered.clear()
    waiting.clear()
    // Without access to the browser it can no longer be closed.
    port = undefined
    say(JSON.stringify({ ended: true } satisfies RelayMessage))
  }

  return {
    ask(text) {
      const id = toId(text)
      if (id === undefined || unanswered.has(id) || waiting.has(id)) return
      // Size in bytes.
      if ((text as string).length > maxRequestBytes) {
        say(JSON.stringify(tooLong(id)))
        return
      }
      waiting.set(id, text as string)
      move()
    },
    renew() {
      port?.disconnect()
      port = undefined
      clearTimeout(pause)
      pause = undefined
      // Negative ids are the relay's own; known ids would repeat old answers.
      unanswered.delete(viewId)
      viewId -= 1
      unanswered.set(viewId, JSON.stringify({ id: viewId, method: 'sluice_view' }))
      move()
    },
    resume: move,
  }
}

function notice(said: RelayNotification): string {
  return JSON.stringify(said)
}

function toId(text: unknown): number | undefined {
  try {
    const { id } = JSON.parse(text as string)
    return Number.isSafeInteger(id) && id > 0 ? id : undefined
  } catch {
    return undefined
  }
}

function tooLong(id: number): RelayMessage {
  const message = 'params: more than 256 kB.'
  return { id, error: { code: 'invalid-params', message, facts: {} } }
}
