import { execFileSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getAddress } from 'viem'
import { findPublicChain } from '../src/domain/network/chains.ts'
import { type ChosenToken, chooseTokens, circleTokens, hasSource, nameOf } from './tokenLists.ts'
import { pinnedTokens, stablecoinSymbols } from './tokens/serviceTokens.ts'
import type { Candidate, SourceName } from './tokens/sources.ts'

/** Entry of a token list (tokenlists.org). */
export type ListedToken = {
  chainId: number
  address: string
  name: string
  symbol: string
  decimals: number
  logoURI?: string
  tags?: string[]
  extensions?: { eip2612: true; domainVersion: string }
}

/** To be raised with the sources: https://github.com/Uniswap/token-lists#semantic-versioning */
const edition = { timestamp: '2026-11-27T00:00:00.000Z', version: { major: 2, minor: 0, patch: 0 } }

/** Returns the service's token list of a chain, best known tokens first. */
export function buildServiceList(chainId: number) {
  return {
    name: `${findPublicChain(chainId)?.name} for Sluice`,
    ...edition,
    tags: {
      stablecoin: { name: 'Stablecoin', description: 'Follows the worth of a currency' },
      wrapped: { name: 'Wrapped', description: 'The chain’s own coin as a token' },
    },
    tokens: listTokens(chainId),
  }
}

/** More than the wallet's: whatever Aave or Uniswap list, since listed tokens connect others. */
function listTokens(chainId: number): ListedToken[] {
  const { known, others } = chooseTokens(chainId, (candidate) => {
    return hasSource('aave', candidate) || hasSource('uniswap', candidate)
  })
  const pinned = pinnedTokens[chainId] ?? []
  const isPinned = ({ address, symbol }: { address: string; symbol: string }) =>
    pinned.some((token) => token.address === address || token.symbol === symbol)
  const describe = ({ symbol, found }: ChosenToken) => {
    return toEntry(chainId, { ...found, symbol, name: nameOf(found, symbol) })
  }
  return [
    ...known.filter((token) => !isPinned(token)).map(describe),
    ...pinned.map((token) => toEntry(chainId, { ...token, entries: [] })),
    ...others.filter((token) => !isPinned(token)).map(describe),
  ]
}

function toEntry(
  chainId: number,
  { address, symbol, name, decimals, entries }: Candidate & { symbol: string; name: string },
): ListedToken {
  const logoURI = logoOf(entries)
  const isWrapped = address === findPublicChain(chainId)?.wrapped
  const tags = [...(isWrapped ? ['wrapped'] : []), ...(stablecoinSymbols.has(symbol) ? ['stablecoin'] : [])]
  return {
    ...{ chainId, address: getAddress(address), name, symbol, decimals },
    ...(logoURI === undefined ? {} : { logoURI }),
    ...(tags.length === 0 ? {} : { tags }),
    // FiatTokenV2_2: DOMAIN_SEPARATOR
    ...(circleTokens.has(`${chainId} ${address}`)
      ? { extensions: { eip2612: true, domainVersion: '2' } }
      : {}),
  }
}

/** The service draws the others. */
function logoOf(entries: Candidate['entries']): string | undefined {
  const kept: SourceName[] = ['uniswap', 'aave']
  const found = kept.flatMap((source) => entries.filter((entry) => entry.source === source))
  return found.find(({ logoURI = '' }) => /^https:\/\//.test(logoURI) && URL.canParse(logoURI))?.logoURI
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = resolve(import.meta.dirname, '../service/chains')
  for (const name of readdirSync(folder)) {
    const chainId = Number(/^(\d+)\.json$/.exec(name)?.[1] ?? 0)
    if (findPublicChain(chainId) === undefined) continue
    const file = resolve(folder, 'tokens', name)
    writeFileSync(file, JSON.stringify(buildServiceList(chainId), null, 2))
    execFileSync('npx', ['biome', 'format', '--write', file], { stdio: 'ignore' })
  }
}
