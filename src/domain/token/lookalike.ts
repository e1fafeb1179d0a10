import type { Network } from '../network/network.ts'
import { confusables } from './confusables.ts'
import { popularOn } from './pegs.ts'
import type { Token } from './token.ts'
import { wellKnownOn } from './wellKnown.ts'

/**
 * The token of a list that `token`, itself among them or not, could be mistaken for. A list may well have two tokens of one name, and
 * a service may list anything: of listed ones only those are told that look like what everybody trades, by the wallet's own table
 * (wellKnown.ts), so that a list without the real token does not make another one real.
 */
export function imitatedBy(
  token: Token,
  tokens: Token[],
  network: Pick<Network, 'chainId' | 'wrapped' | 'stable'>,
): Token | undefined {
  const popular = popularOn(network)
  const isKnown = ({ address }: Token) => popular.has(address)
  if (isKnown(token)) return undefined
  const skeleton = skeletonOf(token.symbol)
  const real = realOf(network.chainId).get(skeleton) ?? []
  const isReal = ({ address }: Token) => real.some((one) => one.address === address)
  if (isReal(token)) return undefined
  const alike = (bySkeleton(tokens).get(skeleton) ?? []).filter(({ address }) => address !== token.address)
  return alike.find(isKnown) ?? alike.find(isReal) ?? real[0] ?? (token.listed ? undefined : alike[0])
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

const reals = new Map<number, Map<string, Token[]>>()

/** The well-known tokens of a chain by how their symbols look. */
function realOf(chainId: number): Map<string, Token[]> {
  const known = reals.get(chainId)
  if (known !== undefined) return known
  const index = bySkeleton(wellKnownOn(chainId))
  reals.set(chainId, index)
  return index
}

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
