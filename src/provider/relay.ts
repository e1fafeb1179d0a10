import { isForProvider, offerPort } from './handshake.ts'
import { createLine, type Line, type LineRuntime } from './line.ts'
import type { RelayMessage } from './messages.ts'

/** The part of the browser that the relay needs. */
export type RelayBrowser = {
  runtime: LineRuntime & {
    onMessage: {
      addListener(heard: (message: unknown, sender: { id?: string; tab?: unknown }) => void): void
    }
  }
  storage: { sync: { get(key: string): Promise<Record<string, unknown>> } }
}

/** Starts what stands between the page's provider and the worker. It wakes the worker only when the page asks something. */
export function startRelay(browser: RelayBrowser, page: Window & typeof globalThis): void {
  if (!isForProvider(page)) return
  const { runtime } = browser
  const { document } = page as { document: Document & { prerendering?: boolean } }
  const { port1: port, port2: pagesPort } = new MessageChannel()
  const say = (text: string) => port.postMessage(text)
  // Most pages never ask, and keep nothing of it in their memory.
  let line: Line | undefined

  port.onmessage = ({ data }) => {
    line ??= createLine(runtime, say, () => document.prerendering === true)
    line.ask(data)
  }
  offerPort(page, pagesPort)
  page.addEventListener('pageshow', (event) => {
    // Events that the page makes itself must not open ports.
    if (event.persisted && event.isTrusted) line?.renew()
  })
  document.addEventListener('prerenderingchange', () => line?.resume())

  // To documents without a port the worker sends events this way.
  runtime.onMessage.addListener((message, { id, tab }) => {
    if (id !== runtime.id || tab !== undefined) return
    const pageEvent = (message as { pageEvent?: unknown } | null)?.pageEvent
    if (typeof pageEvent === 'string') say(pageEvent)
  })

  // The worker keeps this one setting in the area that content scripts can read without waking it.
  browser.storage.sync
    .get('defaultWallet')
    .then(({ defaultWallet }) => {
      if (defaultWallet === true) say(JSON.stringify({ defaultWallet } satisfies RelayMessage))
    })
    .catch(() => undefined)
}
