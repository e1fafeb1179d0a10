import { type AbiParameter, type DecodeAbiParametersReturnType, getAbiItem } from 'viem'
import { decodeExact } from '../../domain/abi/decodeStrict.ts'
import type { DirectContracts } from '../../domain/network/swapSource.ts'
import { directAbi as abi, routerItself, routerSender } from '../../domain/swap/directCall.ts'
import { type Address, type Hex, isNative, nativeTokenAddress } from '../../domain/token/token.ts'
import { unsafeTransaction } from './unsafe.ts'

/** Effects of a direct swap, for comparison with what was agreed. */
export type DirectTerms = {
  sell: Address
  buy: Address
  amount: bigint
  floor: bigint
  receiver: Address
  /** Unix seconds. */
  deadline: bigint
  isPermitted: boolean
  /** False if an untrusted token could take the paid native tokens, or arrive below the minimum. */
  isClosed: boolean
}

/** `isV2`: the last hop. */
type Leg = { tokens: Address[]; to: Address; amount: bigint; min: bigint; isV2: boolean }

/** `token`: undefined pays the native token. */
type Payout = { token?: Address; min: bigint; to: Address }

type Call =
  | { kind: 'permit'; token: Address }
  | ({ kind: 'leg' } & Leg)
  | ({ kind: 'payout' } & Payout)
  | { kind: 'refund' }

/** `multicall(uint256,bytes[])` of SwapRouter02. */
export const directSelector = '0x5ae401dc'

/** More are never built. */
const maxLegs = 3

/**
 * Reads a `multicall` of SwapRouter02 that only swaps: a permit, legs along trusted tokens, one payout with
 * the minimum of the sum, a refund. Throws `unsafe-transaction` for any other calldata.
 *
 * The router has no lock: a token that it calls could take native tokens out of it, and the router would take
 * wrapped ones from the user instead. Only a v2 leg that pays the recipient measures what arrives; a token
 * that keeps a part of each transfer passes every other minimum (`isClosed`).
 */
export function readDirectTerms(data: Hex, { wrapped, v2Factory, connectors }: DirectContracts): DirectTerms {
  if (!data.startsWith(directSelector)) {
    throw unsafeTransaction('selector', directSelector, data.slice(0, 10))
  }
  const [deadline, inner] = decodeArgs(getAbiItem({ abi: abi(), name: 'multicall' }).inputs, data)
  const calls = inner.map(toCall)
  // Elsewhere, the pairs of the router's own v2 factory are unknown.
  if (v2Factory === undefined && calls.some((call) => call.kind === 'leg' && call.isV2))
    throw unsafeTransaction('selector')

  const permit = takeNext(calls, 'permit')
  const legs: Leg[] = []
  for (let next = takeNext(calls, 'leg'); next; next = takeNext(calls, 'leg')) {
    legs.push(next.amount === 0n ? join(legs.pop(), next) : next)
  }
  const payout = takeNext(calls, 'payout')
  const refund = takeNext(calls, 'refund')
  const [first] = legs
  if (calls.length > 0 || first === undefined || legs.length > maxLegs) throw unsafeTransaction('encoding')

  const [sold, bought] = [getEnd(legs, 0, 'sell'), getEnd(legs, -1, 'buy')]
  requireTrusted(legs, connectors)
  // Every leg pays the router, which pays out the sum, or one leg pays the recipient.
  const isCollected = payout !== undefined
  if (legs.some(({ to }) => (to === routerItself) !== isCollected)) throw unsafeTransaction('receiver')
  if (!isCollected && (legs.length > 1 || first.to === routerSender)) throw unsafeTransaction('receiver')

  const sell = refund ? nativeTokenAddress : sold
  if (refund) requireToken('sell', sold, wrapped)
  if (payout) requireToken('buy', bought, payout.token ?? wrapped)
  if (permit) requireToken('sell', permit.token, sell)
  const { min, to } = payout ?? first
  return {
    sell,
    buy: payout && payout.token === undefined ? nativeTokenAddress : bought,
    amount: legs.reduce((sum, { amount }) => sum + amount, 0n),
    floor: min,
    receiver: to,
    deadline,
    isPermitted: permit !== undefined,
    isClosed: connectors.includes(bought) || (!isNative(sell) && !isCollected && first.isV2),
  }
}

