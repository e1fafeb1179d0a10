import type { Route } from '../../domain/swap/quote.ts'
import type { Address, Token } from '../../domain/token/token.ts'
import { plural, t } from '../../i18n/translate.ts'

/** Formats "0x1234…cdef". */
export function shortAddress(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`
}

/**
 * Removes invisible characters and shortens to 12: symbols are untrusted. An empty one becomes the short
 * address.
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

/** Words of sources' ids whose case is their own. */
const properNames = new Map(
  ['PancakeSwap', 'QuickSwap', 'SushiSwap', 'THENA', 'USDS', 'Sky', 'stETH', 'wstETH'].map((name) => [
    name.toUpperCase(),
    name,
  ]),
)

/** Formats "UNISWAP_V3" as "Uniswap V3". Wrapped tokens keep their symbol. */
export function formatSource(id: string): string {
  if (/^W[A-Z]{2,5}$/.test(id)) return id
  return showInvisible(id)
    .replaceAll('_', ' ')
    .replace(/\b[A-Z]{3,}\b/g, (word) => properNames.get(word) ?? toTitle(word))
}

/** Three letters are an abbreviation. */
function toTitle(word: string): string {
  return word.length === 3 ? word : word.slice(0, 1) + word.slice(1).toLowerCase()
}

/** Formats "Uniswap V3", or "3 sources via USDC, DAI". */
export function formatRoute(route: Route, symbolOf: (address: Address) => string): string {
  const names = [
    ...new Set(route.flatMap(({ hops }) => hops.flatMap(({ sources }) => sources.map(({ name }) => name)))),
  ]
  const between = route.slice(1).map(({ token }) => symbolOf(token))
  const what =
    names.length === 1
      ? names.map(formatSource).join()
      : plural(names.length, '{count} source', '{count} sources')
  return between.length === 0
    ? what
    : t('{sources} via {tokens}', { sources: what, tokens: between.join(', ') })
}

const maxNumber = 10

/** Shortens long ids. */
export function formatNft(token: Token, nft: bigint): string {
  const digits = nft.toString()
  const number = digits.length > maxNumber ? `${digits.slice(0, 4)}…${digits.slice(-4)}` : digits
  return `${formatSymbol(token)} #${number}`
}
