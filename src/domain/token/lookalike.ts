import type { Network } from '../network/network.ts'
import { confusables } from './confusables.ts'
import { popularOn } from './pegs.ts'
import type { Token } from './token.ts'

/**
 * The token of a list that `token`, itself among them or not, could be mistaken for. A list may well have two tokens of one name, and
 * a service may list anything: of listed ones only those are told that look like what everybody trades.
 */
export function imitatedBy(
  token: Token,
  tokens: Token[],
  network: Pick<Network, 'chainId' | 'wrapped' | 'stable'>,
): Token | undefined {
  const popular = popularOn(network)
  const isKnown = ({ address }: Token) => popular.has(address)
  if (isKnown(token)) return undefined
  const alike = (bySkeleton(tokens).get(skeletonOf(token.symbol)) ?? []).filter(
    ({ address }) => address !== token.address,
  )
  return alike.find(isKnown) ?? (token.listed ? undefined : alike[0])
}

/**
 * A symbol without what a careless eye skips: case, accents, space and what cannot be seen, and which of the signs that look alike it is.
 * Two symbols that look the same have the same one.
 */
export function skeletonOf(symbol: string): string {
  // Only small ones run together.
  const letters = symbol.replace(/rn/g, 'm').replace(/vv/g, 'w')
  // Most symbols are plain already, and lists are long.
  const signs = /^[A-Za-z0-9]*$/.test(letters) ? letters : Array.from(letters, plain).join('')
  return signs.toUpperCase().replace(/0/g, 'O').replace(/[1L|]/g, 'I').replace(/5/g, 'S')
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
