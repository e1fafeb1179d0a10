import { type AbiFunction, toFunctionSelector } from 'viem'
import { decodeExact } from '../../abi/decodeStrict.ts'
import type { Hex } from '../../token/token.ts'

/** Returns undefined for another function or a non-canonical encoding. */
export function decodeArguments(item: AbiFunction, data: Hex): readonly unknown[] | undefined {
  if (data.slice(0, 10).toLowerCase() !== toFunctionSelector(item)) return undefined
  try {
    return decodeExact(item.inputs, `0x${data.slice(10).toLowerCase()}`)
  } catch {
    return undefined
  }
}
