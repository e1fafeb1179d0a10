import { z } from 'zod'
import * as current from './responses.ts'
import { address, name } from './responseTypes.ts'

const protocols = z
  .array(
    z.array(
      z.array(
        name(
          'SelectedProtocol',
          z.strictObject({
            name: z.string().meta({ description: 'Id of a liquidity source.' }),
            part: z.int().min(1).max(100).meta({ description: 'Percent of the step.' }),
            fromTokenAddress: address,
            toTokenAddress: address,
          }),
        ),
      ),
    ),
  )
  .optional()
  .meta({ description: 'With `includeProtocols`: the route, main routes first, the largest of them first.' })

export const quoteResponse = name('NestedQuoteResponse', current.quoteResponse.extend({ protocols }))

export const swapResponse = name('NestedSwapResponse', current.swapResponse.extend({ protocols }))
