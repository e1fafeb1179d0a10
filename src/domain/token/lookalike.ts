import type { Network } from '../network/network.ts'
import { confusables } from './confusables.ts'
import { popularTokens } from './pegGroups.ts'
import { type Address, nativeTokenAddress, type Token } from './token.ts'
import { wellKnownOn } from './wellKnown.ts'

export type ImitableNetwork = Pick<Network, 'chainId' | 'wrapped' | 'stable'> & Partial<Pick<Network, 'coin'>>

/**
 * Returns the token that `token` could be mistaken for. Listed ones are only compared with popular ones of
 * the built-in table (wellKnown.ts): a list without the real token must not make another one real.
 */
export function findLookalike(token: Token, tokens: Token[], network: ImitableNetwork): Token | undefined {
  const popular = popularTokens(network)
  const isKnown = ({ address }: Token) => popular.has(address)
  if (isKnown(token) || token.address === nativeContracts[network.chainId]) return undefined
  const skeletons = toSkeletons(token.symbol)
  const coin = network.coin && nativeToken(network.coin)
  const realOnes = (skeleton: string) => [
    ...(realTokens(network.chainId).get(skeleton) ?? []),
    ...(coin && toSkeletons(coin.symbol).includes(skeleton) ? [coin] : []),
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

/** Polygon's POL, a contract with the native token's balances. */
export const nativeContracts: { [chainId: number]: Address } = {
  137: '0x0000000000000000000000000000000000001010',
}

function nativeToken({ symbol, name }: Network['coin']): Token {
  const flags = { listed: true, eip2612: false, taxed: false, tags: [] }
  return { address: nativeTokenAddress, symbol, name, decimals: 18, ...flags }
}

/** Beyond it all signs are read alike. */
const maxAmbiguous = 4

/**
 * Likeliest first. Punctuation is decoration ("USDC.", "USD-C"); letter-like signs may be either ("U$DC",
 * "$USDC"). Letters always count ("USDC.e").
 */
function toSkeletons(symbol: string): string[] {
  if (/^[A-Za-z0-9]*$/.test(symbol)) return [toSkeleton(symbol)]
  const signs = Array.from(symbol).filter((sign) => !isDecoration(sign) || isLetterLike(sign))
  const ambiguous = signs.flatMap((sign, index) => (isDecoration(sign) ? [index] : []))
  const drops = ambiguous.length > maxAmbiguous ? [[], ambiguous] : toSubsets(ambiguous)
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

function toSubsets(indices: number[]): number[][] {
  const sets: number[][] = [[]]
  for (const index of indices) sets.push(...sets.map((set) => [...set, index]))
  return sets
}

/**
 * Removes differences of case, accents, white space, invisible and confusable characters. Symbols that look
 * the same have the same skeleton.
 */
export function toSkeleton(symbol: string): string {
  // Only lower-case pairs merge.
  const letters = symbol.replace(/rn/g, 'm').replace(/vv/g, 'w')
  // Fast path: lists are long.
  const signs = /^[A-Za-z0-9]*$/.test(letters) ? letters : Array.from(letters, plain).join('')
  return signs.toUpperCase().replace(/0/g, 'O').replace(/[1L|]/g, 'I').replace(/5/g, 'S')
}

function plain(sign: string): string {
  const known = confusables.get(sign)
  if (known !== undefined) return known
  const parts = sign.normalize('NFKD').replace(unseen, '')
  return Array.from(parts, (part) => confusables.get(part) ?? part).join('')
}

/** Controls and formats (bidi, zero width), marks, fillers, spaces, blank braille. */
const unseen = /[\p{C}\p{M}\p{Default_Ignorable_Code_Point}\s\u2800]/gu

const reals = new Map<number, Map<string, Token[]>>()

function realTokens(chainId: number): Map<string, Token[]> {
  const known = reals.get(chainId)
  if (known !== undefined) return known
  const index = bySkeleton(wellKnownOn(chainId))
  reals.set(chainId, index)
  return index
}

const indexed = new WeakMap<Token[], Map<string, Token[]>>()

function bySkeleton(tokens: Token[]): Map<string, Token[]> {
  const known = indexed.get(tokens)
  if (known !== undefined) return known
  const index = new Map<string, Token[]>()
  for (const token of tokens.filter(({ listed }) => listed)) {
    for (const skeleton of toSkeletons(token.symbol)) {
      index.set(skeleton, [...(index.get(skeleton) ?? []), token])
    }
  }
  indexed.set(tokens, index)
  return index
}
