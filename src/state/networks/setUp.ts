import { builtInNetworks } from '../../config.ts'
import { addressIn } from '../../domain/address/typedAddress.ts'
import { feeLimitsOf } from '../../domain/network/feeLimits.ts'
import { type Network, serviceVersions } from '../../domain/network/network.ts'
import { formatExact, parseAmount } from '../../domain/token/amount.ts'

/** What of a network can be typed. */
export type NetworkTexts = {
  name: string
  /** Of the coin. */
  symbol: string
  serviceUrl: string
  serviceVersion: '6.1' | '3.0'
  serviceKey: string
  rpcUrl: string
  spareRpcUrl: string
  explorerUrl: string
  router: string
  /** In the native token, and in gwei; empty for the wallet's own limits. */
  feeLimit: string
  tipLimit: string
}

export function textsOfNetwork(network: Network): NetworkTexts {
  const { name, coin, serviceUrl, serviceVersion = '6.1', serviceKey = '', rpcUrl, router = '' } = network
  const { spareRpcUrl = '', explorerUrl = '', feeLimit, tipLimit } = network
  const { symbol } = coin
  return {
    name,
    symbol,
    serviceUrl,
    serviceVersion,
    serviceKey,
    rpcUrl,
    spareRpcUrl,
    explorerUrl,
    router,
    feeLimit: feeLimit === undefined ? '' : formatExact(feeLimit, 18),
    tipLimit: tipLimit === undefined ? '' : formatExact(tipLimit, 9),
  }
}

/** The interface versions to choose from: those of the chain, and the one that is chosen. */
export function versionsFor(network: Network): NetworkTexts['serviceVersion'][] {
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

/** `network` with what was edited, and that alone: the rest may have changed since the form was opened. */
export function editNetwork(network: Network, edits: Partial<NetworkTexts>): Network {
  const { serviceKey: _key, router: _router, serviceVersion: _version, ...others } = network
  const { spareRpcUrl: _spare, explorerUrl: _explorer, feeLimit: _fee, tipLimit: _tip, ...rest } = others
  const texts = { ...textsOfNetwork(network), ...edits }
  // A key is for the service that gave it: another one gets it only where it is typed again.
  if (edits.serviceKey === undefined && !isSameOrigin(texts.serviceUrl.trim(), network.serviceUrl))
    texts.serviceKey = ''
  const [key, spare, explorer] = [texts.serviceKey, texts.spareRpcUrl, texts.explorerUrl].map((text) =>
    text.trim(),
  )
  const router = addressIn(texts.router)
  const symbol = texts.symbol.trim()
  const [feeLimit, tipLimit] = [parseLimit(texts.feeLimit, 18), parseLimit(texts.tipLimit, 9)]
  return {
    ...rest,
    name: texts.name.trim(),
    coin: symbol === network.coin.symbol ? network.coin : { symbol, name: symbol },
    serviceUrl: texts.serviceUrl.trim(),
    rpcUrl: texts.rpcUrl.trim(),
    ...(texts.serviceVersion !== '6.1' && { serviceVersion: texts.serviceVersion }),
    ...(key && { serviceKey: key }),
    ...(spare && { spareRpcUrl: spare }),
    ...(explorer && { explorerUrl: explorer }),
    ...(router && { router }),
    ...(feeLimit && { feeLimit }),
    ...(tipLimit && { tipLimit }),
  }
}

/** Returns a typed limit in base units; undefined for an empty field, and for what is no amount above zero. */
export function parseLimit(text: string, decimals: number): bigint | undefined {
  const amount = parseAmount(text, decimals, '.')
  return typeof amount === 'bigint' && amount > 0n ? amount : undefined
}

/** Whether `edits` let the wallet pay more for a network's fees than it does now. */
export function raisesFeeLimits(network: Network, edits: Partial<NetworkTexts>): boolean {
  const [before, after] = [feeLimitsOf(network), feeLimitsOf(editNetwork(network, edits))]
  return after.total > before.total || after.tip > before.tip
}

/** Whether anything of a network is the user's own doing. */
export function isSetUp(network: Network): boolean {
  const given = givenNetwork(network.chainId)
  return given === undefined || !isSameSetUp(network, given)
}

/** Whether the user brought a network: the wallet does not know it by itself. */
export function isOwn({ chainId }: Network): boolean {
  return givenNetwork(chainId) === undefined
}

/** A network as it came with the wallet. */
export function givenNetwork(chainId: number): Network | undefined {
  return builtInNetworks().find((network) => network.chainId === chainId)
}

/** Whether two descriptions of a chain say the same of all that can be set. */
export function isSameSetUp(one: Network, other: Network): boolean {
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

/** Whether two URLs lead to the same host, by the same way: who has the key of one service has no right to that of another. */
export function isSameOrigin(one: string, other: string): boolean {
  return originOf(one) === originOf(other)
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url
}

/** Whether two values say the same, in whatever order; nothing and empty are one. */
export function isSame(one: unknown, other: unknown): boolean {
  return write(one) === write(other)
}

function write(value: unknown): string {
  return JSON.stringify(value || null, (_key, item: unknown) => {
    if (typeof item === 'bigint') return item.toString()
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item
    return Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}
