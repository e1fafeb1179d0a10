import { confusables } from './confusables.ts'
import type { Token } from './token.ts'

/** The listed token that `token` could be mistaken for: a symbol that looks the same, at another address. */
export function lookalikeOf(token: Pick<Token, 'symbol' | 'address'>, tokens: Token[]): Token | undefined {
  return bySkeleton(tokens)
    .get(skeletonOf(token.symbol))
    ?.find(({ address }) => address !== token.address)
}

/**
 * A symbol without what a careless eye skips: case, accents, space and what cannot be seen, and which of the signs that look alike it is.
 * Two symbols that look the same have the same one.
 */
export function skeletonOf(symbol: string): string {
  // Only small ones run together.
  const letters = symbol.replace(/rn/g, 'm').replace(/vv/g, 'w')
  return Array.from(letters, plain)
    .join('')
    .toUpperCase()
    .replace(/0/g, 'O')
    .replace(/[1L|]/g, 'I')
    .replace(/5/g, 'S')
}

function plain(sign: string): string {
  const known = confusables.get(sign)
  if (known !== undefined) return known
  const parts = sign.normalize('NFKD').replace(unseen, '')
  return Array.from(parts, (part) => confusables.get(part) ?? part).join('')
}

/** Controls and formats (bidi, zero width), marks, fillers, spaces; the braille pattern without dots. */
const unseen = /[\p{C}\p{M}\p{Default_Ignorable_Code_Point}\s\u2800]/gu

const indexed = new WeakMap<Token[], Map<string, Token[]>>()

/** The listed tokens by how their symbols look. A list is read once, however often it is asked about. */
function bySkeleton(tokens: Token[]): Map<string, Token[]> {
  const known = indexed.get(tokens)
  if (known !== undefined) return known
  const index = new Map<string, Token[]>()
  for (const token of tokens.filter(({ listed }) => listed)) {
    const skeleton = skeletonOf(token.symbol)
    index.set(skeleton, [...(index.get(skeleton) ?? []), token])
  }
  indexed.set(tokens, index)
  return index
}
