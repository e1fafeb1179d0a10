import { readAbiItem } from './abi.ts'
import { toFunctionSelector } from './abiCalls.ts'
import type { Visitor } from './recipients.ts'

export type KnownFunction = {
  name: string
  /** Other functions of the same contract are its arguments. */
  isList: boolean
  read(args: string, visitor: Visitor): void
}

/** One function by its signature, without the word `function`. */
export function known(
  signature: string,
  read: KnownFunction['read'],
  isList = false,
): KnownFunction & { selector: string } {
  const item = readAbiItem(`function ${signature}` as 'function burn(uint256 tokenId)')
  return { selector: toFunctionSelector(item).slice(2), name: item.name, isList, read }
}
