import {
  maxRequestBytes,
  maxUnacknowledgedLength,
  maxUnaskedLength,
  pagePort,
  type RelayNotification,
} from '../protocol.ts'
import type { RelayMessage } from './messages.ts'

/** The part of the browser's runtime that the line needs. */
export type PortRuntime = {
  /** Gone when the extension was updated or removed. */
  id?: string | undefined
  connect(info: { name: string }): ClientPort
}

export type ClientPort = {
  postMessage(message: string): void
  disconnect(): void
  onMessage: { addListener(heard: (message: unknown) => void): void }
  onDisconnect: { addListener(gone: () => void): void }
}

/** Requests of one document on their way to the worker. */
export type PortClient = {
  /** A request as the page's script wrote it. What is not one is dropped. */
  ask(text: unknown): void
  /** The document was set aside, and is back: what was posted meanwhile is lost, and so are events. */
  renew(): void
  /** Sends what could not be sent yet. */
  resume(): void
}

/** What one document may have in the worker. The rest waits here, in the page's own process. */
const mostUnanswered = 50
const longestPauseMs = 5_000
const lookEveryMs = 1_000

/**
 * Opens a port when there is something to ask, opens another when it breaks before everything was answered, and then asks again
 * under the same ids. Each request is answered once.
 * @param say tells the page
 * @param isOnHold true while nothing may be sent
 */
export function createPortClient(
  runtime: PortRuntime,
  say: (text: string) => void,
  isOnHold: () => boolean = () => false,
): PortClient {
  const unanswered = new Map<number, string>()
  const waiting = new Map<number, string>()
  let port: ClientPort | undefined
  let pause: ReturnType<typeof setTimeout> | undefined
  let watch: ReturnType<typeof setTimeout> | undefined
  let breaks = 0
  let hasAsked = false
  let viewId = 0

  function move(): void {
    if (isOnHold()) return
    for (const [id, text] of waiting) {
      if (unanswered.size >= mostUnanswered) break
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
      const opened = runtime.connect({ name: pagePort })
      port = opened
      opened.onMessage.addListener((text) => {
        if (opened === port) hear(String(text))
      })
      opened.onDisconnect.addListener(() => {
        // Read, or the browser reports it in the page's console. The minifier leaves out a reading that nobody uses.
        Reflect.get(runtime, 'lastError')
        if (opened !== port) return
        if (Date.now() - openedAt > longestPauseMs) breaks = 0
        onBreak()
      })
      for (const [id, text] of unanswered) send(id, text)
    } catch {
      onBreak()
    }
  }

  /** A port that was opened while the extension was being updated does not say that it broke. */
  function look(): void {
    watch = undefined
    if (unanswered.size === 0) return
    if (runtime.id === undefined) end()
    else move()
  }

  /** A long request is announced, and waits for the worker's credit: its site may have too much in the worker by other tabs. */
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

  /** The next port is opened at once; when ports keep breaking, later and later. */
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
      breaks === 0 ? 0 : Math.min(50 * 2 ** breaks, longestPauseMs),
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
    say(JSON.stringify({ ended: true } satisfies RelayMessage))
  }

  return {
    ask(text) {
      const id = idOf(text)
      if (id === undefined || unanswered.has(id) || waiting.has(id)) return
      // The worker counts bytes.
      if ((text as string).length > maxRequestBytes) {
        say(JSON.stringify(tooLong(id)))
        return
      }
      hasAsked = true
      waiting.set(id, text as string)
      move()
    },
    renew() {
      if (!hasAsked) return
      port?.disconnect()
      port = undefined
      clearTimeout(pause)
      pause = undefined
      // Ids below zero are the relay's own. A fresh one: to a known one the worker repeats what it answered.
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

function idOf(text: unknown): number | undefined {
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
