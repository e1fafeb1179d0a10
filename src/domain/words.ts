import { concatHex, numberToHex, pad } from 'viem'
import type { Hex } from './token/token.ts'

/** Concatenates 32-byte words. Hex is padded on the left; numbers are from 0 to 2^256 - 1. */
export function toWords(values: readonly (Hex | bigint | number)[]): Hex {
  return concatHex(
    values.map((value) => (typeof value === 'string' ? pad(value) : numberToHex(value, { size: 32 }))),
  )
}
