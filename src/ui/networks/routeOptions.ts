import { addressIn } from '../../domain/address/typedAddress.ts'
import { maxRouteGas, type RouteOptions, routeLimits } from '../../domain/swap/routeOptions.ts'
import { formatExact, parseAmount } from '../../domain/token/amount.ts'
import { plainDigits } from '../../domain/token/plainDigits.ts'
import type { Address } from '../../domain/token/token.ts'
import { defineMessage, t } from '../../i18n/translate.ts'
import { decimalMark } from '../format/numbers.ts'

/** Options as typed. Empty means the service's default. */
export type OptionTexts = Record<OptionName, string>
export type OptionName = (typeof optionFields)[number]['name']
export type OptionErrors = Partial<Record<OptionName, string>>

type Typed = Omit<RouteOptions, 'protocols' | 'excludedProtocols'>

/** Limits as in `routeLimits`. */
export const optionFields = [
  {
    name: 'complexityLevel',
    label: defineMessage('Intermediate tokens per path'),
    hint: defineMessage('0–2. More can improve the price but costs more gas.'),
  },
  {
    name: 'parts',
    label: defineMessage('Route parts'),
    hint: defineMessage('0–50. How many parts the amount can be split into.'),
  },
  {
    name: 'mainRouteParts',
    label: defineMessage('Main route parts'),
    hint: defineMessage('0–10. How many paths can start from the token you sell.'),
  },
  {
    name: 'connectorTokens',
    label: defineMessage('Connector tokens'),
    hint: defineMessage('How many (0–5), or up to 5 token addresses to use instead of the service’s own.'),
  },
  {
    name: 'gasLimit',
    label: defineMessage('Route gas limit'),
    hint: defineMessage('100000–3000000, without separators. Routes that need more gas are skipped.'),
  },
  {
    name: 'gasPrice',
    label: defineMessage('Gas price for routing (gwei)'),
    hint: defineMessage('Up to 10,000. Only used to compare routes; you pay the network’s gas price.'),
  },
  {
    name: 'fee',
    label: defineMessage('Partner fee (%)'),
    hint: defineMessage('0–3. Deducted from what you sell and paid to the referrer below.'),
  },
  {
    name: 'referrer',
    label: defineMessage('Referrer'),
    hint: defineMessage('Address that receives the partner fee'),
  },
] as const

const gwei = 9
const maxGasPrice = 10_000n * 10n ** 9n

export function toOptionTexts(options: RouteOptions): OptionTexts {
  const { connectorTokens, gasPrice, feeBps, referrer = '' } = options
  const write = (number: number | undefined) => (number === undefined ? '' : String(number))
  return {
    complexityLevel: write(options.complexityLevel),
    parts: write(options.parts),
    mainRouteParts: write(options.mainRouteParts),
    connectorTokens: Array.isArray(connectorTokens) ? connectorTokens.join(', ') : write(connectorTokens),
    gasLimit: write(options.gasLimit),
    gasPrice: gasPrice === undefined ? '' : formatExact(gasPrice, gwei, decimalMark()),
    fee: feeBps === undefined ? '' : formatExact(BigInt(feeBps), 2, decimalMark()),
    referrer,
  }
}

/** Parses options, with a validation error per field. */
export function parseRouteOptions(texts: OptionTexts): { options: Typed; faults: OptionErrors } {
  const faults: OptionErrors = {}
  const options: Typed = {}
  const take = <Name extends keyof Typed>(
    field: OptionName,
    name: Name,
    read: (text: string) => Typed[Name] | { fault: string },
  ) => {
    const text = texts[field].trim()
    if (text === '') return
    const value = read(text)
    if (isFault(value)) faults[field] = value.fault
    else options[name] = value
  }
  take('complexityLevel', 'complexityLevel', (text) => wholeNumber(text, routeLimits.complexityLevel))
  take('parts', 'parts', (text) => wholeNumber(text, routeLimits.parts))
  take('mainRouteParts', 'mainRouteParts', (text) => wholeNumber(text, routeLimits.mainRouteParts))
  take('connectorTokens', 'connectorTokens', connectors)
  take('gasLimit', 'gasLimit', (text) => wholeNumber(text, [routeLimits.gasLimit[0], maxRouteGas]))
  take('gasPrice', 'gasPrice', gasPrice)
  take('fee', 'feeBps', percent)
  take('referrer', 'referrer', (text) => addressIn(text) ?? { fault: t('Enter a valid address') })
  const isUnpaid = options.feeBps !== undefined && options.feeBps > 0 && texts.referrer.trim() === ''
  return {
    options,
    faults: isUnpaid ? { ...faults, referrer: t('Enter a referrer to receive the partner fee') } : faults,
  }
}

function isFault(value: unknown): value is { fault: string } {
  return typeof value === 'object' && value !== null && 'fault' in value
}

function wholeNumber(text: string, [least, most]: readonly [number, number]): number | { fault: string } {
  const typed = plainDigits(text)
  const number = /^\d{1,9}$/.test(typed) ? Number(typed) : -1
  const fits = number >= least && number <= most
  return fits ? number : { fault: t('Enter a whole number from {least} to {most}', { least, most }) }
}

function connectors(text: string): number | Address[] | { fault: string } {
  if (/^\d+$/.test(plainDigits(text))) return wholeNumber(text, routeLimits.connectorTokens)
  const addresses = text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map((part) => addressIn(part))
  const known = addresses.filter((address) => address !== undefined)
  if (known.length < addresses.length)
    return { fault: t('Enter a number from 0 to 5, or comma-separated addresses') }
  return known.length > routeLimits.connectorTokens[1] ? { fault: t('Max 5 addresses') } : [...new Set(known)]
}

function gasPrice(text: string): bigint | { fault: string } {
  const wei = parseAmount(text, gwei, decimalMark())
  const fits = typeof wei === 'bigint' && wei > 0n && wei <= maxGasPrice
  return fits ? wei : { fault: t('Enter more than 0, up to 10,000 gwei') }
}

function percent(text: string): number | { fault: string } {
  const bps = parseAmount(plainDigits(text).replace(/\s*%$/, ''), 2)
  return typeof bps === 'bigint' && bps <= BigInt(routeLimits.feeBps[1])
    ? Number(bps)
    : { fault: t('Enter 0 to 3, with up to 2 decimal places') }
}
