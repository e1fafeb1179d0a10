import { z } from 'zod'
import type { ServiceCode } from '../errors.ts'
import { errorResponses } from './errorResponses.ts'
import { address, amount, gas, hex, logoURI, name, transaction } from './responseTypes.ts'

// Version 6.1

const tokenInfo = name(
  'TokenInfo',
  z.strictObject({
    address,
    symbol: z.string(),
    name: z.string(),
    decimals: z.int().min(0).max(255),
    logoURI,
    domainVersion: z.string().optional(),
    eip2612: z.boolean().optional().meta({ description: 'Knows the permit of EIP-2612.' }),
    isFoT: z.boolean().optional().meta({ description: 'Charges a fee on transfer.' }),
    tags: z.array(z.string()).optional(),
  }),
)

const part = z.number().positive().max(100)

const tokenSwaps = name(
  'TokenSwaps',
  z.strictObject({
    token: address.meta({ description: 'The token that is sold here. The first one is `src`.' }),
    hops: z.array(
      name(
        'TokenHop',
        z.strictObject({
          part: part.meta({ description: 'Percent of the token that goes to `dst`. The hops’ sum is 100.' }),
          dst: address,
          fromTokenId: z.int().min(0).meta({ description: 'Place among the tokens of the route.' }),
          toTokenId: z.int().min(1),
          protocols: z.array(
            name(
              'SelectedLiquiditySource',
              z.strictObject({
                name: z.string().meta({ description: 'Id of a liquidity source.' }),
                part: part.meta({
                  description: 'Percent of the token that goes here. The sum is the hop’s part.',
                }),
              }),
            ),
          ),
        }),
      ),
    ),
  }),
)

const dstAmount = amount.meta({ description: 'What is bought, in base units.' })

const details = {
  srcToken: tokenInfo.optional().meta({ description: 'With `includeTokensInfo`.' }),
  dstToken: tokenInfo.optional().meta({ description: 'With `includeTokensInfo`.' }),
  protocols: z.array(tokenSwaps).optional().meta({
    description: 'With `includeProtocols`: the route, one entry for each token that is sold, from `src` on.',
  }),
}

export const quoteResponse = name(
  'QuoteResponse',
  z.strictObject({
    dstAmount,
    ...details,
    gas: gas.optional().meta({
      description:
        'With `includeGas`: upper estimate of the gas, for pools swapped before and a recipient without the bought token (else 18,200 less). Not a limit to send with.',
    }),
  }),
)

const accessSlots = name(
  'AccessSlotsDto',
  z.strictObject({ address, storageKeys: z.array(z.string().regex(/^0x[0-9a-f]{64}$/)) }),
)

export const swapResponse = name(
  'SwapResponse',
  z.strictObject({
    dstAmount,
    ...details,
    gas: gas.optional().meta({
      description:
        'With `includeGas`: the gas that the swap will use, as simulated. With `disableEstimate` an estimate, within a quarter of the use for pools swapped before. Not a limit to send with.',
    }),
    tx: name(
      'TransactionData',
      z.strictObject({
        ...transaction,
        gas: gas.meta({
          description: 'The limit to send with. With `disableEstimate` estimated, with room.',
        }),
        gasUsed: gas.optional().meta({
          description: 'With `createAccessList`: the gas used with the list, or `gas` where that is empty.',
        }),
        accessList: z
          .array(accessSlots)
          .optional()
          .meta({ description: 'With `createAccessList`: the slots the swap touches; may be empty.' }),
      }),
    ),
  }),
)

export const spenderResponse = name(
  'SpenderResponse',
  z.strictObject({
    address: address.meta({ description: 'The router, which is trusted to spend what is sold.' }),
  }),
)

export const approvalResponse = name(
  'ApproveCallDataResponse',
  z.strictObject({
    data: hex.meta({ description: 'Call of the token’s `approve`.' }),
    gasPrice: amount.meta({ description: 'The network’s fast price, in wei.' }),
    to: address.meta({ description: 'The token.' }),
    value: z.literal('0'),
  }),
)

export const allowanceResponse = name(
  'AllowanceResponse',
  z.strictObject({
    allowance: amount.meta({
      description: 'What the router may spend, in base units; 2^256-1 for the coin.',
    }),
  }),
)

export const sourcesResponse = name(
  'ProtocolsResponse',
  z.strictObject({
    protocols: z.array(
      name(
        'ProtocolImage',
        z.strictObject({
          id: z.string(),
          title: z.string(),
          img: z.string().meta({ description: 'A picture, as a `data:` URI.' }),
          img_color: z.string().meta({ description: 'The picture in colour.' }),
        }),
      ),
    ),
  }),
)

export const tokensResponse = name(
  'TokensResponse',
  z.strictObject({
    tokens: z.record(address, tokenInfo).meta({ description: 'The tokens by their addresses.' }),
  }),
)

// All versions

const codes = Object.keys(errorResponses) as [ServiceCode, ...ServiceCode[]]

export const errorResponse = name(
  'Error',
  z.strictObject({
    error: z.string().meta({ description: 'The status in words.' }),
    description: z.string().meta({ description: 'What is wrong, for people.' }),
    statusCode: z.int().min(400).max(599),
    code: z.enum(codes).meta({ description: 'What is wrong, for programs.' }),
    requestId: z.string().meta({ description: 'The request’s `request-id`, or one made for it.' }),
    meta: z
      .array(name('ErrorMeta', z.strictObject({ type: z.string(), value: z.string() })))
      .nullable()
      .meta({ description: 'The numbers behind the description.' }),
  }),
)
