// Passes a port from the isolated world to the page's. Window events are synchronous and cross worlds; both
// scripts run before the page's, in manifest order in Chromium.

const offerEvent = 'sluice:channel'
const helloEvent = 'sluice:hello'

/** Returns true for HTML in a secure context. */
export function isForProvider(page: Window & typeof globalThis): boolean {
  return page.isSecureContext && /^(text\/html|application\/xhtml\+xml)$/.test(page.document.contentType)
}

/** Offers `port` until page scripts start. */
export function offerPort(page: Window & typeof globalThis, port: MessagePort): void {
  const offer = () => !page.dispatchEvent(new MessageEvent(offerEvent, { ports: [port], cancelable: true }))
  if (offer()) return
  page.addEventListener(helloEvent, offer, { once: true })
  // Observers run after the parser adds an element, before page scripts.
  const observer = new page.MutationObserver(() => {
    page.removeEventListener(helloEvent, offer)
    observer.disconnect()
  })
  observer.observe(page.document, { childList: true, subtree: true })
}

/** Takes the port once. */
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
