// How one end of a channel gets from the isolated world into the page's. Events of the window are dispatched at once and are heard
// in both worlds, and both scripts run in one go before the page's first. Chromium starts them in the manifest's order.

const offerEvent = 'sluice:channel'
const helloEvent = 'sluice:hello'

/** Documents that a provider is for: HTML, in a secure context. Both worlds go by it. */
export function isForProvider(page: Window & typeof globalThis): boolean {
  return page.isSecureContext && /^(text\/html|application\/xhtml\+xml)$/.test(page.document.contentType)
}

/** In the isolated world: gives `port` to whoever takes it first, now or until the page begins. */
export function offerPort(page: Window & typeof globalThis, port: MessagePort): void {
  const offer = () => !page.dispatchEvent(new MessageEvent(offerEvent, { ports: [port], cancelable: true }))
  if (offer()) return
  page.addEventListener(helloEvent, offer, { once: true })
  // The parser adds an element before any script of the page runs, and observers are heard in between.
  const observer = new page.MutationObserver(() => {
    page.removeEventListener(helloEvent, offer)
    observer.disconnect()
  })
  observer.observe(page.document, { childList: true, subtree: true })
}

/** In the page's world: takes the port, once. Without a relay nothing comes. */
export function takePort(page: Window, use: (port: MessagePort) => void): void {
  const take = (event: Event) => {
    const [port] = (event as MessageEvent).ports ?? []
    if (port === undefined) return
    page.removeEventListener(offerEvent, take)
    event.stopImmediatePropagation()
    event.preventDefault()
    use(port)
  }
  page.addEventListener(offerEvent, take)
  page.dispatchEvent(new Event(helloEvent))
}
