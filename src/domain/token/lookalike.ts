import type { Network } from '../network/network.ts'
import { confusables } from './confusables.ts'
import { popularTokens } from './pegGroups.ts'
import { type Address, nativeTokenAddress, type Token } from './token.ts'
import { wellKnownOn } from './wellKnown.ts'

/** Facts by which the well-known tokens of a network are known. */
export type ImitableNetwork = Pick<Network, 'chainId' | 'wrapped' | 'stable'> & Partial<Pick<Network, 'coin'>>

/**
 * The token of a list that `token`, itself among them or not, could be mistaken for. A list may well have two tokens of one name, and
 * a service may list anything: of listed ones only those are told that look like what everybody trades, by the wallet's own table
 * (wellKnown.ts), so that a list without the real token does not make another one real.
 */
export function findLookalike(token: Token, tokens: Token[], network: ImitableNetwork): Token | undefined {
  const popular = popularTokens(network)
  const isKnown = ({ address }: Token) => popular.has(address)
  if (isKnown(token) || token.address === nativeContracts[network.chainId]) return undefined
  const skeletons = skeletonsOf(token.symbol)
  const coin = network.coin && nativeToken(network.coin)
  const realOnes = (skeleton: string) => [
    ...(realOf(network.chainId).get(skeleton) ?? []),
    ...(coin && skeletonsOf(coin.symbol).includes(skeleton) ? [coin] : []),
  ]
  const isRealAs = (one: Token, skeleton: string) =>
    realOnes(skeleton).some(({ address }) => address === one.address)
  if (skeletons.some((skeleton) => isRealAs(token, skeleton))) return undefined
  for (const skeleton of skeletons) {
    const alike = (bySkeleton(tokens).get(skeleton) ?? []).filter(({ address }) => address !== token.address)
    const found =
      alike.find(isKnown) ??
      alike.find((one) => isRealAs(one, skeleton)) ??
      realOnes(skeleton)[0] ??
      (token.listed ? undefined : alike[0])
    if (found !== undefined) return found
  }
  return undefined
}

/** Contracts that are the native token itself, by chain: Polygon's POL. */
const nativeContracts: { [chainId: number]: Address } = { 137: '0x0000000000000000000000000000000000001010' }

function nativeToken({ symbol, name }: Network['coin']): Token {
  const flags = { listed: true, eip2612: false, taxed: false, tags: [] }
  return { address: nativeTokenAddress, symbol, name, decimals: 18, ...flags }
}

/** Signs of a symbol that are tried both as a letter and as decoration; beyond them all are read alike. */
const maxAmbiguous = 4

/**
 * Returns the skeletons of a token's symbol, the likeliest first. Punctuation and other signs are decoration ("USDC.", "USD-C"),
 * and those that look like a letter may be either: "U$DC" and "$USDC" are both like USDC. Letters always count ("USDC.e").
 */
function skeletonsOf(symbol: string): string[] {
  if (/^[A-Za-z0-9]*$/.test(symbol)) return [toSkeleton(symbol)]
  const signs = Array.from(symbol).filter((sign) => !isDecoration(sign) || isLetterLike(sign))
  const ambiguous = signs.flatMap((sign, index) => (isDecoration(sign) ? [index] : []))
  const drops = ambiguous.length > maxAmbiguous ? [[], ambiguous] : subsetsOf(ambiguous)
  const read = drops.map((drop) => toSkeleton(signs.filter((_, index) => !drop.includes(index)).join('')))
  const skeletons = [...new Set(read)].filter((skeleton) => skeleton !== '')
  return skeletons.length > 0 ? skeletons : [toSkeleton(symbol)]
}

function isDecoration(sign: string): boolean {
  return /[\p{P}\p{S}]/u.test(sign)
}

function isLetterLike(sign: string): boolean {
  return /[A-Z0-9]/.test(toSkeleton(sign))
}

/** Returns every selection of the indices, the empty one first. */
function subsetsOf(indices: number[]): number[][] {
  const sets: number[][] = [[]]
  for (const index of indices) sets.push(...sets.map((set) => [...set, index]))
  return sets
}

/**
 * A symbol without what a careless eye skips: case, accents, space and what cannot be seen, and which of the signs that look alike it is.
 * Two symbols that look the same have the same one.
 */
export function toSkeleton(symbol: string): string {
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
    for (const skeleton of skeletonsOf(token.symbol)) {
      index.set(skeleton, [...(index.get(skeleton) ?? []), token])
    }
  }
  indexed.set(tokens, index)
  return index
}
