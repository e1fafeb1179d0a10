import type { SwapApi } from '../../api/client.ts'
import type { Network, NetworkHealth } from '../../domain/network/network.ts'
import { type DirectContracts, getDirectContracts, getSwapSource } from '../../domain/network/swapSource.ts'
import type { SwapSource } from '../../domain/swap/routeOptions.ts'
import { toWalletError, WalletError } from '../../errors.ts'
import type { Chain } from '../../evm/client.ts'
import type { ProxyRequest } from '../../evm/rpc/proxyRequest.ts'
import type { SettingsStore } from '../settings.ts'
import { createBundledTokens } from '../tokens/bundledTokens.ts'
import { createDirectApi } from './directApi.ts'

/**
 * Clients of the configured networks. Throw `invalid-input` for an unknown network; `chain` and `api` also
 * without an endpoint.
 */
export type Networks = {
  network(chainId: number): Promise<Network>
  chain(chainId: number): Promise<Chain>
  /** RPC access for dapp requests. Throws `node-unreachable` without an RPC. */
  passthrough(chainId: number): Promise<ProxyRequest>
  /** Checks an RPC that may not be stored yet. Throws `wrong-chain`. */
  verify(network: Network): Promise<void>
  health(chainId: number): Promise<NetworkHealth>
  /** Returns the missing features of each RPC. */
  lacks(chainId: number): Promise<string[][]>
  /** Of the network's own source, or of `source`. */
  api(chainId: number, source?: SwapSource): Promise<SwapApi>
}

export type NetworkClients = {
  createChain(network: Network): Chain
  createApi(network: Network): SwapApi
  createDirect?(network: Network, contracts: DirectContracts, chain: Chain): SwapApi
}

export function createNetworks(
  settings: Pick<SettingsStore, 'get'>,
  { createChain, createApi, createDirect: createOther }: NetworkClients,
): Networks {
  async function network(chainId: number): Promise<Network> {
    const found = (await settings.get()).networks.find((each) => each.chainId === chainId)
    if (found !== undefined) return found
    throw new WalletError('invalid-input', `The wallet knows no network ${chainId}. Add it in Settings.`, {
      field: 'chainId',
      chainId: String(chainId),
    })
  }

  // A `Chain` remembers which RPC answers; changed settings start anew.
  const chains = new WeakMap<Network, Chain>()

  // Gas prices are cached.
  const direct = new WeakMap<Network, SwapApi>()

  function chainOf(network: Network): Chain {
    const chain = chains.get(network) ?? createChain(network)
    chains.set(network, chain)
    return chain
  }

  const tokens = createBundledTokens({ chainOf: async (network) => chainOf(network) })
  const createDirect = createOther ?? createDirectApi({ tokens })

  return {
    network,
    async chain(chainId) {
      const found = await network(chainId)
      if (found.rpcUrl === '') throw missing(found, 'rpcUrl', 'node')
      return chainOf(found)
    },
    async passthrough(chainId) {
      const found = await network(chainId)
      if (found.rpcUrl !== '') return chainOf(found).proxyRequest
      throw new WalletError('node-unreachable', `${found.name} has no node in the wallet's settings.`)
    },
    verify: (network) => createChain(network).verify(),
    async health(chainId) {
      const found = await network(chainId)
      const asked = found.serviceUrl === '' ? undefined : createApi(found).spender()
      const [nodes, service] = await Promise.all([
        found.rpcUrl === '' ? [] : chainOf(found).health(),
        asked?.then(
          () => 'answers' as const,
          (error: unknown) => toWalletError(error).code,
        ),
      ])
      return { nodes, service }
    },
    async lacks(chainId) {
      const found = await network(chainId)
      return found.rpcUrl === '' ? [] : chainOf(found).missingFeatures()
    },
    async api(chainId, source) {
      const found = await network(chainId)
      if (getSwapSource(found, source) === 'service') return createApi(found)
      const contracts = getDirectContracts(found)
      if (contracts === undefined) throw missing(found, 'serviceUrl', 'swap service')
      if (found.rpcUrl === '') throw missing(found, 'rpcUrl', 'node')
      const api = direct.get(found) ?? createDirect(found, contracts, chainOf(found))
      direct.set(found, api)
      return api
    },
  }
}

function missing({ name, chainId }: Network, field: 'rpcUrl' | 'serviceUrl', what: string): WalletError {
  return new WalletError('invalid-input', `${name} has no ${what} yet. Set its address in Settings.`, {
    field,
    chainId: String(chainId),
  })
}
