import type * as v from 'valibot'
import { parseOrUndefined } from '../domain/parseOrUndefined.ts'
import type { Trade } from '../domain/swap/quote.ts'
import type { Address, Token } from '../domain/token/token.ts'
import { parseAddress } from '../domain/token/token.ts'
import { WalletError } from '../errors.ts'
import type { SwapApi } from './client.ts'
import type { Http } from './http.ts'
import { parseRouteBound } from './routeBound.ts'
import { spenderResponse } from './schemas.ts'
import { quoteQuery, swapQuery } from './v6Query.ts'
import * as answers from './v6Schemas.ts'
import { checkTrade } from './validateRequest.ts'
import { requireNonZero, requireSameTrade } from './validateResponse.ts'

/** Creates a client of version 6.1. */
export function v6(http: Http, chainId: number): SwapApi {
  const root = `/v6.1/${chainId}`
  return {
    permitKinds: ['permit', 'permit2'],

    async quote(trade, options = {}, signal) {
      const asked = checkTrade(trade, chainId)
      const operation = `${root}/quote`
      const query = quoteQuery(asked, options)
      const { body, routeBound } = await http.getWithBound(operation, query, answers.quoteResponse, signal)
      const returns = readReturns(operation, body, asked)
      const gapBps = parseRouteBound(routeBound, returns)
      return {
        trade,
        returns,
        gas: body.gas,
        route: body.protocols,
        ...(gapBps !== undefined && { gapBps }),
      }
    },

    async swap(trade, options) {
      const asked = checkTrade(trade, chainId)
      const operation = `${root}/swap`
      const answer = await http.get(operation, swapQuery(asked, options), answers.swapResponse)
      const { gasPrice: _notOurs, ...transaction } = answer.tx
      const returns = readReturns(operation, answer, asked)
      return { trade, returns, ...transaction, route: answer.protocols ?? [] }
    },

    async spender(signal) {
      const { address } = await http.get(`${root}/approve/spender`, {}, spenderResponse, signal)
      return address
    },

    async sources() {
      const { protocols } = await http.get(`${root}/liquidity-sources`, {}, answers.sourcesResponse)
      return protocols
    },

    async tokens() {
      const { tokens } = await http.get(`${root}/tokens`, {}, answers.tokensResponse)
      return readTokens(tokens, `${root}/tokens`)
    },
  }
}

type Offer = Pick<v.InferOutput<typeof answers.quoteResponse>, 'dstAmount' | 'srcToken' | 'dstToken'>

function readReturns(operation: string, { dstAmount, srcToken, dstToken }: Offer, asked: Trade): bigint {
  if (srcToken) requireSameTrade(operation, ['srcToken', srcToken.address], asked.sell)
  if (dstToken) requireSameTrade(operation, ['dstToken', dstToken.address], asked.buy)
  return requireNonZero(dstAmount, asked)
}

/** Omits invalid entries, unless all are. */
function readTokens(entries: Record<string, unknown>, operation: string): Token[] {
  const tokens = new Map<Address, Token>()
  for (const [key, entry] of Object.entries(entries)) {
    const token = parseOrUndefined(answers.tokenResponse, entry)
    if (token !== undefined && parseAddress(key) === token.address) tokens.set(token.address, token)
  }
  if (tokens.size === 0 && Object.keys(entries).length > 0) {
    throw new WalletError(
      'service-garbled',
      `The swap service answered ${operation} without a single token.`,
      {
        operation,
        field: 'tokens',
      },
    )
  }
  return [...tokens.values()]
}
