import { STATUS_CODES } from 'node:http'
import type { ServiceError } from '../errors.ts'

/** Returns an error's response body. */
export function errorBody({ statusCode, description, code, meta }: ServiceError, requestId: string) {
  return { error: STATUS_CODES[statusCode] ?? 'Error', description, statusCode, code, requestId, meta }
}
