import type { Trade } from '../domain/swap/quote.ts'
import type { RouteOptions } from '../domain/swap/routeOptions.ts'
import { formatExact } from '../domain/token/amount.ts'
import { type Hex, isNative } from '../domain/token/token.ts'
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

const includes = { includeTokensInfo: true, includeProtocols: true, includeGas: true }

/** Throws `invalid-input` with the field. */
export function quoteQuery({ sell, buy, amount }: Trade, options: RouteOptions): Query {
  return {
    src: sell,
    dst: buy,
    amount,
    ...routeQuery(options),
    excludedProtocols: excludedText(options.excludedProtocols),
    ...includes,
  }
}

/** Throws `invalid-input` with the field. */
export function swapQuery(trade: Trade, options: SwapOptions): Query {
  checkCombination(options)
  if (options.permit !== undefined && isNative(trade.sell)) {
    throw invalidRequest('permit', 'has no meaning for the network’s own coin')
  }
  return {
    ...quoteQuery(trade, options),
    from: checkAddress('from', options.from),
    origin: checkAddress('origin', options.origin),
    slippage: mapOptional(options.slippageBps, (bps) => formatExact(BigInt(checkSlippage(bps)), 2)),
    minReturn: mapOptional(options.leastReturn, (least) => checkAmount('leastReturn', least, 1n)),
    permit: mapOptional(options.permit, (permit) => checkPermit(permit, options.usePermit2)),
    receiver: mapOptional(options.receiver, (address) => checkAddress('receiver', address)),
    referrer: mapOptional(options.referrer, (address) => checkAddress('referrer', address)),
    allowPartialFill: mapOptional(options.allowPartialFill, (flag) => checkFlag('allowPartialFill', flag)),
    compatibility: mapOptional(options.compatibility, (flag) => checkFlag('compatibility', flag)),
    disableEstimate: mapOptional(options.disableEstimate, (flag) => checkFlag('disableEstimate', flag)),
    usePermit2: mapOptional(options.usePermit2, (flag) => checkFlag('usePermit2', flag)),
    forceApprove: mapOptional(options.forceApprove, (flag) => checkFlag('forceApprove', flag)),
    createAccessList: mapOptional(options.createAccessList, (flag) => checkFlag('createAccessList', flag)),
  }
}

/** EIP-2612: 7 words, DAI: 8, Permit2: 12. */
function checkPermit(permit: Hex, usePermit2 = false): Hex {
  const words = /^0x([0-9a-fA-F]{64})+$/.test(permit) ? (permit.length - 2) / 64 : 0
  const isFitting = usePermit2 ? words === 12 : words === 7 || words === 8
  if (!isFitting)
    throw invalidRequest('permit', `must be ${usePermit2 ? 'twelve' : 'seven or eight'} words of hex`)
  return permit
}
