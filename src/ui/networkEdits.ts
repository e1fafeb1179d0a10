import { type Network, serviceVersions } from '../domain/network.ts'
import { parseAddress } from '../domain/token.ts'
import { t } from '../language/translate.ts'
import { faultOfUrl } from './urls.ts'

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
}

/** A network that nobody described yet: its confirmations and pace are those of most chains. */
export function newNetwork(chainId: number): Network {
  return {
    chainId,
    name: t('Chain {chainId}', { chainId: String(chainId) }),
    coin: { symbol: 'ETH', name: 'ETH' },
    serviceUrl: '',
    rpcUrl: '',
    confirmations: 3,
    quoteEveryMs: 6_000,
  }
}

export function textsOfNetwork(network: Network): NetworkTexts {
  const { name, coin, serviceUrl, serviceVersion = '6.1', serviceKey = '', rpcUrl, router = '' } = network
  const { spareRpcUrl = '', explorerUrl = '' } = network
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
  }
}

/** The interface versions to choose from: those of the chain, and the one that is chosen. */
export function versionsFor(network: Network): NetworkTexts['serviceVersion'][] {
  const { serviceVersion = '6.1' } = network
  return [...new Set([...serviceVersions(network.chainId), serviceVersion])]
}

/** For each field that cannot be used the sentence that says why. */
export function faultsOfNetwork(texts: NetworkTexts) {
  const { name, symbol, serviceUrl, rpcUrl, spareRpcUrl, explorerUrl, router } = texts
  const isNoRouter = router.trim() !== '' && parseAddress(router) === undefined
  const spare = spareRpcUrl.trim()
  return {
    name: faultOfName(name, 64),
    symbol: faultOfName(symbol, 12),
    serviceUrl: faultOfUrl(serviceUrl),
    rpcUrl: faultOfUrl(rpcUrl),
    spareRpcUrl:
      spare !== '' && spare === rpcUrl.trim() ? t('This is the same node again.') : faultOfUrl(spareRpcUrl),
    explorerUrl: faultOfUrl(explorerUrl),
    router: isNoRouter ? t('This is no address.') : undefined,
  }
}

/** `network` with what was edited, and that alone: the rest may have changed since the form was opened. */
export function editNetwork(network: Network, edits: Partial<NetworkTexts>): Network {
  const { serviceKey: _key, router: _router, serviceVersion: _version, ...others } = network
  const { spareRpcUrl: _spare, explorerUrl: _explorer, ...rest } = others
  const texts = { ...textsOfNetwork(network), ...edits }
  const [key, spare, explorer] = [texts.serviceKey, texts.spareRpcUrl, texts.explorerUrl].map((text) =>
    text.trim(),
  )
  const router = parseAddress(texts.router)
  const symbol = texts.symbol.trim()
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
  }
}

function faultOfName(text: string, most: number): string | undefined {
  const { length } = text.trim()
  if (length === 0) return t('It needs a name.')
  return length > most ? t('At most {most} characters.', { most }) : undefined
}
