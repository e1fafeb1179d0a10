import { defineMessage } from '../../../i18n/translate.ts'

const moment = defineMessage('Try again in a moment.')

/** Messages by `facts.serviceCode`. */
export const serviceSentences: Record<string, { what: string; next: string }> = {
  INSUFFICIENT_LIQUIDITY: {
    what: defineMessage('Not enough liquidity for this swap.'),
    next: defineMessage('Try a smaller amount or another token.'),
  },
  NO_PROTOCOLS: {
    what: defineMessage('All suitable sources are excluded.'),
    next: defineMessage('Include some again for this swap or in the network settings.'),
  },
  UNKNOWN_TOKEN: {
    what: defineMessage('The swap service can’t find one of these tokens.'),
    next: defineMessage('Choose another token.'),
  },
  NOT_ENOUGH_BALANCE: {
    what: defineMessage('The swap service sees an insufficient balance.'),
    next: defineMessage('Enter a smaller amount, or wait for incoming funds to confirm.'),
  },
  NOT_ENOUGH_ALLOWANCE: {
    what: defineMessage('The swap service sees no allowance for this yet.'),
    next: defineMessage('Review again to approve the token first.'),
  },
  ESTIMATION_FAILED: {
    what: defineMessage('The swap service’s simulation failed.'),
    next: defineMessage('Try a smaller amount, higher slippage, or another token.'),
  },
  INSUFFICIENT_RETURN: {
    what: defineMessage('The best route returns less than the minimum.'),
    next: defineMessage('Nothing was swapped. Review again at the new price, or wait for a better one.'),
  },
  RE_ESTIMATED_RETURN_BELOW_SLIPPAGE: {
    what: defineMessage('The price moves faster than your slippage allows.'),
    next: defineMessage('Review again, or allow slightly more slippage.'),
  },
  GAS_PRICE_NOT_ALLOWED: {
    what: defineMessage('The swap service rejected this gas price.'),
    next: defineMessage('Correct or clear it in the network settings, under Routes.'),
  },
  SLIPPAGE_TOO_HIGH: {
    what: defineMessage('The slippage is too high for the swap service.'),
    next: defineMessage('Choose a lower slippage.'),
  },
  FEE_WITHOUT_REFERRER: {
    what: defineMessage('The partner fee has no referrer.'),
    next: defineMessage('Add a referrer in the network settings, under Routes, or remove the fee.'),
  },
  PERMIT_NOT_ALLOWED_FOR_NATIVE: {
    what: defineMessage('Permits can’t be used with the native token.'),
    next: defineMessage('Review again.'),
  },
  FORCE_APPROVE_NOT_SUPPORTED: {
    what: defineMessage('This token can’t be simulated before approval.'),
    next: defineMessage('Approve it first, then review again.'),
  },
  VALIDATION_FAILED: {
    what: defineMessage('The swap service found the request invalid.'),
    next: defineMessage('Check the amount, the tokens, and the network settings under Routes.'),
  },
  REQUIRED_FIELD_MISSING: {
    what: defineMessage('The request is missing a parameter.'),
    next: defineMessage('Check the API version in the network settings.'),
  },
  INVALID_NUMBER: {
    what: defineMessage('The request contains an invalid number.'),
    next: defineMessage('Check the amount and the numbers in the network settings, under Routes.'),
  },
  FORBIDDEN: {
    what: defineMessage('The API key is missing or invalid.'),
    next: defineMessage('Check the API key in the network settings.'),
  },
  NOT_FOUND: {
    what: defineMessage('Wrong swap service URL or network.'),
    next: defineMessage('Check its URL and API version in the network settings.'),
  },
  METHOD_NOT_ALLOWED: {
    what: defineMessage('The swap service URL doesn’t accept this request.'),
    next: defineMessage('Check its URL in the network settings.'),
  },
  INTERNAL_SERVER_ERROR: { what: defineMessage('The swap service had an internal error.'), next: moment },
  NOT_READY: {
    what: defineMessage('The swap service is syncing or has fallen behind.'),
    next: moment,
  },
  RATE_LIMITED: {
    what: defineMessage('Swap service rate limit reached.'),
    next: defineMessage('Quotes resume automatically. Use your own API key for higher limits.'),
  },
  BUSY: { what: defineMessage('The swap service is overloaded.'), next: moment },
  TIMED_OUT: { what: defineMessage('The swap service couldn’t respond in time.'), next: moment },
  REQUEST_TOO_LARGE: {
    what: defineMessage('The request is too large for the swap service.'),
    next: defineMessage('Select fewer sources in the network settings, under Routes.'),
  },
}
