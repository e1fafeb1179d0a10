import { browser } from 'wxt/browser'
import { hostPattern } from '../../src/domain/network/permittedChange.ts'
import type { BrowserApi } from '../../src/state/browserApi.ts'
import type { RouteHistory } from '../../src/state/router.ts'

/** Loads parts the first screen does not need on demand. */
export function createAround(bar: RouteHistory): BrowserApi {
  const later = async () => (await import('./aroundLater.ts')).aroundLater
  return {
    version: browser.runtime.getManifest().version,
    bar,
    session: {
      get: async (key) => (await browser.storage.session.get(key))[key],
      set: (key, value) => browser.storage.session.set({ [key]: value }),
      remove: (key) => browser.storage.session.remove(key),
      onClose: (listener) => addEventListener('pagehide', listener),
    },
    // In click handlers: no code may be loaded first.
    askHosts: (urls) => browser.permissions.request({ origins: urls.map(hostPattern) }),
    hasHosts: (urls) => browser.permissions.contains({ origins: urls.map(hostPattern) }),
    askNotices: (isOn) =>
      browser.permissions[isOn ? 'request' : 'remove']({ permissions: ['notifications'] }),
    openTab: async (hash) => (await later()).openTab(hash),
    openers: async () => (await later()).openers(),
    opensPanelFirst: async () => (await later()).opensPanelFirst(),
    setOpensPanelFirst: async (isOn) => (await later()).setOpensPanelFirst(isOn),
    sizes: async () => (await later()).sizes(),
    hosts: async () => (await later()).hosts(),
  }
}
