import { addressIn } from '../../domain/address/typedAddress.ts'
import { maxRouteGas, type RouteOptions, routeLimits } from '../../domain/swap/routeOptions.ts'
import { formatExact, parseAmount } from '../../domain/token/amount.ts'
import { plainDigits } from '../../domain/token/plainDigits.ts'
import type { Address } from '../../domain/token/token.ts'
import { defineMessage, t } from '../../i18n/translate.ts'
import { decimalMark } from '../format/numbers.ts'

/** Route options as they are typed; what is empty is the service's to choose. */
export type OptionTexts = Record<OptionName, string>
export type OptionName = (typeof optionFields)[number]['name']
export type OptionErrors = Partial<Record<OptionName, string>>

type Typed = Omit<RouteOptions, 'protocols' | 'excludedProtocols'>

/** Every field with what it does and its limits, as `routeLimits` has them. */
export const optionFields = [
  {
    name: 'complexityLevel',
    label: defineMessage('Tokens in between, per path'),
    hint: defineMessage('0 to 2. More finds better prices, and costs more gas.'),
  },
  {
    name: 'parts',
    label: defineMessage('Pieces of a route'),
    hint: defineMessage('0 to 50. Into how many the amount may be cut.'),
  },
  {
    name: 'mainRouteParts',
    label: defineMessage('Branches of a route'),
    hint: defineMessage('0 to 10. How many ways may leave the sold token.'),
  },
  {
    name: 'connectorTokens',
    label: defineMessage('Connector tokens'),
    hint: defineMessage('How many, 0 to 5; or up to five addresses to use instead of the service’s own.'),
  },
  {
    name: 'gasLimit',
    label: defineMessage('Most gas of a route'),
    hint: defineMessage('100,000 to 3,000,000, without separators. Longer routes are left aside.'),
  },
  {
    name: 'gasPrice',
    label: defineMessage('Gas price for weighing, in gwei'),
    hint: defineMessage('Up to 10,000. Routes are weighed by it; what you pay is the network’s price.'),
  },
  {
    name: 'fee',
    label: defineMessage('Partner fee, in percent'),
    hint: defineMessage('0 to 3. Taken from what you sell, for the referrer below.'),
  },
  {
    name: 'referrer',
    label: defineMessage('Referrer'),
    hint: defineMessage('The address that gets the partner fee.'),
  },
] as const

const gwei = 9
const mostGasPrice = 10_000n * 10n ** 9n

/** The options that are set, as somebody would type them. */
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

/** What was typed, and for each field that cannot be used the sentence that says why. */
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
  take('referrer', 'referrer', (text) => addressIn(text) ?? { fault: t('This is not a valid address.') })
  const isUnpaid = options.feeBps !== undefined && options.feeBps > 0 && texts.referrer.trim() === ''
  return {
    options,
    faults: isUnpaid ? { ...faults, referrer: t('A fee needs somebody to get it.') } : faults,
  }
}

function isFault(value: unknown): value is { fault: string } {
  return typeof value === 'object' && value !== null && 'fault' in value
}

function wholeNumber(text: string, [least, most]: readonly [number, number]): number | { fault: string } {
  const typed = plainDigits(text)
  const number = /^\d{1,9}$/.test(typed) ? Number(typed) : -1
  const fits = number >= least && number <= most
  return fits ? number : { fault: t('A whole number from {least} to {most}.', { least, most }) }
}

function connectors(text: string): number | Address[] | { fault: string } {
  if (/^\d+$/.test(plainDigits(text))) return wholeNumber(text, routeLimits.connectorTokens)
  const addresses = text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map((part) => addressIn(part))
  const known = addresses.filter((address) => address !== undefined)
  if (known.length < addresses.length)
    return { fault: t('A number from 0 to 5, or addresses with commas between.') }
  return known.length > routeLimits.connectorTokens[1]
    ? { fault: t('Five addresses at most.') }
    : [...new Set(known)]
}

function gasPrice(text: string): bigint | { fault: string } {
  const wei = parseAmount(text, gwei, decimalMark())
  const fits = typeof wei === 'bigint' && wei > 0n && wei <= mostGasPrice
  return fits ? wei : { fault: t('More than 0 and at most 10,000 gwei.') }
}

function percent(text: string): number | { fault: string } {
  const bps = parseAmount(plainDigits(text).replace(/\s*%$/, ''), 2)
  return typeof bps === 'bigint' && bps <= BigInt(routeLimits.feeBps[1])
    ? Number(bps)
    : { fault: t('0 to 3, two decimals at most.') }
}
