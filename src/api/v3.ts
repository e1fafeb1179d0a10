import type * as v from 'valibot'
import { priceBelowMinReturn } from '../domain/swap/belowMinReturn.ts'
import type { Quote, SwapTransaction, Trade } from '../domain/swap/quote.ts'
import type { RouteOptions } from '../domain/swap/routeOptions.ts'
import { formatExact } from '../domain/token/amount.ts'
import { WalletError } from '../errors.ts'
import type { SwapApi } from './client.ts'
import type { Http, Query } from './http.ts'
import { parseRouteBound } from './routeBound.ts'
import { spenderResponse } from './schemas.ts'
import { quoteQuery, swapQuery } from './v3Query.ts'
import { readRoute } from './v3Route.ts'
import * as answers from './v3Schemas.ts'
import { checkTrade } from './validateRequest.ts'
import { requireNonZero, requireSameTrade } from './validateResponse.ts'

/** Creates a client of version 3.0, with the limits of 6.1. */
export function v3(http: Http, chainId: number): SwapApi {
  const root = `/v3.0/${chainId}`

  async function getQuote(asked: Trade, query: Query, signal?: AbortSignal): Promise<Quote> {
    const operation = `${root}/quote`
    const { body, routeBound } = await http.getWithBound(operation, query, answers.quoteResponse, signal)
    const offer = readOffer(operation, body, asked)
    const gapBps = parseRouteBound(routeBound, offer.returns)
    return { trade: asked, gas: body.estimatedGas, ...offer, ...(gapBps !== undefined && { gapBps }) }
  }

  async function getSwap(asked: Trade, query: Query): Promise<SwapTransaction> {
    const operation = `${root}/swap`
    const answer = await http.get(operation, query, answers.swapResponse)
    const { gasPrice: _notOurs, gas, ...transaction } = answer.tx
    // "Rough estimate; increase by about 25% before use" (service-interface, Legacy interface).
    return {
      trade: asked,
      ...transaction,
      gas: (gas * 5n) / 4n,
      ...readOffer(operation, answer, asked),
    }
  }

  /** 3.0 can only list allowed sources. */
  async function allowed(options: RouteOptions, signal?: AbortSignal): Promise<string | undefined> {
    const { protocols, excludedProtocols = [] } = options
    if (excludedProtocols.length === 0) return protocols?.join(',')
    const all =
      protocols ?? (await http.get(`${root}/protocols`, {}, answers.protocolsResponse, signal)).protocols
    const left = all.filter((id) => !excludedProtocols.includes(id))
    if (left.length > 0) return left.join(',')
    throw new WalletError('no-route', 'No liquidity source is left: all of them are excluded.')
  }

  return {
    permitKinds: [],

    async quote(trade, options = {}, signal) {
      const asked = checkTrade(trade, chainId)
      const query = quoteQuery(asked, options)
      const protocols = await allowed(options, signal)
      return { ...(await getQuote(asked, { ...query, protocols }, signal)), trade }
    },

    async swap(trade, options) {
      const asked = checkTrade(trade, chainId)
      const query = swapQuery(asked, options)
      const protocols = await allowed(options)
      async function ask(slippage: string): Promise<SwapTransaction> {
        return { ...(await getSwap(asked, { ...query, protocols, slippage })), trade }
      }

      const { slippageBps, leastReturn } = options
      if (leastReturn === undefined) return ask(formatExact(BigInt(slippageBps), 2))
      const { returns } = await getQuote(asked, { ...quoteQuery(asked, options), protocols })
      return swapWithMinReturn(leastReturn, returns, ask)
    },

    async spender(signal) {
      const { address } = await http.get(`${root}/approve/spender`, {}, spenderResponse, signal)
      return address
    },

    async sources() {
      const { protocols } = await http.get(`${root}/protocols/images`, {}, answers.imagesResponse)
      return protocols
    },

    async tokens() {
      return []
    },
  }
}

type Offer = Omit<v.InferOutput<typeof answers.quoteResponse>, 'estimatedGas'>

function readOffer(operation: string, answer: Offer, asked: Trade) {
  requireSameTrade(operation, ['fromToken', answer.fromToken.address], asked.sell)
  requireSameTrade(operation, ['toToken', answer.toToken.address], asked.buy)
  requireSameTrade(operation, ['fromTokenAmount', answer.fromTokenAmount], asked.amount)
  return {
    returns: requireNonZero(answer.toTokenAmount, asked),
    route: readRoute(answer.protocols, asked.sell),
  }
}

const whole = 1_000_000n
const maxSlippage = whole / 2n
const tries = 3

/**
 * Requests the largest slippage that leaves `least` of `returns`, and retries if the swap returns less than
 * quoted. Throws `below-floor`.
 */
export async function swapWithMinReturn(
  least: bigint,
  returns: bigint,
  ask: (slippage: string) => Promise<SwapTransaction>,
): Promise<SwapTransaction> {
  let returned = returns
  for (let tried = 0; tried < tries && returned >= least; tried++) {
    const slippage = slippageFor(least, returned)
    const swap = await ask(formatExact(slippage, 4))
    if ((swap.returns * (whole - slippage)) / whole >= least) return swap
    returned = swap.returns
  }
  throw priceBelowMinReturn('The swap would return', returned, least, 'asked for')
}

/** Millionths: four decimals of a percent. */
function slippageFor(least: bigint, returns: bigint): bigint {
  const slippage = whole - (least * whole + returns - 1n) / returns
  return slippage < maxSlippage ? slippage : maxSlippage
}
