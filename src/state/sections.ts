import type { Network } from '../domain/network.ts'
import { knownTags } from '../domain/pegs.ts'
import { type Address, isNative, type Token } from '../domain/token.ts'
import type { Balances } from '../protocol.ts'
import { rankTokens } from './search.ts'

/** The picker's tokens, each in one section. */
export type Sections = Record<'held' | 'favourites' | 'popular' | 'listed' | 'unlisted', Token[]>

type Given = {
  network: Pick<Network, 'chainId' | 'wrapped' | 'stable'>
  /** The service's list, and what was added by address. */
  tokens: Token[]
  balances: Balances
  favourites: Address[]
  /** What was typed. */
  text: string
  /** What a whole token is worth, in any one currency and unit: of those without it nobody knows. */
  prices?: Partial<Record<Address, bigint>>
}

/** From so many characters on somebody means a token that no list vouches for. */
const leastTyped = 3

/**
 * Parts the tokens that `text` means. What is held comes first, by its worth as far as that is known, then what the user marked, in that
 * order; popular are the coin, the coin as a token, and what everybody trades. What is unlisted and neither held nor marked is
 * only there for whoever looks for it.
 */
export function sectionsOf({ network, tokens, balances, favourites, text, prices = {} }: Given): Sections {
  const sections: Sections = { held: [], favourites: [], popular: [], listed: [], unlisted: [] }
  const marked = new Set(favourites)
  for (const token of rankTokens(tokens, text)) {
    const { address, listed } = token
    if ((balances[address] ?? 0n) > 0n) sections.held.push(token)
    else if (marked.has(address)) sections.favourites.push(token)
    else if (!listed && !isNative(address)) sections.unlisted.push(token)
    else if (isNative(address) || knownTags(address, network).length > 0) sections.popular.push(token)
    else sections.listed.push(token)
  }
  const worth = ({ address, decimals }: Token) => {
    const price = prices[address]
    // What nobody knows the worth of comes last, in its order.
    if (price === undefined) return -1n
    return ((balances[address] ?? 0n) * price * 10n ** 18n) / 10n ** BigInt(decimals)
  }
  sections.held.sort((one, other) => compare(worth(other), worth(one)))
  if (text.trim() === '') sections.favourites.sort((one, other) => place(one) - place(other))
  if (text.trim().length < leastTyped) sections.unlisted = []
  return sections

  function place({ address }: Token): number {
    return favourites.indexOf(address)
  }
}

function compare(one: bigint, other: bigint): number {
  return one < other ? -1 : one > other ? 1 : 0
}
