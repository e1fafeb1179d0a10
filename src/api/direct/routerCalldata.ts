import { concatHex, decodeAbiParameters, encodeFunctionData, numberToHex, parseAbiParameters } from 'viem'
import { directAbi, routerItself } from '../../domain/swap/directCall.ts'
import type { Trade } from '../../domain/swap/quote.ts'
import { type Address, type Hex, isNative } from '../../domain/token/token.ts'
import { once } from '../../lib/once.ts'
import { invalidRequest } from '../validateRequest.ts'
import type { Leg } from './chooseSplit.ts'
import type { QuotedPath } from './pathQuoter.ts'

export type RouterCallRequest = {
  trade: Trade
  legs: Leg[]
  minReturn: bigint
  recipient: Address
  /** Seconds since 1970. */
  deadline: bigint
  /** As `SwapOptions.permit`. */
  permit?: Hex | undefined
}

/**
 * Encodes a `multicall` of SwapRouter02. The minimum holds for the sum: several legs, or a bought native
 * token, are collected by the router and paid out together. Unsold native tokens are refunded.
 */
export function encodeRouterCall({
  trade,
  legs,
  minReturn,
  recipient,
  deadline,
  permit,
}: RouterCallRequest): Hex {
  const isCollected = legs.length > 1 || isNative(trade.buy)
  const [to, min] = isCollected ? [routerItself, 0n] : [recipient, minReturn]
  const calls = [
    ...(permit ? [encodePermit(trade.sell, permit)] : []),
    ...legs.flatMap((leg) => encodeLeg(leg, to, min)),
    ...(isCollected ? [encodePayout(trade, minReturn, recipient)] : []),
    ...(isNative(trade.sell) ? [encodeFunctionData({ abi: directAbi(), functionName: 'refundETH' })] : []),
  ]
  return encodeFunctionData({ abi: directAbi(), functionName: 'multicall', args: [deadline, calls] })
}

/** One call per run of hops of the same version. Calls after the first sell all that the router holds. */
function encodeLeg({ path: { tokens, fees }, amount }: Leg, to: Address, min: bigint): Hex[] {
  const starts = fees.flatMap((fee, hop) => (hop > 0 && isV2(fee) === isV2(fees[hop - 1]) ? [] : [hop]))
  return starts.map((start, index) => {
    const end = starts[index + 1] ?? fees.length
    const isLast = end === fees.length
    return encodeHops(
      { tokens: tokens.slice(start, end + 1), fees: fees.slice(start, end) },
      index === 0 ? amount : 0n,
      isLast ? to : routerItself,
      isLast ? min : 0n,
    )
  })
}

function isV2(fee: number | undefined): boolean {
  return fee === 0
}

function encodeHops(
  { tokens, fees }: Pick<QuotedPath, 'tokens' | 'fees'>,
  amount: bigint,
  to: Address,
  min: bigint,
): Hex {
  if (isV2(fees[0])) {
    return encodeFunctionData({
      abi: directAbi(),
      functionName: 'swapExactTokensForTokens',
      args: [amount, min, tokens, to],
    })
  }
  const path = concatHex(
    tokens.flatMap((token, index) => [
      token,
      ...(index < fees.length ? [numberToHex(fees[index] ?? 0, { size: 3 })] : []),
    ]),
  )
  const params = { path, recipient: to, amountIn: amount, amountOutMinimum: min }
  return encodeFunctionData({ abi: directAbi(), functionName: 'exactInput', args: [params] })
}

function encodePayout({ buy }: Trade, minReturn: bigint, recipient: Address): Hex {
  return isNative(buy)
    ? encodeFunctionData({ abi: directAbi(), functionName: 'unwrapWETH9', args: [minReturn, recipient] })
    : encodeFunctionData({ abi: directAbi(), functionName: 'sweepToken', args: [buy, minReturn, recipient] })
}

const eip2612 = once(() =>
  parseAbiParameters(
    'address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s',
  ),
)
const dai = once(() =>
  parseAbiParameters(
    'address owner, address spender, uint256 nonce, uint256 expiry, bool allowed, uint8 v, bytes32 r, bytes32 s',
  ),
)

/** Anyone may have used the permit first, so it is skipped if the allowance suffices. */
function encodePermit(token: Address, permit: Hex): Hex {
  if (permit.length === 2 + 7 * 64) {
    const [, , value, deadline, v, r, s] = decodeAbiParameters(eip2612(), permit)
    const args = [token, value, deadline, v, r, s] as const
    return encodeFunctionData({ abi: directAbi(), functionName: 'selfPermitIfNecessary', args })
  }
  if (permit.length === 2 + 8 * 64) {
    const [, , nonce, expiry, , v, r, s] = decodeAbiParameters(dai(), permit)
    const args = [token, nonce, expiry, v, r, s] as const
    return encodeFunctionData({ abi: directAbi(), functionName: 'selfPermitAllowedIfNecessary', args })
  }
  throw invalidRequest('permit', 'is neither of EIP-2612 nor of DAI')
}
