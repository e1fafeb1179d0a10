import { readAbiItem } from './abi.ts'
import { toFunctionSelector } from './abiCalls.ts'
import type { Visitor } from './recipients.ts'

export type KnownFunction = {
  name: string
  /** True if its arguments are calls of the same contract. */
  isList: boolean
  read(args: string, visitor: Visitor): void
}

/** Defines a function; `signature` is without the word `function`. */
export function defineKnownFunction(
  signature: string,
  read: KnownFunction['read'],
  isList = false,
): KnownFunction & { selector: string } {
  const item = readAbiItem(`function ${signature}` as 'function burn(uint256 tokenId)')
  return { selector: toFunctionSelector(item).slice(2), name: item.name, isList, read }
}
