import type { Trade } from '../domain/swap/quote.ts'
import type { RouteOptions } from '../domain/swap/routeOptions.ts'
import type { SwapOptions } from './client.ts'
import type { Query } from './http.ts'
import { excludedText, routeQuery } from './routeQuery.ts'
import {
  checkAddress,
  checkAmount,
  checkCombination,
  checkFlag,
  checkSlippage,
  invalidRequest,
  mapOptional,
} from './validateRequest.ts'

/** Returns the query without `excludedProtocols`. Throws `invalid-input` with the field. */
export function quoteQuery({ sell, buy, amount }: Trade, options: RouteOptions): Query {
  const { connectorTokens, complexityLevel } = options
  excludedText(options.excludedProtocols)
  return {
    fromTokenAddress: sell,
    toTokenAddress: buy,
    amount,
    ...routeQuery(options),
    ...(typeof connectorTokens === 'number' && {
      connectorTokens: undefined,
      complexityLevel: Math.min(connectorTokens, complexityLevel ?? 2),
    }),
  }
}

/** Returns the query without slippage. Throws `invalid-input`, also for options 3.0 lacks. */
export function swapQuery(trade: Trade, options: SwapOptions): Query {
  checkCombination(options)
  mapOptional(options.slippageBps, checkSlippage)
  mapOptional(options.leastReturn, (least) => checkAmount('leastReturn', least, 1n))
  checkAddress('origin', options.origin)
  for (const field of ['permit', 'usePermit2'] as const) {
    if (options[field]) throw invalidRequest(field, 'cannot be said in version 3.0 of the interface')
  }
  for (const field of ['compatibility', 'createAccessList'] as const) {
    mapOptional(options[field], (flag) => checkFlag(field, flag))
  }
  return {
    ...quoteQuery(trade, options),
    fromAddress: checkAddress('from', options.from),
    destReceiver: mapOptional(options.receiver, (address) => checkAddress('receiver', address)),
    referrerAddress: mapOptional(options.referrer, (address) => checkAddress('referrer', address)),
    allowPartialFill: mapOptional(options.allowPartialFill, (flag) => checkFlag('allowPartialFill', flag)),
    disableEstimate: disabled(options),
  }
}

/** 3.0 cannot simulate without the approval; the wallet's RPC does. */
function disabled({ disableEstimate, forceApprove }: SwapOptions): boolean | undefined {
  mapOptional(disableEstimate, (flag) => checkFlag('disableEstimate', flag))
  const isForced = mapOptional(forceApprove, (flag) => checkFlag('forceApprove', flag))
  return isForced ? true : disableEstimate
}
