import { createStore } from 'zustand/vanilla'
import { changeSettings, type Network, type Settings, type SettingsChanges } from '../domain/network.ts'
import { toWalletError, WalletError } from '../errors.ts'
import type { Wallet } from '../protocol.ts'

export type SettingsState = {
  settings: Settings | undefined
  /** Why they could not be read. */
  error: WalletError | undefined
}

/** Asks the browser for leave to reach the host of a URL. */
export type AskHost = (url: string) => Promise<boolean>

/** What the user may change. The worker keeps it; this is its copy for the screens. */
export function createSettings(wallet: Wallet, askHost: AskHost) {
  const store = createStore<SettingsState>()(() => ({ settings: undefined, error: undefined }))

  const heard = (settings: Settings) => store.setState({ settings, error: undefined })

  async function save(changes: SettingsChanges): Promise<void> {
    if (store.getState().settings === undefined) return
    await wallet.saveSettings(changes)
    // Somebody else's changes may have come meanwhile.
    const { settings } = store.getState()
    if (settings !== undefined) heard(changeSettings(settings, changes))
  }

  /** Must be called while handling a click: the browser only then asks the user about new hosts. */
  async function allow(urls: string[]): Promise<void> {
    const answers = await Promise.all(urls.filter((url) => url !== '').map(askHost))
    if (answers.includes(false)) {
      throw new WalletError('invalid-input', 'The browser was not allowed to reach these addresses.')
    }
  }

  return {
    ...store,
    heard,
    save,

    async load(): Promise<void> {
      try {
        heard(await wallet.settings())
      } catch (error) {
        store.setState({ error: toWalletError(error) })
      }
    },

    allow,

    /** Must be called while handling a click, as `allow`. */
    async saveNetwork(network: Network): Promise<void> {
      await allow([network.serviceUrl, network.rpcUrl])
      await save({ networks: [network] })
    },
  }
}

/** The network that the swap form is on. */
export function currentNetwork({ settings }: SettingsState): Network | undefined {
  return settings?.networks.find(({ chainId }) => chainId === settings.chainId)
}

/** Whether a network names whom to ask. Nothing can be done on one that does not. */
export function isReady(network: Network): boolean {
  return network.serviceUrl !== '' && network.rpcUrl !== ''
}

/** Whether a network names its node. That is all a site needs of one. */
export function isReachable(network: Network): boolean {
  return network.rpcUrl !== ''
}
