import type { z } from 'zod'
import { type ServiceCode, ServiceError } from '../errors.ts'

/**
 * Parses a query, ignoring unknown keys. Throws the first ServiceError: missing fields, then malformed
 * numbers, then others.
 */
export function parseQuery<Shape extends z.ZodObject>(shape: Shape, url: string): z.output<Shape> {
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
