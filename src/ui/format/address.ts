import type { Route } from '../../domain/swap/quote.ts'
import type { Address, Token } from '../../domain/token/token.ts'
import { plural, t } from '../../i18n/translate.ts'

/** 0x1234…cdef */
export function shortAddress(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`
}

/**
 * A symbol without control or invisible characters, at most 12 long: tokens name themselves. A token
 * without one is called by its short address.
 */
export function formatSymbol({ symbol, address }: Pick<Token, 'symbol' | 'address'>): string {
  if (symbol === shortAddress(address)) return symbol
  const clean = showInvisible(symbol)
  return clean === '' ? shortAddress(address) : clean.replace(/^(.{11})..+$/su, '$1…')
}

export function showInvisible(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, '')
    .trim()
}

/** A source by its id in words: "UNISWAP_V3" is "Uniswap V3". A wrapped coin stands for itself, by its symbol. */
export function formatSource(id: string): string {
  if (/^W[A-Z]{2,5}$/.test(id)) return id
  return showInvisible(id)
    .replaceAll('_', ' ')
    .replace(/\b([A-Z])([A-Z]{3,})\b/g, (_word, first: string, rest: string) => first + rest.toLowerCase())
}

/** A route in few words: "Uniswap V3", or "3 sources by way of USDC, DAI". */
export function formatRoute(route: Route, symbolOf: (address: Address) => string): string {
  const names = route.flatMap(({ hops }) => hops.flatMap(({ sources }) => sources.map(({ name }) => name)))
  const between = route.slice(1).map(({ token }) => symbolOf(token))
  const what =
    names.length === 1
      ? names.map(formatSource).join()
      : plural(names.length, '{count} source', '{count} sources')
  return between.length === 0
    ? what
    : t('{sources} via {tokens}', { sources: what, tokens: between.join(', ') })
}

const longestNumber = 10

/** One item of a collection. Some numbers are a page long. */
export function formatNft(token: Token, nft: bigint): string {
  const digits = nft.toString()
  const number = digits.length > longestNumber ? `${digits.slice(0, 4)}…${digits.slice(-4)}` : digits
  return `${formatSymbol(token)} #${number}`
}
