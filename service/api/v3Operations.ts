import { z } from 'zod'
import { operation, type Version } from './operation.ts'
import * as parameter from './parameters.ts'
import { approvalResponse } from './responses.ts'
import { routeQuery } from './routeQuery.ts'
import * as answers from './v3Responses.ts'
import * as current from './v6Operations.ts'

const minutes = 60

const quoteQuery = z.object({
  fromTokenAddress: parameter.sellToken,
  toTokenAddress: parameter.buyToken,
  amount: parameter.sellAmount,
  ...routeQuery,
  complexityLevel: parameter.complexityText,
  parts: parameter.manyParts,
  mainRouteParts: parameter.manyMainRouteParts,
  connectorTokens: parameter.connectorList.exactOptional(),
})

const swapQuery = quoteQuery.extend({
  fromAddress: parameter.payer,
  slippage: parameter.slippage,
  destReceiver: parameter.receiver.exactOptional(),
  referrerAddress: parameter.referrer.exactOptional(),
  burnChi: parameter.burnChi,
  allowPartialFill: parameter.allowPartialFill,
  disableEstimate: parameter.disableEstimate,
})

export const quote = operation({
  id: 'legacyQuote',
  path: '/quote',
  tag: 'Swap',
  summary: 'The best price',
  description: 'What version 6.1 quotes, with both tokens and the route always in the answer.',
  query: quoteQuery,
  answer: answers.legacyQuoteResponse,
  refusals: current.quote.refusals,
  headers: current.quote.headers ?? {},
  maxAge: 3,
})

export const swap = operation({
  id: 'legacySwap',
  path: '/swap',
  tag: 'Swap',
  summary: 'The transaction that swaps',
  description:
    'The swap of version 6.1 in the words of 3.0: always with a slippage, and tried out at the newest block unless ' +
    '`disableEstimate` is set.\n\n' +
    'There are no permits here, and no `compatibility`: a token that charges a fee on transfer is ESTIMATION_FAILED, and ' +
    'the description says so. With `disableEstimate` nobody looks. Version 6.1 swaps such tokens.',
  query: swapQuery,
  answer: answers.legacySwapResponse,
  refusals: [
    ...quote.refusals,
    'NO_PROTOCOLS',
    'SLIPPAGE_TOO_HIGH',
    'FEE_WITHOUT_REFERRER',
    'NOT_ENOUGH_BALANCE',
    'NOT_ENOUGH_ALLOWANCE',
    'ESTIMATION_FAILED',
    'RE_ESTIMATED_RETURN_BELOW_SLIPPAGE',
  ],
  maxAge: 3,
})

export const spender = operation({
  ...current.spender,
  id: 'legacySpender',
  maxAge: 5 * minutes,
})

export const approval = operation({
  id: 'legacyApproval',
  path: '/approve/calldata',
  tag: 'Approve',
  summary: 'The transaction that approves',
  description: `${current.approval.description} Exactly one of \`amount\` and \`infinity\` is needed.`,
  query: z.object({
    tokenAddress: parameter.approvalToken,
    amount: parameter.exactApproval.exactOptional(),
    infinity: parameter.infinity.exactOptional(),
  }),
  answer: approvalResponse,
  refusals: current.approval.refusals,
  maxAge: 5 * minutes,
})

export const protocols = operation({
  id: 'legacyProtocols',
  path: '/protocols',
  tag: 'Info',
  summary: 'Where liquidity comes from',
  description: 'The ids of the protocols that routes are made of. `WETH` is wrapping the native coin.',
  query: z.object({}),
  answer: answers.legacySourcesResponse,
  refusals: [],
  maxAge: 5 * minutes,
})

export const images = operation({
  id: 'legacyImages',
  path: '/protocols/images',
  tag: 'Info',
  summary: 'Titles and pictures of the protocols',
  description: 'Pictures are `data:` URIs, so that they need no host.',
  query: z.object({}),
  answer: answers.legacyImagesResponse,
  refusals: [],
  maxAge: 5 * minutes,
})

export const image = operation({
  ...images,
  id: 'legacyImage',
  path: '/protocols/images/{id}',
  segments: { id: 'Id of a protocol, in exact case. Another is NOT_FOUND.' },
  summary: 'Title and picture of one protocol',
  description: 'The same list, with this one alone.',
  refusals: ['NOT_FOUND'],
})

export const version: Version = {
  label: 'v3.0',
  title: 'Version 3.0',
  description:
    'The words of older clients, answered by the same routes and checks. A route here uses at most two connector tokens in ' +
    'all, unless `complexityLevel` says otherwise. Web pages may ask: every answer, errors ' +
    'too, is open to any origin. What is answered may be kept for as long as `cache-control` says; errors are not kept.',
  operations: [quote, swap, spender, approval, protocols, images, image],
}
