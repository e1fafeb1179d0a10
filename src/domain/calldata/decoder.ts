import {
  type AbiFunction,
  type AbiParameter,
  type DecodeAbiParametersReturnType,
  type ParseAbiItem,
  parseAbiItem,
  toFunctionSelector,
} from 'viem'
import { decodeExact } from '../abi/decodeStrict.ts'
import type { Address, Hex } from '../token/token.ts'
import type { DecodedTokenCall } from './decodedCall.ts'

export type CallContext = { to: Address; value: bigint; account: Address; wrapped: readonly Address[] }

export type CallDecoder<Result = DecodedTokenCall> = {
  selector: Hex
  payable: boolean
  read(data: Hex, on: CallContext): Result | undefined
}

type ArgsOf<Signature extends string> =
  ParseAbiItem<Signature> extends { inputs: infer Inputs extends readonly AbiParameter[] }
    ? DecodeAbiParametersReturnType<Inputs>
    : never

/** Defines a decoder, which throws unless canonical. `words` returns undefined for meaningless values. */
export function defineDecoder<const Signature extends string, Result = DecodedTokenCall>(
  signature: Signature,
  words: (args: ArgsOf<Signature>, on: CallContext) => Result | undefined,
): CallDecoder<Result> {
  const item = parseAbiItem(signature as string) as AbiFunction
  return {
    selector: toFunctionSelector(item),
    payable: item.stateMutability === 'payable',
    read(data, on) {
      const args = decodeExact(item.inputs, `0x${data.slice(10)}`)
      return words(args as ArgsOf<Signature>, on)
    },
  }
}

export function toLower(address: string): Address {
  return address.toLowerCase() as Address
}
