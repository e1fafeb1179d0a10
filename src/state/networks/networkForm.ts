import { builtInNetworks } from '../../config.ts'
import { isSame } from '../../domain/isSame.ts'
import { findPublicChain, type RpcPreset } from '../../domain/network/chains.ts'
import { getFeeLimits } from '../../domain/network/feeLimits.ts'
import { type Network, serviceVersions } from '../../domain/network/network.ts'
import { editNetwork, type NetworkFormValues, toFormValues } from '../../domain/network/networkTexts.ts'

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

type RpcEdits = Pick<NetworkFormValues, 'rpcUrl'> & Partial<Pick<NetworkFormValues, 'spareRpcUrl'>>

/** `backupUrl`: the backup RPC once it is chosen. */
export type RpcChoice = RpcPreset & { backupUrl: string | undefined; edits: RpcEdits }

type RpcsInUse = Partial<Pick<Network, 'rpcUrl' | 'spareRpcUrl'>>

/**
 * Returns a built-in network's public RPCs. The backup RPC of each is the following one. Keeps a backup of
 * the user's own, and any backup of the RPC in use.
 */
export function getRpcChoices(chainId: number, { rpcUrl, spareRpcUrl }: RpcsInUse = {}): RpcChoice[] {
  const { rpcs = [] } = findPublicChain(chainId) ?? {}
  const isOwnBackup = Boolean(spareRpcUrl) && rpcs.every(({ url }) => url !== spareRpcUrl)
  return rpcs.map((preset, index) => {
    const { url } = preset
    if (spareRpcUrl && (isOwnBackup || url === rpcUrl))
      return { ...preset, backupUrl: spareRpcUrl, edits: { rpcUrl: url } }
    const backupUrl = rpcs.length > 1 ? rpcs[(index + 1) % rpcs.length]?.url : undefined
    return { ...preset, backupUrl, edits: { rpcUrl: url, spareRpcUrl: backupUrl ?? '' } }
  })
}

/**
 * Returns the public RPC to try after `rpcUrl`, which may be the user's own. Keeps the backup RPC, unless
 * that is the one to try.
 */
export function getNextRpc(chainId: number, { rpcUrl, spareRpcUrl }: RpcsInUse): RpcChoice | undefined {
  const { rpcs = [] } = findPublicChain(chainId) ?? {}
  const next = rpcs[(rpcs.findIndex(({ url }) => url === rpcUrl) + 1) % rpcs.length]
  if (next === undefined || next.url === rpcUrl) return undefined
  const isBackup = spareRpcUrl === next.url
  return {
    ...next,
    backupUrl: isBackup ? undefined : spareRpcUrl || undefined,
    edits: { rpcUrl: next.url, ...(isBackup && { spareRpcUrl: '' }) },
  }
}

/** Fields that few users need. */
export const advancedFields = [
  'spareRpcUrl',
  'serviceVersion',
  'explorerUrl',
  'router',
  'feeLimit',
  'tipLimit',
  'wrapped',
  'v3Factory',
  'quoter',
  'swapRouter',
] as const satisfies (keyof NetworkFormValues)[]

const contractFields: readonly (keyof NetworkFormValues)[] = ['wrapped', 'v3Factory', 'quoter', 'swapRouter']

/** True if an advanced field differs from what is built in or comes with a public RPC. */
export function hasAdvancedValues(network: Network, texts: NetworkFormValues): boolean {
  const { chainId } = network
  const given = toFormValues(defaultNetwork(chainId) ?? newNetwork(chainId, ''))
  const isPreset = (url: string) => getRpcChoices(chainId).some((choice) => choice.url === url)
  return advancedFields.some(
    (name) =>
      texts[name] !== given[name] &&
      // Builds set these for the localnet.
      !contractFields.includes(name) &&
      !(name === 'spareRpcUrl' && isPreset(texts[name])),
  )
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
  'wrapped',
  'market',
] as const
