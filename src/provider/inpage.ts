import { announce } from './eip6963.ts'
import { isForProvider, takePort } from './handshake.ts'
import type { RelayMessage } from './messages.ts'
import { createProvider, type Provider } from './provider.ts'

/** Starts the page's side: the provider, made known by EIP-6963, and as `window.ethereum` when the user wants that. */
export function startPage(page: Window & typeof globalThis): void {
  if (!isForProvider(page)) return
  takePort(page, (port) => {
    // The page must not get the port: its methods are bound, and the getter taken, before a script of the page can replace
    // them. Hearing happens in a task of its own, because `window.event` leads to the port as long as the port's event lasts,
    // microtasks included.
    const dataOf = readerOf(page.MessageEvent.prototype, 'data')
    const later = page.scheduler.postTask.bind(page.scheduler)
    // The browser reads more from it than is there; a page's getter on Object.prototype would run while the event lasts.
    const urgent = { __proto__: null, priority: 'user-blocking' } as const
    const { provider, hear } = createProvider(
      port.postMessage.bind(port),
      page.reportError,
      page.setTimeout.bind(page),
    )
    port.onmessage = (event) => {
      const text = dataOf(event)
      later(() => {
        const message = JSON.parse(text) as RelayMessage
        if ('defaultWallet' in message) beDefault(page, provider)
        else hear(message)
      }, urgent)
    }
    announce(page, provider)
  })
}

/** The getter of `prototype`, as a function that no later change of the prototype, or of functions, reaches. */
function readerOf(prototype: object, name: string): (from: object) => string {
  const getter = Object.getOwnPropertyDescriptor(prototype, name)?.get
  return Function.prototype.call.bind(getter as () => string)
}

/** Another wallet that was there first stays, and a page or a wallet that comes later may replace ours. */
function beDefault(page: Window & typeof globalThis, provider: Provider): void {
  // Own properties only: an element with the id "ethereum" is no wallet.
  if (Object.hasOwn(page, 'ethereum')) return
  Object.defineProperty(page, 'ethereum', {
    value: provider,
    configurable: true,
    enumerable: true,
    writable: true,
  })
  page.dispatchEvent(new Event('ethereum#initialized'))
}
