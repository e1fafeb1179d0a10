import { wording } from '../../i18n/translate.ts'
import type { Sentence } from './errors.ts'

const moment = wording('Try again in a moment.')

/** Why the service says no, by its own code (`facts.serviceCode`). */
export const serviceSentences: Record<string, Sentence> = {
  INSUFFICIENT_LIQUIDITY: {
    what: wording('No pool has enough for this swap.'),
    next: wording('Try a smaller amount or another token.'),
  },
  NO_PROTOCOLS: {
    what: wording('Every source that could do this swap is left out.'),
    next: wording('Allow some again in the options of this swap or in the settings.'),
  },
  UNKNOWN_TOKEN: {
    what: wording('The service finds no token at one of these addresses.'),
    next: wording('Choose another token.'),
  },
  NOT_ENOUGH_BALANCE: {
    what: wording('The service sees less in this account than you want to sell.'),
    next: wording('Enter a smaller amount, or wait until what you were sent is in a block.'),
  },
  NOT_ENOUGH_ALLOWANCE: {
    what: wording('The service sees no permission for this amount yet.'),
    next: wording('Review again: the permission comes first.'),
  },
  ESTIMATION_FAILED: {
    what: wording('The service tried the swap out, and it failed.'),
    next: wording('Try a smaller amount, more slippage or another token.'),
  },
  INSUFFICIENT_RETURN: {
    what: wording('The best route pays less than the minimum.'),
    next: wording('Nothing was swapped. Review it at the new price, or wait for a better one.'),
  },
  RE_ESTIMATED_RETURN_BELOW_SLIPPAGE: {
    what: wording('The price moves faster than your slippage allows.'),
    next: wording('Review again, or allow a little more.'),
  },
  GAS_PRICE_NOT_ALLOWED: {
    what: wording('The service does not accept this gas price.'),
    next: wording('Correct or empty it in the settings, under Routes.'),
  },
  SLIPPAGE_TOO_HIGH: {
    what: wording('The service allows no slippage as high as this.'),
    next: wording('Choose a lower one.'),
  },
  FEE_WITHOUT_REFERRER: {
    what: wording('There is a partner fee, and nobody named who gets it.'),
    next: wording('Name the referrer in the settings, under Routes, or take the fee away.'),
  },
  PERMIT_NOT_ALLOWED_FOR_NATIVE: {
    what: wording('The network’s own coin needs no permission, and one was sent along.'),
    next: wording('Review again.'),
  },
  FORCE_APPROVE_NOT_SUPPORTED: {
    what: wording('The service cannot try this token out before it is approved.'),
    next: wording('Approve it first, then review again.'),
  },
  VALIDATION_FAILED: {
    what: wording('The service finds something wrong with the question.'),
    next: wording('Look at the amount, the tokens and the settings under Routes.'),
  },
  REQUIRED_FIELD_MISSING: {
    what: wording('The service misses a part of the question.'),
    next: wording('Check its interface version in the settings.'),
  },
  INVALID_NUMBER: {
    what: wording('The service cannot read a number in the question.'),
    next: wording('Check the amount and the numbers under Routes in the settings.'),
  },
  FORBIDDEN: {
    what: wording('The service needs an API key, and rejected this one.'),
    next: wording('Check the API key in the settings.'),
  },
  NOT_FOUND: {
    what: wording('The service knows no such page, or serves another network.'),
    next: wording('Check its address and interface version in the settings.'),
  },
  METHOD_NOT_ALLOWED: {
    what: wording('What answers at the service’s address takes no questions of this kind.'),
    next: wording('Check its address in the settings.'),
  },
  INTERNAL_SERVER_ERROR: { what: wording('Something broke inside the service.'), next: moment },
  NOT_READY: {
    what: wording('The service is still reading the chain, or has fallen behind.'),
    next: moment,
  },
  RATE_LIMITED: {
    what: wording('The service was asked too often.'),
    next: wording('Prices come back by themselves; a key of your own allows more.'),
  },
  BUSY: { what: wording('Too many others are asking the service.'), next: moment },
  TIMED_OUT: { what: wording('The service found no answer in time.'), next: moment },
  REQUEST_TOO_LARGE: {
    what: wording('The question is longer than the service reads.'),
    next: wording('Name fewer sources in the settings, under Routes.'),
  },
}
