import type { SwapSource } from '../swap/routeOptions.ts'
import { stablesOn } from '../token/pegGroups.ts'
import type { Address } from '../token/token.ts'
import { findPublicChain } from './chains.ts'
import type { Network } from './network.ts'

/** Contracts of direct swaps. `quoter`: QuoterV2. `router`: SwapRouter02. */
export type DirectContracts = {
  wrapped: Address
  v2Factory?: Address
  v3Factory: Address
  quoter: Address
  router: Address
  /** Wrapped native token first, then stablecoins, most traded first. */
  connectors: Address[]
}

type Facts = Pick<Network, 'chainId' | 'wrapped' | 'stable' | 'market'>

/** Connectors of a path. */
const maxConnectors = 4

/** Returns the built-in contracts of a public chain; for others (localnet) the network's own. */
export function getDirectContracts(network: Facts): DirectContracts | undefined {
  const chain = findPublicChain(network.chainId)
  const { market } = network
  const { v2Factory, v3Factory, quoter, router, routesV2 } = chain
    ? (chain.uniswap ?? {})
    : { ...market, router: market?.swapRouter, routesV2: true }
  const wrapped = chain?.wrapped ?? network.wrapped
  if (!wrapped || !v3Factory || !quoter || !router) return undefined
  const connectors = [...new Set([wrapped, ...stablesOn(network)])].slice(0, maxConnectors)
  return { wrapped, ...(v2Factory && routesV2 && { v2Factory }), v3Factory, quoter, router, connectors }
}

/** True if swaps need no service. */
export function swapsDirectly(network: Facts): boolean {
  return getDirectContracts(network) !== undefined
}

/** True with a service on a network that also swaps directly. */
export function hasOtherSource(network: Facts & Pick<Network, 'serviceUrl'>): boolean {
  return network.serviceUrl !== '' && swapsDirectly(network)
}

/** Returns the swap source: the service if there is one, unless `asked` otherwise. */
export function getSwapSource({ serviceUrl }: Pick<Network, 'serviceUrl'>, asked?: SwapSource): SwapSource {
  return serviceUrl === '' ? 'direct' : (asked ?? 'service')
}

/** Swaps need the RPC, and a service or Uniswap's contracts. */
export function canSwap(network: Facts & Pick<Network, 'serviceUrl' | 'rpcUrl'>): boolean {
  return network.rpcUrl !== '' && (network.serviceUrl !== '' || swapsDirectly(network))
}
