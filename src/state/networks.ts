import type { Network, NetworkHealth } from '../domain/network.ts'
import { WalletError } from '../errors.ts'
import type { Wallet } from '../protocol.ts'

/** What the settings' screens do with networks as a whole. The browser has to allow their hosts before (`settings.allow`, `hostsOf`). */
export function createNetworks(wallet: Wallet) {
  return {
    /** The chain that a node serves, for a network to be. */
    chainAt: (rpcUrl: string): Promise<number> => wallet.chainAt(rpcUrl),

    /**
     * Throws `network-needed` for one that is `known` already, which is there to be changed, and `wrong-chain` unless its node serves
     * it. (A spare one that does not is never used.)
     */
    async add(network: Network, known: Network[]): Promise<void> {
      const { chainId, rpcUrl } = network
      if (known.some((one) => one.chainId === chainId)) {
        throw new WalletError('network-needed', `The wallet has network ${chainId} already.`, {
          why: 'known',
        })
      }
      const found = await wallet.chainAt(rpcUrl)
      if (found !== chainId) {
        const facts = { expected: String(chainId), found: String(found) }
        throw new WalletError('wrong-chain', `The node serves chain ${found}, not ${chainId}.`, facts)
      }
      await wallet.saveSettings({ networks: [network] })
    },

    /** Throws `network-needed` for one that has to stay. */
    remove: (chainId: number): Promise<void> => wallet.saveSettings({ removed: [chainId] }),

    /** Whether those that a network names answer. */
    health: (chainId: number): Promise<NetworkHealth> => wallet.health(chainId),
  }
}
