import { formatExact, parseAmount } from '../token/amount.ts'
import { parseAddress } from '../token/token.ts'
import { findPublicChain } from './chains.ts'
import type { Network } from './network.ts'

export type NetworkFormValues = {
  name: string
  symbol: string
  serviceUrl: string
  serviceVersion: '6.1' | '3.0'
  serviceKey: string
  rpcUrl: string
  spareRpcUrl: string
  explorerUrl: string
  router: string
  /** Native token and gwei; empty for the built-in limits. */
  feeLimit: string
  tipLimit: string
  /** Contracts of direct swaps, for networks outside the built-in table. */
  wrapped: string
  v3Factory: string
  quoter: string
  swapRouter: string
}

export function toFormValues(network: Network): NetworkFormValues {
  const { name, coin, serviceUrl, serviceVersion = '6.1', serviceKey = '', rpcUrl, router = '' } = network
  const { spareRpcUrl = '', explorerUrl = '', feeLimit, tipLimit, wrapped = '', market } = network
  const { v3Factory = '', quoter = '', swapRouter = '' } = market ?? {}
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
    wrapped,
    v3Factory,
    quoter,
    swapRouter,
  }
}

/** Applies only the edits: other fields may have changed meanwhile. Addresses are plain. */
export function editNetwork(network: Network, edits: Partial<NetworkFormValues>): Network {
  const { serviceKey: _key, router: _router, serviceVersion: _version, ...others } = network
  const { spareRpcUrl: _spare, explorerUrl: _explorer, feeLimit: _fee, tipLimit: _tip, ...kept } = others
  const { wrapped: _wrapped, market: _market, ...rest } = kept
  const texts = { ...toFormValues(network), ...edits }
  // Another service gets a key only if it is typed again.
  if (edits.serviceKey === undefined && !isSameOrigin(texts.serviceUrl.trim(), network.serviceUrl))
    texts.serviceKey = ''
  const [key, spare, explorer] = [texts.serviceKey, texts.spareRpcUrl, texts.explorerUrl].map((text) =>
    text.trim(),
  )
  const router = parseAddress(texts.router)
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
    ...editContracts(network, texts),
  }
}

type Contracts = Pick<Network, 'wrapped' | 'market'>

/** Those of public chains are built in. */
function editContracts(
  { chainId, wrapped: before, market = {} }: Network,
  texts: NetworkFormValues,
): Contracts {
  if (findPublicChain(chainId))
    return { ...(before && { wrapped: before }), ...(isFilled(market) && { market }) }
  const { v3Factory: _factory, quoter: _quoter, swapRouter: _router, ...others } = market
  const wrapped = parseAddress(texts.wrapped)
  const [v3Factory, quoter, swapRouter] = [texts.v3Factory, texts.quoter, texts.swapRouter].map((text) =>
    parseAddress(text),
  )
  const after = {
    ...others,
    ...(v3Factory && { v3Factory }),
    ...(quoter && { quoter }),
    ...(swapRouter && { swapRouter }),
  }
  return { ...(wrapped && { wrapped }), ...(isFilled(after) && { market: after }) }
}

function isFilled(values: object): boolean {
  return Object.keys(values).length > 0
}

/** Returns undefined unless above zero. */
export function parseLimit(text: string, decimals: number): bigint | undefined {
  const amount = parseAmount(text, decimals, '.')
  return typeof amount === 'bigint' && amount > 0n ? amount : undefined
}

/** True if a service key may be shared: it must not reach another origin. */
export function isSameOrigin(one: string, other: string): boolean {
  return toOrigin(one) === toOrigin(other)
}

function toOrigin(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url
}
