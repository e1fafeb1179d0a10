import { bundleDecoders } from '../abi/routers/routerBundles.ts'
import { nativeOr, newReceiver, parsePathEnds } from '../abi/routers/routerTerms.ts'
import { readOwnRoute } from '../swap/ownRoute.ts'
import { type Address, type Hex, nativeTokenAddress, zeroAddress } from '../token/token.ts'
import type { DecodedTokenCall } from './decodedCall.ts'
import { type CallContext, type CallDecoder, defineDecoder, toLower } from './decoder.ts'

export function swapDecoders(): CallDecoder[] {
  const [v2, v3] = [v2Readers(), v3Readers()]
  return [...aggregationReaders(), ...v2, ...v3, ...bundleDecoders([...v2, ...v3])]
}

function aggregationReaders(): CallDecoder[] {
  const pools = (count: number) => ['dex', 'dex2', 'dex3'].slice(0, count).map((dex) => `uint256 ${dex}`)
  const unoswap = (count: 1 | 2 | 3) => {
    const number = count === 1 ? '' : String(count)
    const dexes = pools(count).join(', ')
    return [
      anyReader(
        `function unoswap${number}(uint256, uint256, uint256, ${dexes})`,
        ([token, amount, floor], on) => oneWay(on, token, amount, floor),
      ),
      anyReader(
        `function unoswapTo${number}(uint256, uint256, uint256, uint256, ${dexes})`,
        ([to, token, amount, floor], on) => oneWay(on, token, amount, floor, to),
      ),
      anyReader(`function ethUnoswap${number}(uint256, ${dexes}) payable`, ([floor], on) =>
        oneWay(on, BigInt(nativeTokenAddress), on.value, floor),
      ),
      anyReader(`function ethUnoswapTo${number}(uint256, uint256, ${dexes}) payable`, ([to, floor], on) =>
        oneWay(on, BigInt(nativeTokenAddress), on.value, floor, to),
      ),
    ]
  }
  return [
    defineDecoder(
      'function swap(address executor, (address srcToken, address dstToken, address srcReceiver, address dstReceiver, uint256 amount, uint256 minReturnAmount, uint256 flags) desc, bytes data) payable',
      ([executor, desc, data], { to: router, value, account }) => {
        // Such a router is ours or alike: its route names the fee recipient.
        const isOwn = toLower(executor) === router
        const route = isOwn ? readOwnRoute(data) : undefined
        if (isOwn && route === undefined) return undefined
        const receiver = toLower(desc.dstReceiver)
        return {
          kind: 'swap',
          router,
          sell: nativeOr(desc.srcToken),
          buy: nativeOr(desc.dstToken),
          amount: desc.amount,
          floor: desc.minReturnAmount,
          receiver: receiver === zeroAddress ? account : receiver,
          value,
          flags: desc.flags,
          ...(route?.fee && { fee: route.fee }),
        }
      },
    ),
    ...unoswap(1),
    ...unoswap(2),
    ...unoswap(3),
  ]
}

function anyReader(
  signature: string,
  words: (args: [bigint, bigint, bigint, bigint], on: CallContext) => DecodedTokenCall | undefined,
): CallDecoder {
  return defineDecoder(
    signature as string,
    words as (args: never, on: CallContext) => DecodedTokenCall | undefined,
  )
}

function oneWay(
  { to: router, value, account }: CallContext,
  token: bigint,
  amount: bigint,
  floor: bigint,
  to?: bigint,
): DecodedTokenCall | undefined {
  const sell = readWord(token)
  const receiver = to === undefined ? account : readWord(to)
  if (sell === undefined || receiver === undefined) return undefined
  return { kind: 'swap', router, sell, amount, floor, receiver, value }
}

/** Undefined if upper bytes are set. */
function readWord(word: bigint): Address | undefined {
  return word < 2n ** 160n ? `0x${word.toString(16).padStart(40, '0')}` : undefined
}

function v2Readers(): CallDecoder[] {
  const swap = (
    { to: router, value }: CallContext,
    path: readonly string[],
    [amount, floor]: [bigint, bigint],
    receiver: string,
    coin: 'sell' | 'buy' | 'neither',
  ): DecodedTokenCall | undefined => {
    const [first, last] = [path.at(0), path.at(-1)]
    if (first === undefined || last === undefined || path.length < 2) return undefined
    return {
      kind: 'swap',
      router,
      sell: coin === 'sell' ? nativeTokenAddress : toLower(first),
      buy: coin === 'buy' ? nativeTokenAddress : toLower(last),
      amount,
      floor,
      receiver: toLower(receiver),
      value,
    }
  }
  const payable = (on: CallContext, path: readonly string[], amounts: [bigint, bigint], to: string) => {
    const words = swap(on, path, amounts, newReceiver(to, on), 'neither')
    return words?.kind === 'swap' ? { ...words, ...soldBy(on, words.sell, words.amount) } : undefined
  }
  const tokensForTokens = (name: string) =>
    defineDecoder(
      `function ${name}(uint256, uint256, address[], address, uint256)` as 'function swapExactTokensForTokens(uint256, uint256, address[], address, uint256)',
      ([amount, floor, path, to], on) =>
        swap(on, path, [amount, floor], to, name.includes('ForETH') ? 'buy' : 'neither'),
    )
  const coinForTokens = (name: string) =>
    defineDecoder(
      `function ${name}(uint256, address[], address, uint256) payable` as 'function swapExactETHForTokens(uint256, address[], address, uint256) payable',
      ([floor, path, to], on) => swap(on, path, [on.value, floor], to, 'sell'),
    )
  // Exact out: amounts in reverse order.
  const tokensForExact = (name: string) =>
    defineDecoder(
      `function ${name}(uint256, uint256, address[], address, uint256)` as 'function swapTokensForExactTokens(uint256, uint256, address[], address, uint256)',
      ([bought, most, path, to], on) =>
        swap(on, path, [most, bought], to, name.includes('ExactETH') ? 'buy' : 'neither'),
    )
  return [
    tokensForTokens('swapExactTokensForTokens'),
    tokensForTokens('swapExactTokensForTokensSupportingFeeOnTransferTokens'),
    tokensForTokens('swapExactTokensForETH'),
    tokensForTokens('swapExactTokensForETHSupportingFeeOnTransferTokens'),
    coinForTokens('swapExactETHForTokens'),
    coinForTokens('swapExactETHForTokensSupportingFeeOnTransferTokens'),
    coinForTokens('swapETHForExactTokens'),
    tokensForExact('swapTokensForExactTokens'),
    tokensForExact('swapTokensForExactETH'),
    defineDecoder(
      'function swapExactTokensForTokens(uint256, uint256, address[], address) payable',
      ([amount, floor, path, to], on) => payable(on, path, [amount, floor], to),
    ),
    defineDecoder(
      'function swapTokensForExactTokens(uint256, uint256, address[], address) payable',
      ([bought, most, path, to], on) => payable(on, path, [most, bought], to),
    ),
  ]
}

