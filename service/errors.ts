/** Error codes of the API (service-interface, Errors) and documented extensions. */
export type ServiceCode =
  | 'INSUFFICIENT_LIQUIDITY'
  | 'INSUFFICIENT_RETURN'
  | 'RE_ESTIMATED_RETURN_BELOW_SLIPPAGE'
  | 'NOT_ENOUGH_BALANCE'
  | 'NOT_ENOUGH_ALLOWANCE'
  | 'ESTIMATION_FAILED'
  | 'NO_PROTOCOLS'
  | 'UNKNOWN_TOKEN'
  | 'GAS_PRICE_NOT_ALLOWED'
  | 'SLIPPAGE_TOO_HIGH'
  | 'FEE_WITHOUT_REFERRER'
  | 'PERMIT_NOT_ALLOWED_FOR_NATIVE'
  | 'FORCE_APPROVE_NOT_SUPPORTED'
  | 'VALIDATION_FAILED'
  | 'REQUIRED_FIELD_MISSING'
  | 'INVALID_NUMBER'
  | 'FORBIDDEN'
  | 'INTERNAL_SERVER_ERROR'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'NOT_READY'
  | 'RATE_LIMITED'
  | 'BUSY'
  | 'TIMED_OUT'
  | 'CANCELLED'
  | 'REQUEST_TOO_LARGE'

export type Meta = { type: string; value: string }[]

const statuses: Partial<Record<ServiceCode, number>> = {
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  RATE_LIMITED: 429,
  REQUEST_TOO_LARGE: 431,
  // nginx's code for a client disconnect; only in logs and metrics.
  CANCELLED: 499,
  INTERNAL_SERVER_ERROR: 500,
  NOT_READY: 503,
  BUSY: 503,
  TIMED_OUT: 503,
}

export function httpStatus(code: ServiceCode): number {
  return statuses[code] ?? 400
}

/** An error response; clients match on historic descriptions. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly statusCode: number
  readonly retryMs: number | undefined

  constructor(
    readonly code: ServiceCode,
    readonly description: string,
    readonly meta: Meta | null = null,
    options?: { cause?: unknown; retryMs?: number },
  ) {
    super(description, options)
    this.statusCode = httpStatus(code)
    this.retryMs = options?.retryMs
  }
}
