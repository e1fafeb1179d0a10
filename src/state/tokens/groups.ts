import type { Network } from '../../domain/network/network.ts'
import { popularTokens } from '../../domain/token/pegGroups.ts'
import { type Address, isNative, type Token } from '../../domain/token/token.ts'
import { type TokenPrices, toUsd } from '../../domain/value/price.ts'
import type { Balances } from '../../protocol.ts'
import { rankTokens } from './search.ts'

export type Sections = Record<'held' | 'favourites' | 'popular' | 'listed' | 'unlisted', Token[]>

type Given = {
  network: Pick<Network, 'chainId' | 'wrapped' | 'stable'>
  /** Listed and imported. */
  tokens: Token[]
  balances: Balances
  favourites: Address[]
  text: string
  prices?: TokenPrices
}

/** Search length that shows unlisted tokens. */
const minTyped = 3

/**
 * Groups the tokens matching `text`. Held ones sort by value, trust and amount, so that worthless airdrops
 * stay low.
 */
export function groupTokens({ network, tokens, balances, favourites, text, prices = {} }: Given): Sections {
  const sections: Sections = { held: [], favourites: [], popular: [], listed: [], unlisted: [] }
  const marked = new Set(favourites)
  const popular = popularTokens(network)
  for (const token of rankTokens(tokens, text)) {
    const { address, listed } = token
    if ((balances[address] ?? 0n) > 0n) sections.held.push(token)
    else if (marked.has(address)) sections.favourites.push(token)
    else if (!listed && !isNative(address)) sections.unlisted.push(token)
    else if (popular.has(address)) sections.popular.push(token)
    else sections.listed.push(token)
  }
  const facts = new Map(sections.held.map((token) => [token, heldFacts(token)]))
  const order = (token: Token) => facts.get(token) ?? []
  sections.held.sort((one, other) => compare(order(other), order(one)))
  if (text.trim() === '') sections.favourites.sort((one, other) => place(one) - place(other))
  if (text.trim().length < minTyped) sections.unlisted = []
  return sections

  function place({ address }: Token): number {
    return favourites.indexOf(address)
  }

  /** Sort keys, larger first. */
  function heldFacts({ address, decimals, listed }: Token): bigint[] {
    const whole = ((balances[address] ?? 0n) * 10n ** 18n) / 10n ** BigInt(decimals)
    const price = prices[address]
    const value = price && toUsd(balances[address] ?? 0n, price)
    const trust = isNative(address) ? 3n : popular.has(address) ? 2n : listed ? 1n : 0n
    // Unpriced tokens come last.
    return [value ?? -1n, trust, whole]
  }
}

function compare(one: bigint[], other: bigint[]): number {
  const at = one.findIndex((fact, index) => fact !== other[index])
  return at < 0 ? 0 : (one[at] ?? 0n) < (other[at] ?? 0n) ? -1 : 1
}
