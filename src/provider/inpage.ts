import { announce } from './eip6963.ts'
import { isForProvider, takePort } from './handshake.ts'
import type { RelayMessage } from './messages.ts'
import { createProvider, type Provider } from './provider.ts'

/** Announces the provider (EIP-6963), and sets `window.ethereum` if enabled. */
export function startPage(page: Window & typeof globalThis): void {
  if (!isForProvider(page)) return
  takePort(page, (port) => {
    // Bound early and handled in a later task, since page scripts must not get the port, which `window.event`
    // exposes during its event.
    const dataOf = toReader(page.MessageEvent.prototype, 'data')
    const later = page.scheduler.postTask.bind(page.scheduler)
    // Getters on Object.prototype would run during the event.
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

/** Returns the getter, unaffected by later changes of prototypes. */
function toReader(prototype: object, name: string): (from: object) => string {
  const getter = Object.getOwnPropertyDescriptor(prototype, name)?.get
  return Function.prototype.call.bind(getter as () => string)
}

/** Never replaces another wallet; ours can be replaced. */
function beDefault(page: Window & typeof globalThis, provider: Provider): void {
  // Elements with the id "ethereum" are not own properties.
  if (Object.hasOwn(page, 'ethereum')) return
  Object.defineProperty(page, 'ethereum', {
    value: provider,
    configurable: true,
    enumerable: true,
    writable: true,
  })
  page.dispatchEvent(new Event('ethereum#initialized'))
}
