import * as v from 'valibot'
import { sanitizeText } from '../domain/sanitize.ts'
import { type ErrorCode, type ErrorDetails, WalletError } from '../errors.ts'
import type { HttpResponse } from '../httpClient.ts'

/** Service-interface, Errors; service-semantics, Errors. */
export type ServiceCode = keyof typeof meanings

const meanings = {
  INSUFFICIENT_LIQUIDITY: 'no-route',
  NO_PROTOCOLS: 'no-route',
  UNKNOWN_TOKEN: 'unknown-token',
  NOT_ENOUGH_BALANCE: 'not-enough-balance',
  NOT_ENOUGH_ALLOWANCE: 'not-enough-allowance',
  ESTIMATION_FAILED: 'estimation-failed',
  INSUFFICIENT_RETURN: 'below-floor',
  RE_ESTIMATED_RETURN_BELOW_SLIPPAGE: 'below-floor',
  GAS_PRICE_NOT_ALLOWED: 'refused-request',
  SLIPPAGE_TOO_HIGH: 'refused-request',
  FEE_WITHOUT_REFERRER: 'refused-request',
  PERMIT_NOT_ALLOWED_FOR_NATIVE: 'refused-request',
  FORCE_APPROVE_NOT_SUPPORTED: 'refused-request',
  VALIDATION_FAILED: 'refused-request',
  REQUIRED_FIELD_MISSING: 'refused-request',
  INVALID_NUMBER: 'refused-request',
  FORBIDDEN: 'service-forbidden',
  INTERNAL_SERVER_ERROR: 'service-failed',
  NOT_FOUND: 'refused-request',
  METHOD_NOT_ALLOWED: 'refused-request',
  REQUEST_TOO_LARGE: 'refused-request',
  RATE_LIMITED: 'service-busy',
  BUSY: 'service-busy',
  NOT_READY: 'service-failed',
  TIMED_OUT: 'service-timeout',
} as const satisfies Record<string, ErrorCode>

/** Deployments without `code`. */
const historicTexts: [RegExp, ServiceCode][] = [
  [/^insufficient liquidity/i, 'INSUFFICIENT_LIQUIDITY'],
  [/^cannot estimate/i, 'ESTIMATION_FAILED'],
  [/^not enough allowance/i, 'NOT_ENOUGH_ALLOWANCE'],
  [/^not enough balance/i, 'NOT_ENOUGH_BALANCE'],
  [/^\w+ is not set/i, 'REQUIRED_FIELD_MISSING'],
  [/^src and dst should be different/i, 'VALIDATION_FAILED'],
]

const refusalShape = v.object({
  description: v.string(),
  code: v.optional(v.string()),
  requestId: v.optional(v.string()),
  meta: v.optional(v.nullable(v.array(v.object({ type: v.string(), value: v.string() })))),
})

/** Cap on Retry-After. */
const maxPauseMs = 60_000

/**
 * Maps a non-2xx answer to an error. 403, 429 and 5xx need no body, as proxies send them too; others need the
 * interface's error body, else `service-garbled`.
 */
export function parseServiceError(reply: HttpResponse, body: unknown, asked: ErrorDetails): WalletError {
  const { status, retryAfterMs } = reply
  const said = parseRefusal(body)
  const facts = {
    ...said?.numbers,
    ...asked,
    ...said?.words,
    status: String(status),
    ...(retryAfterMs !== undefined && {
      retryAfterMs: String(Math.ceil(Math.min(retryAfterMs, maxPauseMs))),
    }),
  }
  const reason = said ? `: ${said.words.description}` : ''

  if (status === 403) {
    return new WalletError('service-forbidden', `The swap service refused access${reason}.`, facts)
  }
  if (status === 429) {
    return new WalletError('service-busy', 'The swap service asks for a pause between questions.', facts)
  }
  if (status >= 500) {
    const code = said?.code.startsWith('service-') ? said.code : 'service-failed'
    return new WalletError(code, `The swap service failed${reason}.`, facts)
  }
  if (said === undefined) {
    return new WalletError('service-garbled', `The swap service answered ${status} without a reason.`, facts)
  }
  return new WalletError(said.code, `The swap service refused${reason}.`, facts)
}

type Refusal = { code: ErrorCode; words: { description: string } & ErrorDetails; numbers: ErrorDetails }

function parseRefusal(body: unknown): Refusal | undefined {
  const result = v.safeParse(refusalShape, body)
  if (!result.success) return undefined
  const { requestId, meta } = result.output
  const description = sanitizeText(result.output.description, 300).replace(/\.$/, '')
  const serviceCode = result.output.code ?? historicCode(description)
  const numbers = (meta ?? [])
    .slice(0, 20)
    .map(({ type, value }) => [sanitizeText(type, 40), sanitizeText(value, 100)])
  return {
    code: isServiceCode(serviceCode) ? meanings[serviceCode] : 'refused-request',
    words: {
      description,
      ...(serviceCode === undefined ? {} : { serviceCode: sanitizeText(serviceCode, 60) }),
      ...(requestId === undefined ? {} : { requestId: sanitizeText(requestId, 100) }),
    },
    numbers: Object.fromEntries(numbers),
  }
}

function historicCode(description: string): ServiceCode | undefined {
  return historicTexts.find(([text]) => text.test(description))?.[1]
}

function isServiceCode(code: string | undefined): code is ServiceCode {
  return code !== undefined && Object.hasOwn(meanings, code)
}
