import { createStore } from 'zustand/vanilla'
import type { Site } from '../domain/dapp/site.ts'
import { toWalletError, type WalletError } from '../errors.ts'
import type { DappsApi } from '../protocol.ts'

export type SitesState = {
  /** Undefined until read. */
  sites: Site[] | undefined
  error: WalletError | undefined
}

/** Creates the store of connected sites. */
export function createSites(wallet: DappsApi) {
  const store = createStore<SitesState>()(() => ({ sites: undefined, error: undefined }))
  const heard = (sites: Site[]) => store.setState({ sites, error: undefined })
  const others = (origin: string) => (store.getState().sites ?? []).filter((one) => one.origin !== origin)

  return {
    ...store,
    heard,

    async load(): Promise<void> {
      try {
        heard(await wallet.sites())
      } catch (error) {
        store.setState({ error: toWalletError(error) })
      }
    },

    async save(site: Site): Promise<void> {
      await wallet.updateSite(site)
      heard((store.getState().sites ?? []).map((one) => (one.origin === site.origin ? site : one)))
    },

    async disconnect(origin: string): Promise<void> {
      await wallet.disconnect(origin)
      heard(others(origin))
    },
  }
}
