import { type Hex, toFunctionSelector } from 'viem'

/** A view function whose arguments are words: its calldata for them. The name is hashed once, not in each of thousands of calls. */
export function view(signature: string): (...args: (number | Hex)[]) => Hex {
  const selector = toFunctionSelector(signature)
  return (...args) => `${selector}${args.map(word).join('')}`
}

/** What a function answered, as words of 32 bytes: static types only. Negative numbers are still in two's complement. */
export function words(data: Hex): bigint[] {
  return Array.from({ length: (data.length - 2) / 64 }, (_, i) =>
    BigInt(`0x${data.slice(2 + 64 * i, 66 + 64 * i)}`),
  )
}

function word(value: number | Hex): string {
  return BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, '0')
}
