import type { Token } from '../domain/token.ts'
import type { Balances } from '../protocol.ts'

export type Found = { held: Token[]; others: Token[] }

/**
 * The tokens that `text` means: its symbol or name begins with it, a word of the name does, or the address contains it.
 * Exact symbols come first. An empty text means all. Held tokens stand apart.
 */
export function searchTokens(tokens: Token[], balances: Balances, text: string): Found {
  const wanted = text.trim().toLowerCase()
  const ranked =
    wanted === ''
      ? tokens
      : tokens
          .map((token) => ({ token, rank: rankOf(token, wanted) }))
          .filter(({ rank }) => rank < unrelated)
          .sort((one, other) => one.rank - other.rank)
          .map(({ token }) => token)
  const isHeld = ({ address }: Token) => (balances[address] ?? 0n) > 0n
  return { held: ranked.filter(isHeld), others: ranked.filter((token) => !isHeld(token)) }
}

/** The listed token that `token` could be mistaken for: the same symbol at another address. */
export function lookalikeOf(token: Token, tokens: Token[]): Token | undefined {
  const symbol = skeleton(token.symbol)
  return tokens.find(
    (other) => other.listed && other.address !== token.address && skeleton(other.symbol) === symbol,
  )
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

/** A symbol without what a careless eye skips: case, invisible characters, accents, 0 for O, 1 and l for I. */
function skeleton(symbol: string): string {
  return symbol
    .normalize('NFKD')
    .replace(/[\p{Cf}\p{Cc}\p{M}\s]/gu, '')
    .toUpperCase()
    .replace(/0/g, 'O')
    .replace(/[1L|]/g, 'I')
    .replace(/5/g, 'S')
    .replace(/[₮Т]/g, 'T')
    .replace(/С/g, 'C')
    .replace(/[ЕΕ]/g, 'E')
    .replace(/[АΑ]/g, 'A')
    .replace(/[ОΟ]/g, 'O')
}
