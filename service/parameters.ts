import { z } from 'zod'
import type { Address } from './config.ts'
import { type ServiceCode, ServiceError } from './errors.ts'
import { percentUnit } from './request.ts'

/**
 * Reads the keys of `shape` from the query of `url`; other keys are ignored. Throws the ServiceError of the first fault, where missing
 * fields come before malformed numbers and those before all else (service-interface, Errors), each in the shape's own order.
 */
export function parse<Shape extends z.ZodRawShape>(
  shape: z.ZodObject<Shape>,
  url: string,
): z.output<z.ZodObject<Shape>> {
  const query = new URL(url).searchParams
  const given: Record<string, string | string[]> = {}
  for (const name of Object.keys(shape.shape)) {
    const [value, ...others] = query.getAll(name)
    if (value !== undefined) given[name] = others.length === 0 ? value : [value, ...others]
  }
  const result = shape.safeParse(given)
  if (result.success) return result.data
  const faults = result.error.issues.map((issue) => toFault(issue, given))
  throw faults.reduce((first, fault) => (stage(fault.code) < stage(first.code) ? fault : first))
}

function toFault(issue: z.core.$ZodIssue, given: Record<string, string | string[]>): ServiceError {
  const name = String(issue.path[0])
  if (!Object.hasOwn(given, name)) return new ServiceError('REQUIRED_FIELD_MISSING', `${name} is not set`)
  if (Array.isArray(given[name])) return new ServiceError('VALIDATION_FAILED', `${name} is given twice`)
  const code = issue.code === 'custom' ? (issue.params?.code as ServiceCode | undefined) : undefined
  return new ServiceError(code ?? 'VALIDATION_FAILED', `${name} ${issue.message}`)
}

function stage(code: ServiceCode): number {
  const early: ServiceCode[] = ['REQUIRED_FIELD_MISSING', 'INVALID_NUMBER']
  return early.includes(code) ? early.indexOf(code) : early.length
}

/** A fault of a parameter's own kind, after which nothing else of it is looked at. */
function fault(error: string, code: ServiceCode = 'VALIDATION_FAILED') {
  return { error, params: { code }, abort: true }
}

const largest = 2n ** 256n - 1n
const wholeNumber = /^(0|[1-9]\d*)$/

/** Base units of a token, or wei: a decimal integer of at most 256 bits, without sign, spaces or leading zeros. */
export const amount = z
  .string()
  .refine((text) => wholeNumber.test(text), fault('is not a decimal integer', 'INVALID_NUMBER'))
  .transform((text) => BigInt(text))
  .refine((value) => value <= largest, fault('is above 2^256-1'))

export const positiveAmount = amount.refine((value) => value > 0n, fault('must be above 0'))

/** 20 bytes of hex in any letter case, read as lower case. */
export const address = z
  .string()
  .refine((text) => /^0x[0-9a-fA-F]{40}$/.test(text), fault('is not an address'))
  .transform((text) => text.toLowerCase() as Address)

/** Whoever is to get something: nobody means to burn it. */
export const recipient = address.refine((value) => BigInt(value) !== 0n, fault('is the zero address'))

export const flag = z.enum(['true', 'false'], 'is not true or false').transform((text) => text === 'true')

/** A flag of which only `false` can be honoured: claiming the other would be pretending. */
export const falseOnly = flag.refine((value) => !value, fault('is not supported by this router'))

/** Ids of liquidity sources, exact case. */
export const sourceIds = z
  .string()
  .refine((text) => text !== '', fault('is empty'))
  .transform((text) => text.split(','))

/** A percent in units of 1e-18. */
function percent(max: bigint, tooHigh: ServiceCode) {
  return z
    .string()
    .refine((text) => /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text), fault('is not a number', 'INVALID_NUMBER'))
    .refine((text) => !text.startsWith('-'), fault('must not be below 0'))
    .refine((text) => (text.split('.')[1] ?? '').length <= 18, fault('has more than 18 decimals'))
    .transform((text) => {
      const [whole = '', fraction = ''] = text.split('.')
      return BigInt(whole + fraction.padEnd(18, '0'))
    })
    .refine((value) => value <= max * percentUnit, fault(`must not be above ${max}`, tooHigh))
}

/** Percent in units of 1e-18, at most 50. */
export const slippage = percent(50n, 'SLIPPAGE_TOO_HIGH')

const unitsPerMillionth = percentUnit / 10_000n

/** A partner fee: a percent of at most 3, read as millionths of the amount. */
export const feePpm = percent(3n, 'VALIDATION_FAILED')
  .refine((value) => value % unitsPerMillionth === 0n, fault('has more than 4 decimals'))
  .transform((value) => Number(value / unitsPerMillionth))

function count(min: number, max: number) {
  return z
    .string()
    .refine((text) => /^-?(0|[1-9]\d*)$/.test(text), fault('is not a whole number', 'INVALID_NUMBER'))
    .transform(Number)
    .refine((value) => value >= min && value <= max, fault(`must be from ${min} to ${max}`))
}

export const complexityLevel = count(0, 2)
/** 0 stands for the default, as absence does. */
export const parts = count(0, 50).transform((value) => value || 50)
export const mainRouteParts = count(0, 10).transform((value) => value || 10)
export const gasLimit = count(100_000, 11_500_000).transform(BigInt)

/** How many connector tokens a route may use, or up to five that replace the chain's own. */
type Connectors = { count: number; tokens?: Address[] }

export const connectors = z.string().transform((text, context): Connectors => {
  if (/^[0-5]$/.test(text)) return { count: Number(text) }
  const tokens = z.array(address).max(5).safeParse(text.split(','))
  if (tokens.success) return { count: tokens.data.length, tokens: tokens.data }
  context.issues.push({ code: 'custom', message: 'is neither 0 to 5 nor up to five addresses', input: text })
  return z.NEVER
})

/** Arguments of EIP-2612's permit (7 words of 32 bytes) or DAI's (8), without the selector. */
export const permit = z
  .string()
  .refine((text) => /^0x([0-9a-fA-F]{64}){7,8}$/.test(text), fault('is not hex of 7 or 8 words'))
  .transform((text) => text.toLowerCase() as `0x${string}`)
