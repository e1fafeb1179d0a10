import { defineMessage } from '../../i18n/translate.ts'
import type { Sentence } from './errors.ts'

const moment = defineMessage('Try again in a moment.')

/** Why the service says no, by its own code (`facts.serviceCode`). */
export const serviceSentences: Record<string, Sentence> = {
  INSUFFICIENT_LIQUIDITY: {
    what: defineMessage('No pool has enough for this swap.'),
    next: defineMessage('Try a smaller amount or another token.'),
  },
  NO_PROTOCOLS: {
    what: defineMessage('Every source that could do this swap is left out.'),
    next: defineMessage('Allow some again in the options of this swap or in the settings.'),
  },
  UNKNOWN_TOKEN: {
    what: defineMessage('The service finds no token at one of these addresses.'),
    next: defineMessage('Choose another token.'),
  },
  NOT_ENOUGH_BALANCE: {
    what: defineMessage('The service sees less in this account than you want to sell.'),
    next: defineMessage('Enter a smaller amount, or wait until what you were sent is in a block.'),
  },
  NOT_ENOUGH_ALLOWANCE: {
    what: defineMessage('The service sees no permission for this amount yet.'),
    next: defineMessage('Review again: the permission comes first.'),
  },
  ESTIMATION_FAILED: {
    what: defineMessage('The service tried the swap out, and it failed.'),
    next: defineMessage('Try a smaller amount, more slippage or another token.'),
  },
  INSUFFICIENT_RETURN: {
    what: defineMessage('The best route pays less than the minimum.'),
    next: defineMessage('Nothing was swapped. Review it at the new price, or wait for a better one.'),
  },
  RE_ESTIMATED_RETURN_BELOW_SLIPPAGE: {
    what: defineMessage('The price moves faster than your slippage allows.'),
    next: defineMessage('Review again, or allow a little more.'),
  },
  GAS_PRICE_NOT_ALLOWED: {
    what: defineMessage('The service does not accept this gas price.'),
    next: defineMessage('Correct or empty it in the settings, under Routes.'),
  },
  SLIPPAGE_TOO_HIGH: {
    what: defineMessage('The service allows no slippage as high as this.'),
    next: defineMessage('Choose a lower one.'),
  },
  FEE_WITHOUT_REFERRER: {
    what: defineMessage('There is a partner fee, and nobody named who gets it.'),
    next: defineMessage('Name the referrer in the settings, under Routes, or take the fee away.'),
  },
  PERMIT_NOT_ALLOWED_FOR_NATIVE: {
    what: defineMessage('The network’s own coin needs no permission, and one was sent along.'),
    next: defineMessage('Review again.'),
  },
  FORCE_APPROVE_NOT_SUPPORTED: {
    what: defineMessage('The service cannot try this token out before it is approved.'),
    next: defineMessage('Approve it first, then review again.'),
  },
  VALIDATION_FAILED: {
    what: defineMessage('The service finds something wrong with the question.'),
    next: defineMessage('Look at the amount, the tokens and the settings under Routes.'),
  },
  REQUIRED_FIELD_MISSING: {
    what: defineMessage('The service misses a part of the question.'),
    next: defineMessage('Check its interface version in the settings.'),
  },
  INVALID_NUMBER: {
    what: defineMessage('The service cannot read a number in the question.'),
    next: defineMessage('Check the amount and the numbers under Routes in the settings.'),
  },
  FORBIDDEN: {
    what: defineMessage('The service needs an API key, and rejected this one.'),
    next: defineMessage('Check the API key in the settings.'),
  },
  NOT_FOUND: {
    what: defineMessage('The service knows no such page, or serves another network.'),
    next: defineMessage('Check its address and interface version in the settings.'),
  },
  METHOD_NOT_ALLOWED: {
    what: defineMessage('What answers at the service’s address takes no questions of this kind.'),
    next: defineMessage('Check its address in the settings.'),
  },
  INTERNAL_SERVER_ERROR: { what: defineMessage('Something broke inside the service.'), next: moment },
  NOT_READY: {
    what: defineMessage('The service is still reading the chain, or has fallen behind.'),
    next: moment,
  },
  RATE_LIMITED: {
    what: defineMessage('The service was asked too often.'),
    next: defineMessage('Prices come back by themselves; a key of your own allows more.'),
  },
  BUSY: { what: defineMessage('Too many others are asking the service.'), next: moment },
  TIMED_OUT: { what: defineMessage('The service found no answer in time.'), next: moment },
  REQUEST_TOO_LARGE: {
    what: defineMessage('The question is longer than the service reads.'),
    next: defineMessage('Name fewer sources in the settings, under Routes.'),
  },
}
