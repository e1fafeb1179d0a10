import * as v from 'valibot'
import { parseJson } from '../domain/json.ts'
import { redactSecrets } from '../domain/sanitize.ts'
import { type ErrorDetails, WalletError } from '../errors.ts'
import { createHttpClient, type HttpDeps, type NetworkError } from '../httpClient.ts'
import { parseServiceError } from './serviceError.ts'

export type Http = {
  /** Throws `service-…`, or the service's own reason. */
  get<Shape extends v.GenericSchema>(
    path: string,
    query: Query,
    shape: Shape,
    signal?: AbortSignal,
  ): Promise<v.InferOutput<Shape>>
  /** Like `get`, with the header of `parseRouteBound`. */
  getWithBound<Shape extends v.GenericSchema>(
    path: string,
    query: Query,
    shape: Shape,
    signal?: AbortSignal,
  ): Promise<{ body: v.InferOutput<Shape>; routeBound: string | undefined }>
}

export type Query = Record<string, string | number | bigint | boolean | undefined>

export type HttpOptions = HttpDeps & {
  baseUrl: string
  /** Bearer token. */
  key?: string | undefined
  /** Including retries. */
  deadlineMs?: number
  retries?: number
}

const maxBytes = 1_000_000

/** Creates an HTTP client: 10 s, two retries, 1 MB (docs/security/threats.md, 53 and 54). */
export function createHttp({ baseUrl, key, deadlineMs = 10_000, retries = 2, ...parts }: HttpOptions): Http {
  const wire = createHttpClient(parts)
  const http: Http = {
    async get(path, query, shape, signal) {
      return (await http.getWithBound(path, query, shape, signal)).body
    },

    async getWithBound(path, query, shape, signal) {
      const requestId = crypto.randomUUID()
      const url = createUrl(baseUrl, path, query)
      const headers = { accept: 'application/json', 'request-id': requestId, ...authorization(key) }
      const reply = await wire({ url, headers, deadlineMs, retries, mostBytes: maxBytes, signal })

      const facts = { operation: path, requestId }
      if ('failure' in reply) throw silence(reply, facts)
      const text = reply.text ?? ''
      if (reply.status < 200 || reply.status > 299) {
        // Displayed texts may contain the API key.
        throw parseServiceError(reply, redactSecrets(parseJson(text), `${key} ${baseUrl}`, key), facts)
      }
      const result = v.safeParse(shape, parseJson(text))
      if (result.success) return { body: result.output, routeBound: reply.routeBound }
      const field = v.getDotPath(result.issues[0]) ?? 'body'
      throw new WalletError(
        'service-garbled',
        `The swap service answered ${path} with something unreadable: ${field} is not what it should be.`,
        { ...facts, field },
      )
    },
  }
  return http
}

function createUrl(baseUrl: string, path: string, query: Query): string {
  const base = baseUrl.replace(/\/+$/, '')
  if (!/^https?:\/\/[^/?#@]+(\/[^?#]*)?$/.test(base) || !URL.canParse(base)) {
    throw new WalletError(
      'invalid-input',
      'The swap service has no usable address: set it in the settings.',
      {
        field: 'serviceUrl',
      },
    )
  }
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value))
  }
  return search.size === 0 ? `${base}${path}` : `${base}${path}?${search}`
}

function authorization(key: string | undefined): Record<string, string> {
  if (!key) return {}
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new WalletError('invalid-input', 'The swap service’s key holds characters that no key has.', {
      field: 'serviceKey',
    })
  }
  return { authorization: `Bearer ${key}` }
}

function silence({ failure, cause }: NetworkError, facts: ErrorDetails): WalletError {
  if (failure === 'aborted')
    return new WalletError('aborted', 'The question was withdrawn.', facts, { cause })
  if (failure === 'timeout') {
    return new WalletError('service-timeout', 'The swap service did not answer in time.', facts, { cause })
  }
  return new WalletError('service-unreachable', 'The swap service cannot be reached.', facts, { cause })
}
