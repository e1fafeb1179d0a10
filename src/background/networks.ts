import type { SwapApi } from '../api/api.ts'
import type { Chain } from '../chain/client.ts'
import { createPassthrough, type Passthrough } from '../chain/passthrough.ts'
import type { Network } from '../domain/network.ts'
import { WalletError } from '../errors.ts'
import type { SettingsStore } from './settings.ts'

/** The outside world by chain id, as the settings name it at this moment. All throw `invalid-input` where they name nobody. */
export type Networks = {
  network(chainId: number): Promise<Network>
  /** The network's node. */
  chain(chainId: number): Promise<Chain>
  /** The same node for what pages ask of it. Throws `node-unreachable` where there is none. */
  passthrough(chainId: number): Promise<Passthrough>
  /** Asks a node that the settings may not know yet. Throws `wrong-chain` unless it serves the network's chain. */
  verify(network: Network): Promise<void>
  /** The network's swap service. */
  api(chainId: number): Promise<SwapApi>
}

export type Connections = {
  createChain(network: Network): Chain
  createApi(network: Network): SwapApi
}

export function createNetworks(
  settings: Pick<SettingsStore, 'get'>,
  { createChain, createApi }: Connections,
): Networks {
  async function network(chainId: number): Promise<Network> {
    const found = (await settings.get()).networks.find((each) => each.chainId === chainId)
    if (found !== undefined) return found
    throw new WalletError('invalid-input', `The wallet knows no network ${chainId}. Add it in Settings.`, {
      field: 'chainId',
      chainId: String(chainId),
    })
  }

  return {
    network,
    async chain(chainId) {
      const found = await network(chainId)
      if (found.rpcUrl === '') throw missing(found, 'rpcUrl', 'node')
      return createChain(found)
    },
    async passthrough(chainId) {
      const found = await network(chainId)
      if (found.rpcUrl !== '') return createPassthrough(found.rpcUrl)
      throw new WalletError('node-unreachable', `${found.name} has no node in the wallet's settings.`)
    },
    verify: (network) => createChain(network).verify(),
    async api(chainId) {
      const found = await network(chainId)
      if (found.serviceUrl === '') throw missing(found, 'serviceUrl', 'swap service')
      return createApi(found)
    },
  }
}

function missing({ name, chainId }: Network, field: 'rpcUrl' | 'serviceUrl', what: string): WalletError {
  return new WalletError('invalid-input', `${name} has no ${what} yet. Set its address in Settings.`, {
    field,
    chainId: String(chainId),
  })
}
