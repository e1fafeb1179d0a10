import { createStore } from 'zustand/vanilla'
import type { Network, Notices, Settings, SettingsChanges } from '../domain/network/network.ts'
import type { Trade } from '../domain/swap/trade.ts'
import { isWrap } from '../domain/swap/wrap.ts'
import { toWalletError, WalletError } from '../errors.ts'
import type { Wallet } from '../protocol.ts'
import type { Around } from './around.ts'

export type SettingsState = {
  settings: Settings | undefined
  /** Why they could not be read. */
  error: WalletError | undefined
}

/** What the user may change. The worker keeps it; this is its copy for the screens. */
export function createSettings(wallet: Wallet, around: Pick<Around, 'askHosts' | 'askNotices'>) {
  const store = createStore<SettingsState>()(() => ({ settings: undefined, error: undefined }))

  const heard = (settings: Settings) => store.setState({ settings, error: undefined })

  async function load(): Promise<void> {
    try {
      heard(await wallet.settings())
    } catch (error) {
      store.setState({ error: toWalletError(error) })
    }
  }

  async function save(changes: SettingsChanges): Promise<void> {
    if (store.getState().settings === undefined) return
    await wallet.saveSettings(changes)
    await load()
  }

  /** Must be called while handling a click: the browser only then asks the user about new hosts. */
  async function allow(urls: string[]): Promise<void> {
    const named = urls.filter((url) => url !== '')
    if (named.length > 0 && !(await around.askHosts(named))) {
      throw new WalletError('invalid-input', 'The browser was not allowed to reach these addresses.', {
        why: 'not-allowed',
      })
    }
  }

  return {
    ...store,
    heard,
    save,

    load,
    allow,

    /**
     * Must be called while handling a click, as `allow`. `notices` are what the browser shall say; without them it says nothing any
     * more. Answers whether the browser allowed it.
     */
    async setNotices(notices: Notices | undefined): Promise<boolean> {
      if (notices !== undefined && !(await around.askNotices(true))) return false
      await save({ notices: notices ?? null })
      if (notices === undefined) await around.askNotices(false)
      return true
    },

    /** The service's liquidity sources, to choose from. */
    sources: (chainId: number) => wallet.sources(chainId),
  }
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
