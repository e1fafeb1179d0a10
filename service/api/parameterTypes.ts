import { z } from 'zod'
import type { Address } from '../config.ts'
import type { ServiceCode } from '../errors.ts'
import { percentUnit } from '../swap/request.ts'

// `meta` feeds the OpenAPI document with the limits that are checked.

/** Skips further checks of the parameter. */
function fault(error: string, code: ServiceCode = 'VALIDATION_FAILED') {
  return { error, params: { code }, abort: true }
}

export function text(pattern: RegExp, error: string, code?: ServiceCode) {
  return z
    .string()
    .refine((value) => pattern.test(value), fault(error, code))
    .meta({ pattern: pattern.source })
}

const largest = 2n ** 256n - 1n

/** Base units or wei, at most 256 bits. */
export const amount = text(/^(0|[1-9]\d*)$/, 'is not a decimal integer', 'INVALID_NUMBER')
  .transform((value) => BigInt(value))
  .refine((value) => value <= largest, fault('is above 2^256-1'))
  .meta({ format: 'uint256', maxLength: String(largest).length })

export const positiveAmount = amount
  .refine((value) => value > 0n, fault('must be above 0'))
  .meta({ pattern: '^[1-9]\\d*$' })

export const address = text(/^0x[0-9a-fA-F]{40}$/, 'is not an address')
  .transform((value) => value.toLowerCase() as Address)
  .meta({ format: 'address' })

/** A recipient: the zero address would burn tokens. */
export const nonZeroAddress = address.refine((value) => BigInt(value) !== 0n, fault('is the zero address'))

export type Connectors = { count: number; tokens?: Address[] }

const fiveAddresses = '0x[0-9a-fA-F]{40}(,0x[0-9a-fA-F]{40}){0,4}'

export const connectorList = text(new RegExp(`^${fiveAddresses}$`), 'is not one to five addresses').transform(
  (value): Connectors => {
    const tokens = value.toLowerCase().split(',') as Address[]
    return { count: tokens.length, tokens }
  },
)

export const connectors = text(
  new RegExp(`^([0-5]|${fiveAddresses})$`),
  'is neither 0 to 5 nor up to five addresses',
).transform(
  (value): Connectors => (value.length === 1 ? { count: Number(value) } : connectorList.parse(value)),
)

export const list = z.string().transform((value) => value.split(','))

export const trueOrFalse = z
  .string()
  .refine((value) => /^(true|false|1|0)$/i.test(value), fault('is not true or false'))
  .transform((value) => /^(true|1)$/i.test(value))
  .meta({ type: 'boolean' })

export const flag = trueOrFalse.prefault('false')

/** A percentage from 0 to `max`, in units of 1e-18. */
export function percent(max: bigint, tooHigh: ServiceCode) {
  return z
    .string()
    .refine((value) => /^-?(0|[1-9]\d*)(\.\d+)?$/.test(value), fault('is not a number', 'INVALID_NUMBER'))
    .refine((value) => !value.startsWith('-'), fault('must not be below 0'))
    .refine((value) => (value.split('.')[1] ?? '').length <= 18, fault('has more than 18 decimals'))
    .transform((value) => {
      const [whole = '', fraction = ''] = value.split('.')
      return BigInt(whole + fraction.padEnd(18, '0'))
    })
    .refine((value) => value <= max * percentUnit, fault(`must not be above ${max}`, tooHigh))
    .meta({ type: 'number', minimum: 0, maximum: Number(max) })
}

const unitsPerMillionth = percentUnit / 10_000n

/** A percentage from 0 to `max`, rounded down to millionths. */
export function partsPerMillion(max: bigint) {
  return percent(max, 'VALIDATION_FAILED').transform((value) => Number(value / unitsPerMillionth))
}

export function count(min: number, max: number) {
  return z
    .string()
    .refine((value) => /^-?(0|[1-9]\d*)$/.test(value), fault('is not a whole number', 'INVALID_NUMBER'))
    .transform(Number)
    .refine((value) => value >= min && value <= max, fault(`must be from ${min} to ${max}`))
    .meta({ type: 'integer', minimum: min, maximum: max })
}

/** Hex data of one of the `lengths` in 32-byte words. */
export function hexWords(...lengths: number[]) {
  const pattern = lengths.map((length) => `[0-9a-fA-F]{${64 * length}}`).join('|')
  const last = lengths.at(-1)
  return text(
    new RegExp(`^0x(${pattern})$`),
    `is not hex of ${lengths.slice(0, -1).join(', ')} or ${last} words`,
  )
    .transform((value) => value.toLowerCase() as `0x${string}`)
    .meta({ format: 'bytes' })
}
