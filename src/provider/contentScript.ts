import { isForProvider, offerPort } from './handshake.ts'
import type { RelayMessage } from './messages.ts'
import { createPortClient, type PortClient, type PortRuntime } from './portClient.ts'

/** The part of the browser that the relay needs. */
export type RelayBrowser = {
  /** Gone, it or its id, when the extension was updated or removed before anything looked at it. */
  runtime?: RelayRuntime
  storage: { sync: { get(key: string): Promise<Record<string, unknown>> } }
}

export type RelayRuntime = PortRuntime & {
  onMessage: {
    addListener(heard: (message: unknown, sender: { id?: string; tab?: unknown }) => void): void
  }
}

/**
 * Starts what stands between the page's provider and the worker. It wakes the worker only when the page asks something. Most pages never
 * do: what serves those that did is not made before, and the browser's runtime, which takes it a moment, is not touched.
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

  // The worker keeps this one setting in the area that content scripts can read without waking it.
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
    // Events that the page makes itself must not open ports.
    if (event.persisted && event.isTrusted) line.renew()
  })
  document.addEventListener('prerenderingchange', () => line.resume())
  // To documents without a port the worker sends events this way.
  runtime.onMessage.addListener((message, { id, tab }) => {
    if (id !== runtime.id || tab !== undefined) return
    const pageEvent = (message as { pageEvent?: unknown } | null)?.pageEvent
    if (typeof pageEvent === 'string') say(pageEvent)
  })
  return line
}
