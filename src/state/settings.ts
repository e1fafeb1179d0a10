import { createStore } from 'zustand/vanilla'
import type { Network, NotificationSettings, Settings, SettingsChanges } from '../domain/network/network.ts'
import type { PermittedChange } from '../domain/network/permittedChange.ts'
import type { Trade } from '../domain/swap/quote.ts'
import { isWrap } from '../domain/swap/wrap.ts'
import { toWalletError, WalletError } from '../errors.ts'
import type { QuotesApi, SettingsApi } from '../protocol.ts'
import type { BrowserApi } from './browserApi.ts'
import { randomId } from './randomId.ts'

export type SettingsState = {
  settings: Settings | undefined
  /** Why they could not be read. */
  error: WalletError | undefined
}

/** What the user may change. The worker keeps it; this is its copy for the screens. */
export function createSettings(
  wallet: SettingsApi & Pick<QuotesApi, 'liquiditySources'>,
  around: Pick<BrowserApi, 'askHosts' | 'hasHosts' | 'askNotices'>,
) {
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
    if (named.length > 0 && !(await around.askHosts(named))) throw notAllowed()
  }

  /**
   * Asks the browser for what `change` needs, and lets the worker carry it out. Must be called while handling a click, unless `urls` are
   * permitted already (`isPermitted`). The question may close this view: then the worker goes on alone. Returns the chain of
   * `find-chain`.
   */
  async function permit(
    change: PermittedChange,
    urls: string[],
    { isPermitted = false } = {},
  ): Promise<number | undefined> {
    const named = urls.filter((url) => url !== '')
    const id = randomId()
    // Sent before the question, and not awaited: the browser only asks in the turn of the click.
    const kept = wallet.savePendingChange({ id, urls: named, change })
    kept.catch(() => undefined)
    const ask = async () => {
      if (change.kind === 'set-notices') return around.askNotices(true)
      return isPermitted || named.length === 0 || around.askHosts(named)
    }
    try {
      const [isAllowed] = await Promise.all([ask(), kept])
      if (!isAllowed) throw notAllowed()
      return await wallet.applyPendingChange(id)
    } finally {
      // This view shows how it ended, so the next one does not.
      await wallet.discardPendingChange(id).catch(() => undefined)
      await load()
    }
  }

  return {
    ...store,
    heard,
    save,

    load,
    allow,
    permit,
    isPermitted: async (urls: string[]) => around.hasHosts(urls.filter((url) => url !== '')),

    /**
     * Must be called while handling a click, as `allow`. `notices` are what the browser shall say; without them it says nothing any
     * more. Answers whether the browser allowed it.
     */
    async setNotices(notices: NotificationSettings | undefined): Promise<boolean> {
      if (notices !== undefined) {
        return permit({ kind: 'set-notices', notices }, []).then(
          () => true,
          (error) => {
            if (toWalletError(error).facts.why === 'not-allowed') return false
            throw error
          },
        )
      }
      await save({ notices: null })
      await around.askNotices(false)
      return true
    },

    /** The service's liquidity sources, to choose from. */
    sources: (chainId: number) => wallet.liquiditySources(chainId),
  }
}

function notAllowed(): WalletError {
  return new WalletError('invalid-input', 'The browser was not allowed to reach these addresses.', {
    why: 'not-allowed',
  })
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
