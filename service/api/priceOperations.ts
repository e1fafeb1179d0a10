import { z } from 'zod'
import { operation, type Version } from './operation.ts'
import * as parameter from './parameters.ts'
import { address, name } from './responseTypes.ts'

export const prices = operation({
  id: 'prices',
  path: '',
  tag: 'Info',
  summary: 'Prices of all listed tokens',
  description:
    'Mid prices of the pools at the newest block, in the chain’s main stablecoins. A token has none where 1,000 dollars ' +
    'would move the price of its deepest pool by more than 5 %. The answer is the same whoever asks: it does not tell ' +
    'which tokens are held.',
  query: z.object({ currency: parameter.currency }),
  answer: name(
    'PricesResponse',
    z.record(
      address,
      z
        .string()
        .regex(/^\d+(\.\d*[1-9])?$/)
        .meta({ description: 'US dollars of a whole token, a decimal number without exponent.' }),
    ),
  ),
  refusals: ['REQUIRED_FIELD_MISSING', 'VALIDATION_FAILED'],
})

export const version: Version = {
  label: 'price/v1.1',
  title: 'Prices',
  description:
    'Beyond the interface’s document: one request a minute tells a wallet what its tokens are worth.',
  operations: [prices],
}
