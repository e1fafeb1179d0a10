import { addressIn } from '../../domain/address/typedAddress.ts'
import { type NetworkFormValues, parseLimit } from '../../domain/network/networkTexts.ts'
import { t } from '../../i18n/translate.ts'

/** As in dapp requests. */
const maxSymbol = 32

export type NetworkErrors = Partial<Record<keyof NetworkFormValues, string | undefined>>

export function validateNetwork(texts: NetworkFormValues): NetworkErrors {
  const { name, symbol, serviceUrl, rpcUrl, spareRpcUrl, explorerUrl, router } = texts
  const spare = spareRpcUrl.trim()
  return {
    name: faultOfName(name, 64),
    symbol: faultOfName(symbol, maxSymbol),
    serviceUrl: validateUrl(serviceUrl),
    rpcUrl: validateUrl(rpcUrl),
    spareRpcUrl:
      spare !== '' && spare === rpcUrl.trim() ? t('Same as the RPC URL') : validateUrl(spareRpcUrl),
    explorerUrl: validateUrl(explorerUrl),
    feeLimit: faultOfLimit(texts.feeLimit, 18),
    tipLimit: faultOfLimit(texts.tipLimit, 9),
    router: faultOfAddress(router),
    wrapped: faultOfAddress(texts.wrapped),
    v3Factory: faultOfAddress(texts.v3Factory),
    quoter: faultOfAddress(texts.quoter),
    swapRouter: faultOfAddress(texts.swapRouter),
  }
}

const addressFields = ['router', 'wrapped', 'v3Factory', 'quoter', 'swapRouter'] as const

/** Returns the edits with plain addresses for typed ones (labelled, ERC-3770): the worker reads no others. */
export function readAddresses(edits: Partial<NetworkFormValues>): Partial<NetworkFormValues> {
  const typed = addressFields.flatMap((field) => {
    const address = addressIn(edits[field] ?? '')
    return address === undefined ? [] : [[field, address]]
  })
  return { ...edits, ...Object.fromEntries(typed) }
}

function faultOfAddress(text: string): string | undefined {
  return text.trim() !== '' && addressIn(text) === undefined ? t('Enter a valid address') : undefined
}

function faultOfLimit(text: string, decimals: number): string | undefined {
  const isGiven = text.trim() !== ''
  return isGiven && parseLimit(text, decimals) === undefined ? t('Enter an amount greater than 0') : undefined
}

function faultOfName(text: string, most: number): string | undefined {
  const { length } = text.trim()
  if (length === 0) return t('This field is required')
  return length > most ? t('Max {most} characters', { most }) : undefined
}

const ownMachine = new Set(['127.0.0.1', 'localhost'])

/** Returns the error of a typed URL. Empty is valid; http is allowed for localhost only. */
export function validateUrl(text: string): string | undefined {
  const typed = text.trim()
  if (typed === '') return undefined
  const url = URL.canParse(typed) && !/\s/.test(typed) ? new URL(typed) : undefined
  if (url === undefined) return t('Enter a valid URL, such as https://host/path')
  if (url.username !== '' || url.password !== '') return t('Remove the username and password from the URL')
  if (url.search !== '' || url.hash !== '') return t('Remove everything after ? or # from the URL')
  if (url.protocol === 'https:') return undefined
  if (url.protocol === 'http:') {
    return ownMachine.has(url.hostname)
      ? undefined
      : t('Use https. http is only allowed for this computer (localhost).')
  }
  return t('URL must start with https://')
}
