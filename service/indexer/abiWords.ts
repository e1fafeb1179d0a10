import { type Hex, toFunctionSelector } from 'viem'
import type { Address } from '../config.ts'

/** Returns a calldata encoder for word arguments; the selector is hashed once. */
export function view(signature: string): (...args: (number | Hex)[]) => Hex {
  const selector = toFunctionSelector(signature)
  return (...args) => `${selector}${args.map(word).join('')}`
}

/** Splits return data into words; negative numbers stay in two's complement. */
export function words(data: Hex): bigint[] {
  return Array.from({ length: (data.length - 2) / 64 }, (_, i) =>
    BigInt(`0x${data.slice(2 + 64 * i, 66 + 64 * i)}`),
  )
}

/** Returns the address in a word; undefined for 0, and for a word that holds more than an address. */
export function addressOf(word: bigint | undefined): Address | undefined {
  if (word === undefined || word === 0n || word >> 160n !== 0n) return undefined
  return `0x${word.toString(16).padStart(40, '0')}`
}

function word(value: number | Hex): string {
  return BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, '0')
}
