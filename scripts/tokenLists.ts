import { mkdirSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findPublicChain, publicChains } from '../src/domain/network/chains.ts'
import { nativeContracts, toSkeleton } from '../src/domain/token/lookalike.ts'
import type { Address } from '../src/domain/token/token.ts'
import { wellKnownOn } from '../src/domain/token/wellKnown.ts'
import { knownSymbols } from './tokens/knownSymbols.ts'
import { type Candidate, candidatesOn, isCoveredByUniswap, type SourceName } from './tokens/sources.ts'

/** Entry of public/tokenLists/{chainId}.json; fields of src/background/tokens/bundledTokens.ts. */
export type BundledEntry = {
  address: Address
  symbol: string
  name: string
  decimals: number
  eip2612?: true
}

const maxTokens = 150

/**
 * Circle's own tokens: https://developers.circle.com/stablecoins/usdc-contract-addresses and
 * eurc-contract-addresses. Their contract is FiatTokenV2 (github.com/circlefin/stablecoin-evm), which has
 * EIP-2612. The wallet reads the permit's domain from the contract anyway before it signs one.
 */
export const circleTokens = new Set([
  '1 0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
  '10 0x0b2c639c533813f4aa9d7837caf62653d097ff85',
  '130 0x078d782b760474a361dda0af3839290b0ef57ad6',
  '137 0x3c499c542cef5e3811e1192ce70d8cc03d5c3359',
  '8453 0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
  '42161 0xaf88d065e77c8cc2239327c5edb3a432268e5831',
  '43114 0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e',
  '1 0x1abaea1f7c830bd89acc67ec4af516284b1bc33c',
  '8453 0x60a3e35cc302bfa44cb288bc5a4f316fdb1adb42',
  '43114 0xc891eb4cbdeff6e073e859e987815ed1505c2acd',
])

/** Returns a chain's list, best known first, then other Aave assets. */
export function buildTokenList(chainId: number): BundledEntry[] {
  const { known, others } = chooseTokens(chainId, (candidate) => hasSource('aave', candidate))
  return [...known.slice(0, maxTokens - others.length), ...others].map(({ address, symbol, found }) => {
    const isPermit = circleTokens.has(`${chainId} ${address}`)
    const [name, { decimals }] = [nameOf(found, symbol), found]
    return { address, symbol, name, decimals, ...(isPermit && { eip2612: true as const }) }
  })
}

export type ChosenToken = { address: Address; symbol: string; found: Candidate }

/**
 * Returns a chain's tokens, best known first: wrapped token, stables, well-known tokens, known symbols; and
 * others that are wanted. No two symbols look the same.
 */
export function chooseTokens(
  chainId: number,
  isWanted: (candidate: Candidate | undefined) => boolean,
): { known: ChosenToken[]; others: ChosenToken[] } {
  const candidates = candidatesOn(chainId)
  const native = nativeContracts[chainId]
  if (native !== undefined) candidates.delete(native)
  const symbols = realSymbols(chainId, [...candidates.values()])
  const bySymbol = new Map([...symbols].map(([address, symbol]) => [symbol.toLowerCase(), address]))

  const known = knownSymbols.flatMap((symbol) => bySymbol.get(symbol.toLowerCase()) ?? [])
  const ranked = [
    ...mainTokens(chainId),
    ...wellKnownOn(chainId).map(({ address }) => address),
    ...known.filter((address) => isTrusted(chainId, candidates.get(address))),
  ]
  const listed = new Set(ranked.filter((address) => symbols.has(address)))
  const others = [...symbols.keys()].filter(
    (address) => !listed.has(address) && isWanted(candidates.get(address)),
  )
  const describe = (address: Address): ChosenToken[] => {
    const [found, symbol] = [candidates.get(address), symbols.get(address)]
    return found === undefined || symbol === undefined ? [] : [{ address, symbol, found }]
  }
  return { known: [...listed].flatMap(describe), others: others.flatMap(describe) }
}

/** Returns the file's text: a token per line, for readable differences. */
export function formatTokenList(list: BundledEntry[]): string {
  return `[\n${list.map((token) => JSON.stringify(token)).join(',\n')}\n]\n`
}

/**
 * Returns each real token's symbol. Of tokens whose symbols look the same, the one with the most sources is
 * real; on a tie none is. A bridged token that one source calls like the issued one keeps its other symbol
 * ("USDC.e").
 */
function realSymbols(chainId: number, candidates: Candidate[]): Map<Address, string> {
  const main = mainTokens(chainId)
  const best = new Map<string, { address: Address | undefined; weight: number }>()
  for (const { address, entries } of candidates) {
    const own = main.includes(address) ? 10 : 0
    const weight = entries.reduce((sum, { source }) => sum + weights[source], own)
    for (const skeleton of new Set(entries.map(({ symbol }) => toSkeleton(symbol)))) {
      const before = best.get(skeleton)
      if (before === undefined || weight > before.weight) best.set(skeleton, { address, weight })
      else if (weight === before.weight) best.set(skeleton, { address: undefined, weight })
    }
  }
  const coin = toSkeleton(findPublicChain(chainId)?.coin.symbol ?? '')
  return new Map(
    candidates.flatMap(({ address, entries }): [Address, string][] => {
      const isOwn = (skeleton: string) => skeleton !== coin && best.get(skeleton)?.address === address
      const found = entries.find(({ symbol }) => isOwn(toSkeleton(symbol)))
      return found === undefined ? [] : [[address, found.symbol]]
    }),
  )
}

const weights: Record<SourceName, number> = { aave: 2, uniswap: 1, sushi: 1 }

function mainTokens(chainId: number): Address[] {
  const { wrapped, stables = [] } = findPublicChain(chainId) ?? {}
  return [...(wrapped ? [wrapped] : []), ...stables]
}

/** Sushi's list is the oldest: where Uniswap has one, it only confirms. */
function isTrusted(chainId: number, candidate: Candidate | undefined): boolean {
  return hasSource('aave', candidate) || hasSource('uniswap', candidate) || !isCoveredByUniswap(chainId)
}

export function hasSource(name: SourceName, candidate: Candidate | undefined): boolean {
  return candidate?.entries.some(({ source }) => source === name) ?? false
}

/** Uniswap's names carry no bridge ("(PoS) Dai Stablecoin"), but are old where the symbol is ("WMATIC"). */
export function nameOf({ entries }: Candidate, symbol: string): string {
  const named = entries.filter((entry) => entry.symbol === symbol)
  return (named.find(({ source }) => source === 'uniswap') ?? named[0])?.name ?? symbol
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = resolve(import.meta.dirname, '../public/tokenLists')
  mkdirSync(folder, { recursive: true })
  for (const { chainId } of publicChains) {
    writeFileSync(resolve(folder, `${chainId}.json`), formatTokenList(buildTokenList(chainId)))
  }
}
