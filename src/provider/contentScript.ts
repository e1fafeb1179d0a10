import { isForProvider, offerPort } from './handshake.ts'
import type { RelayMessage } from './messages.ts'
import { createPortClient, type PortClient, type PortRuntime } from './portClient.ts'

export type RelayBrowser = {
  /** Absent after an update or removal of the extension. */
  runtime?: RelayRuntime
  storage: { sync: { get(key: string): Promise<Record<string, unknown>> } }
}

export type RelayRuntime = PortRuntime & {
  onMessage: {
    addListener(heard: (message: unknown, sender: { id?: string; tab?: unknown }) => void): void
  }
}

/**
 * Starts the relay. It is created lazily, as most pages make no requests, and only requests wake the worker.
 */
export function startRelay(browser: RelayBrowser, page: Window & typeof globalThis): void {
  if (!isForProvider(page)) return
  const { port1: port, port2: pagesPort } = new MessageChannel()
  const say = (text: string) => port.postMessage(text)
  let line: PortClient | undefined

  port.onmessage = ({ data }) => {
    const { runtime } = browser
    if (runtime?.id === undefined) {
      say(JSON.stringify({ ended: true } satisfies RelayMessage))
      return
    }
    if (data === '') {
      say(JSON.stringify({ here: true } satisfies RelayMessage))
      return
    }
    line ??= openLine(runtime, page, say)
    line.ask(data)
  }
  offerPort(page, pagesPort)

  // Readable by content scripts without waking the worker.
  browser.storage.sync
    .get('defaultWallet')
    .then(({ defaultWallet }) => {
      if (defaultWallet === true) say(JSON.stringify({ defaultWallet } satisfies RelayMessage))
    })
    .catch(() => undefined)
}

function openLine(
  runtime: RelayRuntime,
  page: Window & typeof globalThis,
  say: (text: string) => void,
): PortClient {
  const { document } = page as { document: Document & { prerendering?: boolean } }
  const line = createPortClient(runtime, say, () => document.prerendering === true)
  page.addEventListener('pageshow', (event) => {
    // Synthetic events must not open ports.
    if (event.persisted && event.isTrusted) line.renew()
  })
  document.addEventListener('prerenderingchange', () => line.resume())
  // For documents without a port.
  runtime.onMessage.addListener((message, { id, tab }) => {
    if (id !== runtime.id || tab !== undefined) return
    const pageEvent = (message as { pageEvent?: unknown } | null)?.pageEvent
    if (typeof pageEvent === 'string') say(pageEvent)
  })
  return line
}
