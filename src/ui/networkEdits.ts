import type { Network } from '../domain/network.ts'
import { parseAddress } from '../domain/token.ts'
import { t } from '../language/translate.ts'
import { faultOfUrl } from './urls.ts'

/** What of a network can be typed. */
export type NetworkTexts = {
  serviceUrl: string
  serviceVersion: '6.1' | '3.0'
  serviceKey: string
  rpcUrl: string
  router: string
}

export function textsOfNetwork(network: Network): NetworkTexts {
  const { serviceUrl, serviceVersion = '6.1', serviceKey = '', rpcUrl, router = '' } = network
  return { serviceUrl, serviceVersion, serviceKey, rpcUrl, router }
}

/** For each field that cannot be used the sentence that says why. */
export function faultsOfNetwork({ serviceUrl, rpcUrl, router }: NetworkTexts) {
  const isNoRouter = router.trim() !== '' && parseAddress(router) === undefined
  return {
    serviceUrl: faultOfUrl(serviceUrl),
    rpcUrl: faultOfUrl(rpcUrl),
    router: isNoRouter ? t('This is no address.') : undefined,
  }
}

/** `network` with what was edited, and that alone: the rest may have changed since the form was opened. */
export function editNetwork(network: Network, edits: Partial<NetworkTexts>): Network {
  const { serviceKey: _key, router: _router, serviceVersion: _version, ...rest } = network
  const texts = { ...textsOfNetwork(network), ...edits }
  const key = texts.serviceKey.trim()
  const router = parseAddress(texts.router)
  return {
    ...rest,
    serviceUrl: texts.serviceUrl.trim(),
    rpcUrl: texts.rpcUrl.trim(),
    ...(texts.serviceVersion !== '6.1' && { serviceVersion: texts.serviceVersion }),
    ...(key !== '' && { serviceKey: key }),
    ...(router && { router }),
  }
}
