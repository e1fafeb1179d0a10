import type { Address, ChainConfig } from '../../config.ts'
import { baseTokens } from '../poolDiscovery.ts'
import type { TokenCoverage, Want } from './tokenCoverage.ts'

/** Marks tokens as used, and returns what of the tokens and of their pair must be discovered. */
export type FindWants = (tokens: readonly Address[]) => Want[]

export function createFindWants(config: ChainConfig, coverage: TokenCoverage): FindWants {
  const bases = new Set(baseTokens(config))
  return (tokens) => {
    const ends = [...new Set(tokens)].sort()
    for (const token of ends) coverage.touch(token)
    const [one, other] = ends
    // A token's own pools include those with base tokens.
    const isPair = one !== undefined && other !== undefined && !bases.has(one) && !bases.has(other)
    const wants: Want[] = [...ends.map((token): Want => [token]), ...(isPair ? [[one, other] as const] : [])]
    return wants.filter((want) => !coverage.covers(want))
  }
}

/** Returns those of `tokens` that have no code at the current block, as far as is known. */
export function findCodeless(coverage: TokenCoverage, tokens: readonly Address[]): Address[] {
  return tokens.filter((token) => coverage.absence(token)?.hasCode === false)
}
