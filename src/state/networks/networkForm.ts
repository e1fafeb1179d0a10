import { builtInNetworks } from '../../config.ts'
import { isSame } from '../../domain/isSame.ts'
import { getFeeLimits } from '../../domain/network/feeLimits.ts'
import { type Network, serviceVersions } from '../../domain/network/network.ts'
import { editNetwork, type NetworkFormValues } from '../../domain/network/networkTexts.ts'

/** The interface versions to choose from: those of the chain, and the one that is chosen. */
export function versionsFor(network: Network): NetworkFormValues['serviceVersion'][] {
  const { serviceVersion = '6.1' } = network
  return [...new Set([...serviceVersions(network.chainId), serviceVersion])]
}

/** A network that nobody described yet: its confirmations and pace are those of most chains. */
export function newNetwork(chainId: number, name: string): Network {
  return {
    chainId,
    name,
    coin: { symbol: 'ETH', name: 'ETH' },
    serviceUrl: '',
    rpcUrl: '',
    confirmations: 3,
    quoteEveryMs: 6_000,
  }
}

/** Whether `edits` let the wallet pay more for a network's fees than it does now. */
export function raisesFeeLimits(network: Network, edits: Partial<NetworkFormValues>): boolean {
  const [before, after] = [getFeeLimits(network), getFeeLimits(editNetwork(network, edits))]
  return after.total > before.total || after.tip > before.tip
}

/** Whether anything of a network is the user's own doing. */
export function isConfigured(network: Network): boolean {
  const given = defaultNetwork(network.chainId)
  return given === undefined || !isSameNetwork(network, given)
}

/** Whether the user brought a network: the wallet does not know it by itself. */
export function isOwn({ chainId }: Network): boolean {
  return defaultNetwork(chainId) === undefined
}

/** A network as it came with the wallet. */
export function defaultNetwork(chainId: number): Network | undefined {
  return builtInNetworks().find((network) => network.chainId === chainId)
}

/** Whether two descriptions of a chain say the same of all that can be set. */
export function isSameNetwork(one: Network, other: Network): boolean {
  return (
    one.name === other.name &&
    one.coin.symbol === other.coin.symbol &&
    setByHand.every((field) => isSame(one[field], other[field]))
  )
}

const setByHand = [
  'serviceUrl',
  'serviceVersion',
  'serviceKey',
  'rpcUrl',
  'spareRpcUrl',
  'explorerUrl',
  'router',
  'feeLimit',
  'tipLimit',
  'options',
] as const
