import { createStore } from 'zustand/vanilla'
import { changeSettings, type Network, type Settings, type SettingsChanges } from '../domain/network.ts'
import type { Trade } from '../domain/trade.ts'
import { isWrap } from '../domain/wrap.ts'
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

    /** The service's liquidity sources, to choose from. */
    sources: (chainId: number) => wallet.sources(chainId),

    /**
     * Must be called while handling a click, as `allow`. `edit` is done once more to what the network has become while the browser
     * asked the user.
     */
    async changeNetwork(chainId: number, edit: (network: Network) => Network): Promise<void> {
      const changed = () => {
        const network = store.getState().settings?.networks.find((one) => one.chainId === chainId)
        return network && edit(network)
      }
      const before = changed()
      if (before !== undefined) await allow(hostsOf(before))
      const network = changed()
      if (network !== undefined) await save({ networks: [network] })
    },
  }
}

/** Whom a network names to be asked, for `allow`. */
export function hostsOf({ serviceUrl, rpcUrl, spareRpcUrl = '' }: Network): string[] {
  return [serviceUrl, rpcUrl, spareRpcUrl]
}

/** The network that the swap form is on. */
export function currentNetwork({ settings }: SettingsState): Network | undefined {
  return settings?.networks.find(({ chainId }) => chainId === settings.chainId)
}

/** Whether a network names whom to ask. */
export function isReady(network: Network): boolean {
  return network.serviceUrl !== '' && network.rpcUrl !== ''
}

/** The same for one trade: wrapping needs the node alone. */
export function isReadyFor(network: Network, pair: Pick<Trade, 'sell' | 'buy'>): boolean {
  return isReady(network) || (isReachable(network) && isWrap(pair, network))
}

/** Whether a network names its node. That is all a site needs of one, and without it nothing can be done. */
export function isReachable(network: Network): boolean {
  return network.rpcUrl !== ''
}
