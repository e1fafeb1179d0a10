import { z } from 'zod'
import { address, amount, gas, logoURI, name, transaction } from './responseTypes.ts'

const legacyToken = name(
  'LegacyToken',
  z.strictObject({
    symbol: z.string(),
    name: z.string(),
    address,
    decimals: z.int().min(0).max(255),
    logoURI,
  }),
)

const legacyTrade = {
  fromToken: legacyToken,
  toToken: legacyToken,
  fromTokenAmount: amount.meta({
    description: 'What is sold, in base units: all of it, a partner fee included.',
  }),
  toTokenAmount: amount.meta({ description: 'What is bought, in base units.' }),
  protocols: z
    .array(
      z.array(
        z.array(
          name(
            'LegacyRouteStep',
            z.strictObject({
              name: z.string().meta({ description: 'Id of a protocol.' }),
              part: z.int().min(1).max(100).meta({ description: 'Percent of the step.' }),
              fromTokenAddress: address,
              toTokenAddress: address,
            }),
          ),
        ),
      ),
    )
    .meta({
      description:
        'Main routes, the largest first; each is a row of steps, each step the pieces that trade one token for ' +
        'the next. The pieces’ parts sum to 100.',
    }),
}

export const legacyQuoteResponse = name(
  'LegacyQuoteResponse',
  z.strictObject({
    ...legacyTrade,
    estimatedGas: gas.meta({ description: 'Estimated. Not a limit to send with.' }),
  }),
)

export const legacySwapResponse = name(
  'LegacySwapResponse',
  z.strictObject({
    ...legacyTrade,
    tx: name(
      'LegacyTransaction',
      z.strictObject({
        ...transaction,
        gas: gas.meta({
          description:
            'The limit to send with. With `disableEstimate` a rough estimate: raise it by a quarter.',
        }),
      }),
    ),
  }),
)

export const legacySourcesResponse = name(
  'LegacyProtocolsResponse',
  z.strictObject({ protocols: z.array(z.string()) }),
)

export const legacyImagesResponse = name(
  'LegacyProtocolImagesResponse',
  z.strictObject({
    protocols: z.array(
      name(
        'LegacyProtocolImage',
        z.strictObject({
          id: z.string(),
          title: z.string(),
          img: z.string().meta({ description: 'A picture, as a `data:` URI; may be empty.' }),
        }),
      ),
    ),
  }),
)
