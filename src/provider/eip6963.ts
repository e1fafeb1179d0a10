import type { Provider } from './provider.ts'

/** Announces `provider` (EIP-6963). */
export function announce(page: Window & typeof globalThis, provider: Provider): void {
  const info = Object.freeze({
    uuid: crypto.randomUUID(),
    name: 'Sluice',
    icon: mark,
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
  // document.open() removes listeners, not observers.
  new page.MutationObserver(start).observe(page.document, { childList: true })
}

/** Logo as a literal URI, to save page memory. */
const mark =
  'data:image/svg+xml,%3Csvg%20xmlns%3D%22http%3A%2F%2Fwww.w3.org%2F2000%2Fsvg%22%20width%3D%2296%22%20height%3D%2296%22%20viewBox%3D%220%200%2032%2032%22%3E%3Crect%20width%3D%2232%22%20height%3D%2232%22%20rx%3D%229%22%20fill%3D%22%230b7285%22%2F%3E%3Cpath%20d%3D%22M8%207v12M24%207v12M8%207h16M6.5%2020.5c2.4-2.2%204.3-2.2%206.4%200s4.1%202.2%206.3%200%204.1-2.2%206.3%200M6.5%2025.5c2.4-2.2%204.3-2.2%206.4%200s4.1%202.2%206.3%200%204.1-2.2%206.3%200%22%20fill%3D%22none%22%20stroke%3D%22%23fff%22%20stroke-width%3D%222.2%22%20stroke-linecap%3D%22round%22%2F%3E%3Crect%20width%3D%229%22%20height%3D%227.5%22%20rx%3D%221.2%22%20fill%3D%22%23fff%22%20x%3D%2211.5%22%20y%3D%227%22%2F%3E%3C%2Fsvg%3E'
