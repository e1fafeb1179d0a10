import type { ServiceCode } from '../errors.ts'

export const errorResponses: Record<ServiceCode, string> = {
  REQUIRED_FIELD_MISSING: 'A required parameter is missing.',
  INVALID_NUMBER: 'A parameter that is a number is none, or is not written as plain decimal digits.',
  VALIDATION_FAILED: 'A parameter is out of its range or form, is given twice, or contradicts another.',
  UNKNOWN_TOKEN: 'There is no token at that address.',
  GAS_PRICE_NOT_ALLOWED: 'The gas price is above 10,000 gwei, or it is 0 for a swap.',
  INSUFFICIENT_LIQUIDITY: 'No route within the limits of the request.',
  NO_PROTOCOLS: 'The request’s filters leave no liquidity source.',
  SLIPPAGE_TOO_HIGH: 'The slippage is above 50 percent.',
  FEE_WITHOUT_REFERRER: 'There is a partner fee, and nobody to get it.',
  PERMIT_NOT_ALLOWED_FOR_NATIVE: 'There is a permit, though the native coin is sold.',
  FORCE_APPROVE_NOT_SUPPORTED:
    'The approval cannot be imagined: where this token keeps allowances is not found.',
  NOT_ENOUGH_BALANCE: 'The payer has less than the amount.',
  NOT_ENOUGH_ALLOWANCE: 'The spender named in the description may not spend the amount.',
  ESTIMATION_FAILED:
    'The swap, tried out at the newest block, reverts; or a token of it charges a fee on transfer.',
  INSUFFICIENT_RETURN: 'The best route returns less than the minimum that was asked for.',
  RE_ESTIMATED_RETURN_BELOW_SLIPPAGE:
    'Tried out, the swap returns less than the slippage allows, also on a second route.',
  FORBIDDEN: 'The service asks for a key, and this one is missing or not known.',
  NOT_FOUND: 'There is no such path, or the service serves another chain.',
  METHOD_NOT_ALLOWED: 'Only GET and HEAD are.',
  INTERNAL_SERVER_ERROR: 'The service or its node failed. Nothing was wrong with the request.',
  NOT_READY:
    'The pools are still being read, the node is away or behind, or the service is being stopped. Nothing stale is answered.',
  RATE_LIMITED:
    'Too many requests of this key or network, at once or over its rate, or too many wrong keys. Ask again after `Retry-After` seconds.',
  BUSY: 'Too many requests are waiting. Ask again after `Retry-After` seconds.',
  TIMED_OUT: 'The answer took too long.',
  REQUEST_TOO_LARGE: 'The request’s line and headers are longer than 16 kB.',
  CANCELLED: 'Whoever asked hung up before the answer; only the log and the metrics show it.',
}
