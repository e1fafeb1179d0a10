import { createStore } from 'zustand/vanilla'
import type { Network, NotificationSettings, Settings, SettingsChanges } from '../domain/network/network.ts'
import type { PermittedChange } from '../domain/network/permittedChange.ts'
import { canSwap } from '../domain/network/swapSource.ts'
import type { Trade } from '../domain/swap/quote.ts'
import { isWrap } from '../domain/swap/wrap.ts'
import { toWalletError, WalletError } from '../errors.ts'
import type { QuotesApi, SettingsApi } from '../protocol.ts'
import type { BrowserApi } from './browserApi.ts'
import { randomId } from './randomId.ts'

export type SettingsState = {
  settings: Settings | undefined
  error: WalletError | undefined
}

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

  /** Must run inside a click handler, or the browser does not ask. */
  async function allow(urls: string[]): Promise<void> {
    const named = urls.filter((url) => url !== '')
    if (named.length > 0 && !(await around.askHosts(named))) throw notAllowed()
  }

  /**
   * Asks for the permissions of `change`, then has the worker apply it. Must run inside a click handler
   * unless `isPermitted`. The prompt may close this view; the worker then continues alone.
   */
  async function permit(
    change: PermittedChange,
    urls: string[],
    { isPermitted = false } = {},
  ): Promise<number | undefined> {
    const named = urls.filter((url) => url !== '')
    const id = randomId()
    // Not awaited: the browser only asks in the click's own turn.
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
      // This view reports the result; the next must not.
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
     * Must run inside a click handler. Undefined turns notifications off; false means the browser refused.
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

    sources: (chainId: number) => wallet.liquiditySources(chainId),
  }
}

function notAllowed(): WalletError {
  return new WalletError('invalid-input', 'The browser was not allowed to reach these addresses.', {
    why: 'not-allowed',
  })
}

export function currentNetwork({ settings }: SettingsState): Network | undefined {
  return settings?.networks.find(({ chainId }) => chainId === settings.chainId)
}

export function isReady(network: Network): boolean {
  return canSwap(network)
}

/** Wrapping needs only the RPC. */
export function isReadyFor(network: Network, pair: Pick<Trade, 'sell' | 'buy'>): boolean {
  return isReady(network) || (isReachable(network) && isWrap(pair, network))
}

/** Sites need only the RPC. */
export function isReachable(network: Network): boolean {
  return network.rpcUrl !== ''
}
