import { padWord } from '../domain/hex.ts'
import type { Hex } from '../domain/token/token.ts'

export const permit2CodeHash: Hex = '0x463331fa7a0d5f07488e42c37b461bb56a822145c161a821fbafe7d4e916b546'

/** Byte offsets (Optimism's Preinstalls.sol, getPermit2Code). */
const chainIdAt = 6_945
const separatorAt = 6_983

/** Blanks the immutables if they match. */
export function blankImmutables(code: Hex, chainId: number, separator: Hex): Hex {
  const at = (offset: number) => 2 + 2 * offset
  const wordAt = (offset: number) => code.slice(at(offset), at(offset + 32))
  const isOfChain = wordAt(chainIdAt) === padWord(chainId) && wordAt(separatorAt) === separator.slice(2)
  if (!isOfChain) return code
  const blank = padWord(0)
  const between = code.slice(at(chainIdAt + 32), at(separatorAt))
  return `0x${code.slice(2, at(chainIdAt))}${blank}${between}${blank}${code.slice(at(separatorAt + 32))}`
}
