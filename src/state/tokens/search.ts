import type { Token } from '../../domain/token/token.ts'

/** Matches symbol, name and address, better matches first; stable. */
export function rankTokens(tokens: Token[], text: string): Token[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return tokens
  const ranks: Token[][] = Array.from({ length: unrelated }, () => [])
  for (const token of tokens) ranks[toRank(token, wanted)]?.push(token)
  return ranks.flat()
}

const unrelated = 5

function toRank({ symbol, name, address }: Token, wanted: string): number {
  const short = symbol.toLowerCase()
  const long = name.toLowerCase()
  if (short === wanted || address === wanted) return 0
  if (short.startsWith(wanted)) return 1
  if (long.startsWith(wanted)) return 2
  if (long.includes(` ${wanted}`) || short.includes(wanted)) return 3
  // Shorter ones match nearly every address.
  if (wanted.length >= 4 && address.includes(wanted)) return 4
  return unrelated
}
