import type { Token } from '../../domain/token/token.ts'

/**
 * The tokens that `text` means: its symbol or name begins with it, a word of the name does, or the address contains it. Exact symbols
 * come first, else their order stays. An empty text means all.
 */
export function rankTokens(tokens: Token[], text: string): Token[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return tokens
  const ranks: Token[][] = Array.from({ length: unrelated }, () => [])
  for (const token of tokens) ranks[rankOf(token, wanted)]?.push(token)
  return ranks.flat()
}

const unrelated = 5

function rankOf({ symbol, name, address }: Token, wanted: string): number {
  const short = symbol.toLowerCase()
  const long = name.toLowerCase()
  if (short === wanted || address === wanted) return 0
  if (short.startsWith(wanted)) return 1
  if (long.startsWith(wanted)) return 2
  if (long.includes(` ${wanted}`) || short.includes(wanted)) return 3
  // Two hex digits would match nearly every address.
  if (wanted.length >= 4 && address.includes(wanted)) return 4
  return unrelated
}
