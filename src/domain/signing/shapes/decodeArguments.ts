import type { AbiFunction, AbiParameter } from 'viem'
import { toFunctionSelector } from '../../abi/abiCalls.ts'
import { decodeAbiParameters, encodeAbiParameters } from '../../abi/abiCoder.ts'
import type { Hex } from '../../token/token.ts'

/** Returns undefined for another function or a non-canonical encoding. */
export function decodeArguments(item: unknown, data: Hex): readonly unknown[] | undefined {
  const abi = item as AbiFunction
  const inputs = abi.inputs as readonly AbiParameter[]
  if (data.slice(0, 10).toLowerCase() !== toFunctionSelector(abi)) return undefined
  const bytes: Hex = `0x${data.slice(10).toLowerCase()}`
  try {
    const values = decodeAbiParameters(inputs, bytes)
    return encodeAbiParameters(inputs, values) === bytes ? values : undefined
  } catch {
    return undefined
  }
}
