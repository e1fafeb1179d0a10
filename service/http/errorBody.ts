import { STATUS_CODES } from 'node:http'
import type { ServiceError } from '../errors.ts'

/** Returns an error's response body. */
export function errorBody({ statusCode, description, code, meta }: ServiceError, requestId: string) {
  return { error: STATUS_CODES[statusCode] ?? 'Error', description, statusCode, code, requestId, meta }
}

/** Returns the given request id if safe to log, else a new one. */
export function toRequestId(given = ''): string {
  return /^[\x20-\x7e]{1,128}$/.test(given) ? given : crypto.randomUUID()
}

/** Formats `Retry-After` (RFC 9110): seconds, rounded up, at least one. */
export function toRetryAfter(ms: number): string {
  return String(Math.max(1, Math.ceil(ms / 1_000)))
}
