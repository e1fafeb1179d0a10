import { concatHex, encodeFunctionData, type Hex, numberToHex, parseAbi } from 'viem'
import type { Address } from '../../../src/domain/token/token.ts'

// Written from Uniswap's interfaces (swap-router-contracts 1.3.1), independently of src.

export const swapRouterAbi = parseAbi([
  'function exactInput((bytes path, address recipient, uint256 amountIn, uint256 amountOutMinimum) params) payable returns (uint256 amountOut)',
  'function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to) payable returns (uint256 amountOut)',
  'function sweepToken(address token, uint256 amountMinimum, address recipient) payable',
  'function unwrapWETH9(uint256 amountMinimum, address recipient) payable',
  'function refundETH() payable',
  'function selfPermitIfNecessary(address token, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) payable',
  'function selfPermitAllowedIfNecessary(address token, uint256 nonce, uint256 expiry, uint8 v, bytes32 r, bytes32 s) payable',
])

export const multicallAbi = parseAbi([
  'function multicall(uint256 deadline, bytes[] data) payable returns (bytes[])',
])

/** Other functions of the router, which the wallet never uses. */
export const otherRouterAbi = parseAbi([
  'function multicall(bytes[] data) payable returns (bytes[])',
  'function multicall(bytes32 previousBlockhash, bytes[] data) payable returns (bytes[])',
  'function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params) payable returns (uint256)',
  'function exactOutput((bytes path, address recipient, uint256 amountOut, uint256 amountInMaximum) params) payable returns (uint256)',
  'function exactOutputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountOut, uint256 amountInMaximum, uint160 sqrtPriceLimitX96) params) payable returns (uint256)',
  'function swapTokensForExactTokens(uint256 amountOut, uint256 amountInMax, address[] path, address to) payable returns (uint256)',
  'function sweepToken(address token, uint256 amountMinimum) payable',
  'function sweepTokenWithFee(address token, uint256 amountMinimum, address recipient, uint256 feeBips, address feeRecipient) payable',
  'function unwrapWETH9(uint256 amountMinimum) payable',
  'function unwrapWETH9WithFee(uint256 amountMinimum, address recipient, uint256 feeBips, address feeRecipient) payable',
  'function wrapETH(uint256 value) payable',
  'function pull(address token, uint256 value) payable',
  'function selfPermit(address token, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) payable',
  'function selfPermitAllowed(address token, uint256 nonce, uint256 expiry, uint8 v, bytes32 r, bytes32 s) payable',
  'function approveMax(address token) payable',
  'function callPositionManager(bytes data) payable returns (bytes)',
])

/** ADDRESS_THIS of the router's Constants.sol. */
export const toRouter: Address = '0x0000000000000000000000000000000000000002'

/** Tokens with the fees in between. */
export function encodePath(tokens: Address[], fees: number[]): Hex {
  return concatHex(
    tokens.flatMap((token, at) =>
      at === 0 ? [token] : [numberToHex(fees[at - 1] ?? 0, { size: 3 }), token],
    ),
  )
}

type Leg = { tokens: Address[]; to: Address; amount: bigint; min?: bigint }

export function legV3({
  tokens,
  to,
  amount,
  min = 0n,
  fees = tokens.slice(1).map(() => 500),
}: Leg & { fees?: number[] }): Hex {
  const params = { path: encodePath(tokens, fees), recipient: to, amountIn: amount, amountOutMinimum: min }
  return encodeFunctionData({ abi: swapRouterAbi, functionName: 'exactInput', args: [params] })
}

export function legV2({ tokens, to, amount, min = 0n }: Leg): Hex {
  const args = [amount, min, tokens, to] as const
  return encodeFunctionData({ abi: swapRouterAbi, functionName: 'swapExactTokensForTokens', args })
}

export function sweep(token: Address, min: bigint, to: Address): Hex {
  return encodeFunctionData({ abi: swapRouterAbi, functionName: 'sweepToken', args: [token, min, to] })
}

export function unwrap(min: bigint, to: Address): Hex {
  return encodeFunctionData({ abi: swapRouterAbi, functionName: 'unwrapWETH9', args: [min, to] })
}

export function refund(): Hex {
  return encodeFunctionData({ abi: swapRouterAbi, functionName: 'refundETH' })
}

const [v, r, s] = [27, `0x${'11'.repeat(32)}`, `0x${'22'.repeat(32)}`] as const

export function permitEip2612(token: Address, value: bigint): Hex {
  const args = [token, value, 2_000n, v, r, s] as const
  return encodeFunctionData({ abi: swapRouterAbi, functionName: 'selfPermitIfNecessary', args })
}

export function permitDai(token: Address): Hex {
  const args = [token, 3n, 2_000n, v, r, s] as const
  return encodeFunctionData({ abi: swapRouterAbi, functionName: 'selfPermitAllowedIfNecessary', args })
}

export function multicall(calls: readonly Hex[], deadline = 1_900n): Hex {
  return encodeFunctionData({ abi: multicallAbi, functionName: 'multicall', args: [deadline, calls] })
}
