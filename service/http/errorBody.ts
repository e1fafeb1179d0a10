import { STATUS_CODES } from 'node:http'
import type { ServiceError } from '../errors.ts'

/** Returns an error's response body. Clients of version 6.0 require an array `meta`. */
export function errorBody(error: ServiceError, requestId: string, path = '') {
  const { statusCode, description, code } = error
  const meta = error.meta ?? (isVersion60(path) ? [] : null)
  return { error: STATUS_CODES[statusCode] ?? 'Error', description, statusCode, code, requestId, meta }
}

function isVersion60(path: string): boolean {
  return path.startsWith('/v6.0/') || path.startsWith('/swap/v6.0/')
}

/** Returns the given request id if safe to log, else a new one. */
export function toRequestId(given = ''): string {
  return /^[\x20-\x7e]{1,128}$/.test(given) ? given : crypto.randomUUID()
}

/** Formats `Retry-After` (RFC 9110): seconds, rounded up, at least one. */
export function toRetryAfter(ms: number): string {
  return String(Math.max(1, Math.ceil(ms / 1_000)))
}
