import { z } from 'zod'
import type { ServiceCode } from '../errors.ts'
import { operation, type Version } from './operation.ts'
import * as parameter from './parameters.ts'
import * as answers from './responses.ts'
import { routeQuery } from './routeQuery.ts'

const quoteQuery = z.object({
  src: parameter.sellToken,
  dst: parameter.buyToken,
  amount: parameter.sellAmount,
  ...routeQuery,
  includeTokensInfo: parameter.includeTokens,
  includeProtocols: parameter.includeRoute,
  includeGas: parameter.includeGas,
  connectorTokens: parameter.connectors.exactOptional(),
  excludedProtocols: parameter.excludedSources.exactOptional(),
})

const swapQuery = quoteQuery.extend({
  from: parameter.payer,
  origin: parameter.origin,
  slippage: parameter.slippage.exactOptional(),
  minReturn: parameter.minReturn.exactOptional(),
  permit: parameter.permit.exactOptional(),
  receiver: parameter.receiver.exactOptional(),
  referrer: parameter.referrer.exactOptional(),
  allowPartialFill: parameter.allowPartialFill,
  compatibility: parameter.compatibility,
  disableEstimate: parameter.disableEstimate,
  usePatching: parameter.usePatching,
  usePermit2: parameter.usePermit2,
  forceApprove: parameter.forceApprove,
  createAccessList: parameter.createAccessList,
})

const malformed: ServiceCode[] = ['REQUIRED_FIELD_MISSING', 'INVALID_NUMBER', 'VALIDATION_FAILED']

export const quote = operation({
  id: 'quote',
  path: '/quote',
  tag: 'Swap',
  summary: 'The best price',
  description:
    'Finds the route that returns most, gas considered, at the newest block. The same question at the same block has ' +
    'the same answer, to the last unit.',
  query: quoteQuery,
  answer: answers.quoteResponse,
  refusals: [...malformed, 'UNKNOWN_TOKEN', 'GAS_PRICE_NOT_ALLOWED', 'INSUFFICIENT_LIQUIDITY'],
  headers: {
    'x-route-bound':
      'How good the route is, proven: no route could return more than `upper`, were gas for nothing, and the answer is at ' +
      'most `gap-bps` hundredths of a percent below that. `over=market`: no route through any pools of the request’s ' +
      'sources between listed tokens, the source and the destination token. `over=candidates`: no route within the ' +
      'request’s own limits, which are `connectorTokens` addresses or a `complexityLevel` of 0 or 1.',
  },
})

export const swap = operation({
  id: 'swap',
  path: '/swap',
  tag: 'Swap',
  summary: 'The transaction that swaps',
  description:
    'Finds the best route and builds the router’s call for it, with the least to be bought inside. The call is tried out ' +
    'at the newest block before it is answered, unless `disableEstimate` is set: what is answered is what arrived there.\n\n' +
    'With `slippage`, a route that does not keep its promise is replaced by a second one. With `minReturn` it is not: ' +
    'the caller asked for that rate and no other. Check the answer against what your user accepts before signing it.',
  query: swapQuery,
  answer: answers.swapResponse,
  refusals: [
    ...quote.refusals,
    'NO_PROTOCOLS',
    'SLIPPAGE_TOO_HIGH',
    'FEE_WITHOUT_REFERRER',
    'PERMIT_NOT_ALLOWED_FOR_NATIVE',
    'FORCE_APPROVE_NOT_SUPPORTED',
    'NOT_ENOUGH_BALANCE',
    'NOT_ENOUGH_ALLOWANCE',
    'ESTIMATION_FAILED',
    'INSUFFICIENT_RETURN',
    'RE_ESTIMATED_RETURN_BELOW_SLIPPAGE',
  ],
})

export const spender = operation({
  id: 'spender',
  path: '/approve/spender',
  tag: 'Approve',
  summary: 'Whom to approve',
  description: 'The router’s address. It pulls what is sold from the caller, and from nobody else.',
  query: z.object({}),
  answer: answers.spenderResponse,
  refusals: [],
})

export const approval = operation({
  id: 'approval',
  path: '/approve/transaction',
  tag: 'Approve',
  summary: 'The transaction that approves',
  description:
    'A call of the token’s `approve` for the router. Some tokens want an approval to be 0 before it is raised. The native ' +
    'coin needs none, and is refused.',
  query: z.object({
    tokenAddress: parameter.approvalToken,
    amount: parameter.approvalAmount.exactOptional(),
  }),
  answer: answers.approvalResponse,
  refusals: [...malformed, 'UNKNOWN_TOKEN'],
})

export const allowance = operation({
  id: 'allowance',
  path: '/approve/allowance',
  tag: 'Approve',
  summary: 'What is approved',
  description: 'What the router may spend of a wallet’s tokens now.',
  query: z.object({ tokenAddress: parameter.approvalToken, walletAddress: parameter.owner }),
  answer: answers.allowanceResponse,
  refusals: ['REQUIRED_FIELD_MISSING', 'VALIDATION_FAILED', 'UNKNOWN_TOKEN'],
})

export const sources = operation({
  id: 'sources',
  path: '/liquidity-sources',
  tag: 'Info',
  summary: 'Where liquidity comes from',
  description: 'The sources that routes are made of. `WETH` is wrapping the native coin.',
  query: z.object({}),
  answer: answers.sourcesResponse,
  refusals: [],
})

export const tokens = operation({
  id: 'tokens',
  path: '/tokens',
  tag: 'Info',
  summary: 'Known tokens',
  description: 'The tokens that are listed here, and the coin. Any other token with pools can be traded too.',
  query: z.object({}),
  answer: answers.tokensResponse,
  refusals: [],
})

export const operations = { quote, swap, spender, approval, allowance, sources, tokens }

export const version: Version = {
  label: 'v6.1',
  title: 'Version 6.1',
  description:
    'Read the allowance, approve where it is too low, poll the quote, ask for the swap, sign it, send it.',
  operations: Object.values(operations),
}
