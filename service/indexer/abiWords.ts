import { type Hex, toFunctionSelector } from 'viem'

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

function word(value: number | Hex): string {
  return BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, '0')
}
