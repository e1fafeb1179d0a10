import type { Provider } from './provider.ts'

/** EIP-6963: tells the page about `provider`, now and whenever it asks. */
export function announce(page: Window & typeof globalThis, provider: Provider): void {
  const info = Object.freeze({
    uuid: crypto.randomUUID(),
    name: 'Sluice',
    icon: dataUri(mark),
    rdns: 'xyz.sluice',
  })
  const detail = Object.freeze({ info, provider })
  const tell = () => {
    page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  }
  const start = () => {
    page.addEventListener('eip6963:requestProvider', tell)
    tell()
  }
  start()
  // document.open() takes every listener off the window, and leaves observers alone.
  new page.MutationObserver(start).observe(page.document, { childList: true })
}

/** The mark of the popup, in the colours of the light scheme. */
const mark =
  '<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96" viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="#0b7285"/><path d="M8 7v12M24 7v12M8 7h16M6.5 20.5c2.4-2.2 4.3-2.2 6.4 0s4.1 2.2 6.3 0 4.1-2.2 6.3 0M9.5 25c2.2-2 4-2 6.5 0s4.3 2 6.5 0" fill="none" stroke="#fff" stroke-width="2.2" stroke-linecap="round"/><rect width="9" height="7.5" rx="1.2" fill="#fff" x="11.5" y="7"/></svg>'

function dataUri(svg: string): string {
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
