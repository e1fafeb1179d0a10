import { type ParseAbiParameters, parseAbiParameters } from 'viem'
import type { DecodedSwap, DecodedTokenCall } from '../../calldata/decodedCall.ts'
import { type CallContext, type CallDecoder, defineDecoder, toLower } from '../../calldata/decoder.ts'
import { type Address, type Hex, nativeTokenAddress } from '../../token/token.ts'
import { decodeExact } from '../decodeStrict.ts'
import { nativeOr, newReceiver, parsePathEnds } from './routerTerms.ts'

/** `payout` sends at least `min` of the router's balance; `other` moves nothing of the user. */
export type Step =
  | { kind: 'swap'; words: DecodedSwap }
  | { kind: 'payout'; token: Address; min: bigint; to: Address }
  | { kind: 'other' }

// github.com/Uniswap/universal-router: libraries/Commands.sol, base/Dispatcher.sol. V4 swaps stay undecoded.

type Join = (steps: (Step | undefined)[], on: CallContext) => DecodedTokenCall | undefined

/** Returns decoders of Universal Router's `execute`. */
export function universalDecoders(join: Join): CallDecoder[] {
  const execute = (commands: Hex, inputs: readonly Hex[], on: CallContext) => {
    const bytes = commands.slice(2).match(/../g) ?? []
    if (bytes.length !== inputs.length) return undefined
    return join(
      bytes.map((command, index) => readCommand(command, inputs[index] ?? '0x', on)),
      on,
    )
  }
  return [
    defineDecoder('function execute(bytes, bytes[], uint256) payable', ([commands, inputs], on) =>
      execute(commands, inputs, on),
    ),
    defineDecoder('function execute(bytes, bytes[]) payable', ([commands, inputs], on) =>
      execute(commands, inputs, on),
    ),
  ]
}

/** Stands for the router's own balance. */
const contractBalance = 2n ** 255n

function readCommand(command: string, input: Hex, on: CallContext): Step | undefined {
  switch (command) {
    case '00':
      return readV3(input, on, ([amount, least], ends) => ({ amount, floor: least, ...ends }))
    case '01':
      // Exact out: the path begins with the bought token.
      return readV3(input, on, ([least, amount], { tokenIn, tokenOut }) => ({
        amount,
        floor: least,
        tokenIn: tokenOut,
        tokenOut: tokenIn,
      }))
    case '08':
      return readV2(input, on, ([amount, least]) => ({ amount, floor: least }))
    case '09':
      return readV2(input, on, ([least, amount]) => ({ amount, floor: least }))
    case '04': {
      const [token, to, min] = read(['address, address, uint256'], input)
      return payout(nativeOr(token), min, to, on)
    }
    case '0c': {
      const [to, min] = read(['address, uint256'], input)
      return payout(nativeTokenAddress, min, to, on)
    }
    case '0b': {
      const [to] = read(['address, uint256'], input)
      return newReceiver(to, on) === on.to && on.value > 0n ? { kind: 'other' } : undefined
    }
    case '0a': {
      const [permit] = read(
        [
          'PermitSingle permit, bytes',
          'struct PermitSingle { Details details; address spender; uint256 sigDeadline; }',
          'struct Details { address token; uint160 amount; uint48 expiration; uint48 nonce; }',
        ],
        input,
      )
      return toLower(permit.spender) === on.to ? { kind: 'other' } : undefined
    }
    default:
      return undefined
  }
}

type Terms = { amount: bigint; floor: bigint; tokenIn: Address; tokenOut: Address }

function readV3(
  input: Hex,
  on: CallContext,
  termsOf: (amounts: [bigint, bigint], ends: Pick<Terms, 'tokenIn' | 'tokenOut'>) => Terms,
): Step | undefined {
  const [recipient, first, second, path, payerIsUser] = read(
    ['address, uint256, uint256, bytes, bool'],
    input,
  )
  const ends = parsePathEnds(path)
  return ends && swap(on, termsOf([first, second], ends), recipient, payerIsUser)
}

function readV2(
  input: Hex,
  on: CallContext,
  termsOf: (amounts: [bigint, bigint]) => Pick<Terms, 'amount' | 'floor'>,
): Step | undefined {
  const [recipient, first, second, path, payerIsUser] = read(
    ['address, uint256, uint256, address[], bool'],
    input,
  )
  const [tokenIn, tokenOut] = [path.at(0), path.at(-1)]
  if (path.length < 2 || tokenIn === undefined || tokenOut === undefined) return undefined
  const terms = { ...termsOf([first, second]), tokenIn: toLower(tokenIn), tokenOut: toLower(tokenOut) }
  return swap(on, terms, recipient, payerIsUser)
}

/** The router pays only with native value that was sent along and wrapped. */
function swap(
  on: CallContext,
  { amount, floor, tokenIn, tokenOut }: Terms,
  recipient: string,
  payerIsUser: boolean,
): Step | undefined {
  const isCoin = on.wrapped.includes(tokenIn) && on.value > 0n
  if (payerIsUser === isCoin || (payerIsUser && amount === contractBalance)) return undefined
  const words: DecodedSwap = {
    kind: 'swap',
    router: on.to,
    sell: tokenIn,
    buy: tokenOut,
    amount: amount === contractBalance ? on.value : amount,
    floor,
    receiver: newReceiver(recipient, on),
    value: on.value,
  }
  return { kind: 'swap', words }
}

function payout(token: Address, min: bigint, recipient: string, on: CallContext): Step {
  return { kind: 'payout', token, min, to: newReceiver(recipient, on) }
}

function read<const Lines extends readonly [string, ...string[]]>(lines: Lines, input: Hex) {
  return decodeExact(parseAbiParameters<Lines>(lines as never) as ParseAbiParameters<Lines>, input)
}
