import { builtInNetworks } from '../../config.ts'
import { isSame } from '../../domain/isSame.ts'
import { getFeeLimits } from '../../domain/network/feeLimits.ts'
import { type Network, serviceVersions } from '../../domain/network/network.ts'
import { editNetwork, type NetworkFormValues } from '../../domain/network/networkTexts.ts'

export function versionsFor(network: Network): NetworkFormValues['serviceVersion'][] {
  const { serviceVersion = '6.1' } = network
  return [...new Set([...serviceVersions(network.chainId), serviceVersion])]
}

/** Defaults suit most chains. */
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

/** True when `edits` raise the maximum fee or tip. */
export function raisesFeeLimits(network: Network, edits: Partial<NetworkFormValues>): boolean {
  const [before, after] = [getFeeLimits(network), getFeeLimits(editNetwork(network, edits))]
  return after.total > before.total || after.tip > before.tip
}

/** True for custom or edited networks. */
export function isConfigured(network: Network): boolean {
  const given = defaultNetwork(network.chainId)
  return given === undefined || !isSameNetwork(network, given)
}

/** True when not built in. */
export function isOwn({ chainId }: Network): boolean {
  return defaultNetwork(chainId) === undefined
}

/** Returns the built-in network. */
export function defaultNetwork(chainId: number): Network | undefined {
  return builtInNetworks().find((network) => network.chainId === chainId)
}

/** Compares the editable fields. */
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