function takeNext<Kind extends Call['kind']>(
  calls: Call[],
  kind: Kind,
): Extract<Call, { kind: Kind }> | undefined {
  const [next] = calls
  if (next?.kind !== kind) return undefined
  calls.shift()
  return next as Extract<Call, { kind: Kind }>
}

function toCall(data: Hex): Call {
  switch (data.slice(0, 10)) {
    case '0xb858183f': {
      const [params] = decodeArgs(getAbiItem({ abi: abi(), name: 'exactInput' }).inputs, data)
      const { path, recipient, amountIn, amountOutMinimum } = params
      return toLeg(getPathTokens(path), recipient, amountIn, amountOutMinimum, false)
    }
    case '0x472b43f3': {
      const { inputs } = getAbiItem({ abi: abi(), name: 'swapExactTokensForTokens' })
      const [amount, min, tokens, to] = decodeArgs(inputs, data)
      return toLeg([...tokens], to, amount, min, true)
    }
    case '0xdf2ab5bb': {
      const [token, min, to] = decodeArgs(getAbiItem({ abi: abi(), name: 'sweepToken' }).inputs, data)
      return { kind: 'payout', token, min, to }
    }
    case '0x49404b7c': {
      const [min, to] = decodeArgs(getAbiItem({ abi: abi(), name: 'unwrapWETH9' }).inputs, data)
      return { kind: 'payout', min, to }
    }
    case '0x12210e8a':
      decodeArgs(getAbiItem({ abi: abi(), name: 'refundETH' }).inputs, data)
      return { kind: 'refund' }
    case '0xc2e3140a': {
      const [token] = decodeArgs(getAbiItem({ abi: abi(), name: 'selfPermitIfNecessary' }).inputs, data)
      return { kind: 'permit', token }
    }
    case '0xa4a78f0c': {
      const [token] = decodeArgs(
        getAbiItem({ abi: abi(), name: 'selfPermitAllowedIfNecessary' }).inputs,
        data,
      )
      return { kind: 'permit', token }
    }
    default:
      throw unsafeTransaction('selector', undefined, data.slice(0, 10))
  }
}

function toLeg(tokens: Address[], to: Address, amount: bigint, min: bigint, isV2: boolean): Call {
  if (tokens.length < 2) throw unsafeTransaction('path')
  return { kind: 'leg', tokens, to, amount, min, isV2 }
}

/** A call of amount 0 sells all that the router holds: what the call before it bought for the router. */
function join(before: Leg | undefined, { tokens, to, min, isV2 }: Leg): Leg {
  if (before?.to !== routerItself || before.tokens.at(-1) !== tokens[0]) throw unsafeTransaction('amount')
  return { tokens: [...before.tokens, ...tokens.slice(1)], to, amount: before.amount, min, isV2 }
}

/** Tokens of 20 bytes with fees of 3 bytes in between. */
function getPathTokens(path: Hex): Address[] {
  const hops = (path.length - 2 - 40) / 46
  if (!Number.isInteger(hops) || hops < 1) throw unsafeTransaction('path')
  return Array.from({ length: hops + 1 }, (_, index): Address => {
    return `0x${path.slice(2 + index * 46, 42 + index * 46)}`
  })
}

function getEnd(legs: Leg[], at: 0 | -1, fact: 'sell' | 'buy'): Address {
  const [end, ...others] = legs.map(({ tokens }) => tokens.at(at))
  const stranger = others.find((other) => other !== end)
  if (end === undefined || stranger !== undefined) throw unsafeTransaction(fact, end, stranger)
  return end
}

function requireTrusted(legs: Leg[], connectors: Address[]): void {
  const stranger = legs
    .flatMap(({ tokens }) => tokens.slice(1, -1))
    .find((token) => !connectors.includes(token))
  if (stranger !== undefined) throw unsafeTransaction('path', connectors.join(' '), stranger)
}

function requireToken(fact: 'sell' | 'buy', found: Address, expected: Address): void {
  if (found !== expected) throw unsafeTransaction(fact, expected, found)
}

function decodeArgs<const Inputs extends readonly AbiParameter[]>(
  inputs: Inputs,
  data: Hex,
): DecodeAbiParametersReturnType<Inputs> {
  try {
    return decodeExact(inputs, `0x${data.slice(10)}`)
  } catch (cause) {
    throw unsafeTransaction('encoding', undefined, undefined, cause)
  }
}