/** SwapRouter has a deadline, SwapRouter02 none. */
function v3Readers(): CallDecoder[] {
  type Single = {
    tokenIn: string
    tokenOut: string
    recipient: string
    amountIn: bigint
    amountOutMinimum: bigint
  }
  const swap = (
    on: CallContext,
    { tokenIn, tokenOut, amountIn, amountOutMinimum }: Omit<Single, 'recipient'>,
    receiver: Address,
  ): DecodedTokenCall => ({
    kind: 'swap',
    router: on.to,
    ...soldBy(on, tokenIn, amountIn),
    buy: toLower(tokenOut),
    floor: amountOutMinimum,
    receiver,
    value: on.value,
  })
  type Along = { path: Hex; recipient: string; amountIn: bigint; amountOutMinimum: bigint }
  const along = (on: CallContext, params: Along, receiver: Address): DecodedTokenCall | undefined => {
    const ends = parsePathEnds(params.path)
    return ends && swap(on, { ...params, ...ends }, receiver)
  }
  type ExactOut = { amountOut: bigint; amountInMaximum: bigint }
  const exactOut = (
    on: CallContext,
    { amountOut, amountInMaximum, ...ends }: ExactOut & Pick<Single, 'tokenIn' | 'tokenOut'>,
    receiver: Address,
  ) => swap(on, { ...ends, amountIn: amountInMaximum, amountOutMinimum: amountOut }, receiver)
  const exactOutAlong = (
    on: CallContext,
    params: ExactOut & { path: Hex },
    receiver: Address,
  ): DecodedTokenCall | undefined => {
    const ends = parsePathEnds(params.path)
    return ends && exactOut(on, { ...params, tokenIn: ends.tokenOut, tokenOut: ends.tokenIn }, receiver)
  }
  return [
    defineDecoder(
      'function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params) payable',
      ([params], on) => swap(on, params, oldReceiver(params.recipient, on)),
    ),
    defineDecoder(
      'function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params) payable',
      ([params], on) => swap(on, params, newReceiver(params.recipient, on)),
    ),
    defineDecoder(
      'function exactInput((bytes path, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum) params) payable',
      ([params], on) => along(on, params, oldReceiver(params.recipient, on)),
    ),
    defineDecoder(
      'function exactInput((bytes path, address recipient, uint256 amountIn, uint256 amountOutMinimum) params) payable',
      ([params], on) => along(on, params, newReceiver(params.recipient, on)),
    ),
    // Exact out: a path begins with the bought token.
    defineDecoder(
      'function exactOutputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 deadline, uint256 amountOut, uint256 amountInMaximum, uint160 sqrtPriceLimitX96) params) payable',
      ([params], on) => exactOut(on, params, oldReceiver(params.recipient, on)),
    ),
    defineDecoder(
      'function exactOutputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountOut, uint256 amountInMaximum, uint160 sqrtPriceLimitX96) params) payable',
      ([params], on) => exactOut(on, params, newReceiver(params.recipient, on)),
    ),
    defineDecoder(
      'function exactOutput((bytes path, address recipient, uint256 deadline, uint256 amountOut, uint256 amountInMaximum) params) payable',
      ([params], on) => exactOutAlong(on, params, oldReceiver(params.recipient, on)),
    ),
    defineDecoder(
      'function exactOutput((bytes path, address recipient, uint256 amountOut, uint256 amountInMaximum) params) payable',
      ([params], on) => exactOutAlong(on, params, newReceiver(params.recipient, on)),
    ),
  ]
}

/** SwapRouter.sol: the zero address is the router itself. */
function oldReceiver(recipient: string, { to }: CallContext): Address {
  return toLower(recipient) === zeroAddress ? to : toLower(recipient)
}

/** Payable routers wrap and sell the value sent, if sufficient. */
function soldBy(
  { value, wrapped }: CallContext,
  tokenIn: string,
  amount: bigint,
): { sell: Address; amount: bigint } {
  const sell = toLower(tokenIn)
  const isCoin = value > 0n && value >= amount && wrapped.includes(sell)
  return isCoin ? { sell: nativeTokenAddress, amount: value } : { sell, amount }
}
