import type { Sentence } from './errorWords.ts'

const moment = 'Try again in a moment.'

/** Why the service says no, by its own code (`facts.serviceCode`). */
export const serviceSentences: Record<string, Sentence> = {
  INSUFFICIENT_LIQUIDITY: {
    what: 'No pool has enough for this swap.',
    next: 'Try a smaller amount or another token.',
  },
  NO_PROTOCOLS: {
    what: 'Every source that could do this swap is left out.',
    next: 'Allow some again in the options of this swap or in the settings.',
  },
  UNKNOWN_TOKEN: {
    what: 'The service finds no token at one of these addresses.',
    next: 'Choose another token.',
  },
  NOT_ENOUGH_BALANCE: {
    what: 'The service sees less in this account than you want to sell.',
    next: 'Enter a smaller amount, or wait until what you were sent is in a block.',
  },
  NOT_ENOUGH_ALLOWANCE: {
    what: 'The service sees no permission for this amount yet.',
    next: 'Review again: the permission comes first.',
  },
  ESTIMATION_FAILED: {
    what: 'The service tried the swap out, and it failed.',
    next: 'Try a smaller amount, more slippage or another token.',
  },
  INSUFFICIENT_RETURN: {
    what: 'The best route returns less than the least that was to arrive.',
    next: 'Nothing was swapped. Accept less, or wait for a better price.',
  },
  RE_ESTIMATED_RETURN_BELOW_SLIPPAGE: {
    what: 'The price moves faster than your slippage allows.',
    next: 'Review again, or allow a little more.',
  },
  GAS_PRICE_NOT_ALLOWED: {
    what: 'The service takes no gas price like this one.',
    next: 'Correct or empty it in the settings, under Routes.',
  },
  SLIPPAGE_TOO_HIGH: { what: 'The service allows no slippage as high as this.', next: 'Choose a lower one.' },
  FEE_WITHOUT_REFERRER: {
    what: 'There is a partner fee, and nobody named who gets it.',
    next: 'Name the referrer in the settings, under Routes, or take the fee away.',
  },
  PERMIT_NOT_ALLOWED_FOR_NATIVE: {
    what: 'The network’s own coin needs no permission, and one was sent along.',
    next: 'Review again.',
  },
  FORCE_APPROVE_NOT_SUPPORTED: {
    what: 'The service cannot try this token out before it is approved.',
    next: 'Approve it first, then review again.',
  },
  VALIDATION_FAILED: {
    what: 'The service finds something wrong with the question.',
    next: 'Look at the amount, the tokens and the settings under Routes.',
  },
  REQUIRED_FIELD_MISSING: {
    what: 'The service misses a part of the question.',
    next: 'Check its interface version in the settings.',
  },
  INVALID_NUMBER: {
    what: 'The service cannot read a number in the question.',
    next: 'Check the amount and the numbers under Routes in the settings.',
  },
  FORBIDDEN: {
    what: 'The service wants a key, and takes none that it was given.',
    next: 'Check the service key in the settings.',
  },
  NOT_FOUND: {
    what: 'The service knows no such page, or serves another network.',
    next: 'Check its address and interface version in the settings.',
  },
  METHOD_NOT_ALLOWED: {
    what: 'What answers at the service’s address takes no questions of this kind.',
    next: 'Check its address in the settings.',
  },
  INTERNAL_SERVER_ERROR: { what: 'Something broke inside the service.', next: moment },
  NOT_READY: {
    what: 'The service is still reading the chain, or has fallen behind.',
    next: moment,
  },
  RATE_LIMITED: {
    what: 'The service was asked too often.',
    next: 'Prices come back by themselves; a key of your own allows more.',
  },
  BUSY: { what: 'Too many others are asking the service.', next: moment },
  TIMED_OUT: { what: 'The service found no answer in time.', next: moment },
  REQUEST_TOO_LARGE: {
    what: 'The question is longer than the service reads.',
    next: 'Name fewer sources in the settings, under Routes.',
  },
}
