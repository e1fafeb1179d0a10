import { addressIn } from '../address/typedAddress.ts'
import { formatExact, parseAmount } from '../token/amount.ts'
import type { Network } from './network.ts'

/** Fields of a network that can be typed. */
export type NetworkFormValues = {
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

export function toFormValues(network: Network): NetworkFormValues {
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

/** `network` with what was edited, and that alone: the rest may have changed since the form was opened. */
export function editNetwork(network: Network, edits: Partial<NetworkFormValues>): Network {
  const { serviceKey: _key, router: _router, serviceVersion: _version, ...others } = network
  const { spareRpcUrl: _spare, explorerUrl: _explorer, feeLimit: _fee, tipLimit: _tip, ...rest } = others
  const texts = { ...toFormValues(network), ...edits }
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

/** Whether two URLs lead to the same host, by the same way: who has the key of one service has no right to that of another. */
export function isSameOrigin(one: string, other: string): boolean {
  return originOf(one) === originOf(other)
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url
}
