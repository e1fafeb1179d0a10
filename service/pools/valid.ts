import type { Address } from '../config.ts'

// Validation of untrusted pools by hand: a schema library walks a list before checking its length, and a
// start checks hundreds of thousands of pools.

export function isRecord(data: unknown): data is Record<string, unknown> {
  return typeof data === 'object' && data !== null && !Array.isArray(data)
}

/** True for a list of at most `max` valid members. */
export function isList<Member>(
  data: unknown,
  max: number,
  isMember: (member: unknown) => member is Member,
): data is Member[] {
  if (!Array.isArray(data) || data.length > max) return false
  for (let i = 0; i < data.length; i++) if (!isMember(data[i])) return false
  return true
}

export function isAddress(data: unknown): data is Address {
  return typeof data === 'string' && /^0x[0-9a-f]{40}$/.test(data)
}

export function isInteger(data: unknown, min: number, max: number): data is number {
  return Number.isInteger(data) && (data as number) >= min && (data as number) <= max
}

export function isAmount(data: unknown, min: bigint, max: bigint): data is bigint {
  return typeof data === 'bigint' && data >= min && data <= max
}
