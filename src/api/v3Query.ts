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

/** The query of `quote`, but for what `excludedProtocols` leaves. Throws `invalid-input` naming the field that breaks a limit. */
export function quoteQuery({ sell, buy, amount }: Trade, options: RouteOptions): Query {
  const { connectorTokens, complexityLevel } = options
  excludedText(options.excludedProtocols)
  return {
    fromTokenAddress: sell,
    toTokenAddress: buy,
    amount,
    ...routeQuery(options),
    // Version 3.0 takes the count of connectors in this parameter.
    ...(typeof connectorTokens === 'number' && {
      connectorTokens: undefined,
      complexityLevel: Math.min(connectorTokens, complexityLevel ?? 2),
    }),
  }
}

/** The query of `swap`, but for its slippage too. Throws `invalid-input` in the same way, and for what 3.0 has no word. */
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

/** A missing approval cannot be imagined here: nothing is tried out at the service then, and the user's own node does it. */
function disabled({ disableEstimate, forceApprove }: SwapOptions): boolean | undefined {
  mapOptional(disableEstimate, (flag) => checkFlag('disableEstimate', flag))
  const isForced = mapOptional(forceApprove, (flag) => checkFlag('forceApprove', flag))
  return isForced ? true : disableEstimate
}
