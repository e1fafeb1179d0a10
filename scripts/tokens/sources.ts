import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import * as aave from '@aave-dao/aave-address-book'
import { type Address, maxName, maxSymbol, parseAddress } from '../../src/domain/token/token.ts'

/** Token as its sources describe it, in the order of `sourceNames`. */
export type Candidate = {
  address: Address
  decimals: number
  entries: { source: SourceName; symbol: string; name: string; logoURI?: string | undefined }[]
}

/** Aave lists what its governance reviewed, with the contracts' symbols. */
export const sourceNames = ['aave', 'uniswap', 'sushi'] as const
export type SourceName = (typeof sourceNames)[number]

type Entry = {
  chainId: number
  address: string
  symbol: string
  name: string
  decimals: number
  logoURI?: string
}

/** Returns a chain's tokens by address, without those whose sources differ in decimals. */
export function candidatesOn(chainId: number): Map<Address, Candidate> {
  const found = new Map<Address, Candidate>()
  const disputed = new Set<Address>()
  for (const source of sourceNames) {
    for (const { address: text, symbol, name, decimals, logoURI } of lists[source].filter(isOn(chainId))) {
      const address = parseAddress(text)
      if (address === undefined || !isPlain(symbol, maxSymbol, /\s/) || !isPlain(name, maxName)) continue
      const known = found.get(address) ?? { address, decimals, entries: [] }
      if (known.decimals !== decimals) disputed.add(address)
      const entry = { source, symbol, name: name.trim(), logoURI }
      found.set(address, { ...known, entries: [...known.entries, entry] })
    }
  }
  for (const address of disputed) found.delete(address)
  return found
}

/** True if Uniswap's list covers the chain; elsewhere Sushi's older one is the only broad source. */
export function isCoveredByUniswap(chainId: number): boolean {
  return lists.uniswap.some(isOn(chainId))
}

function isOn(chainId: number): (entry: Entry) => boolean {
  return (entry) => entry.chainId === chainId
}

/** Printable ASCII has no confusables besides the digits and letters that `toSkeleton` compares. */
function isPlain(text: string, maxLength: number, excluded?: RegExp): boolean {
  return /^[\x20-\x7e]+$/.test(text) && text.trim().length <= maxLength && !excluded?.test(text)
}

/** Assets of the main markets, without principal tokens, which expire. */
function aaveReserves(): Entry[] {
  const assets = Object.values(markets).flatMap(({ CHAIN_ID, ASSETS }) =>
    Object.values(ASSETS).map(({ UNDERLYING }) => `${CHAIN_ID} ${UNDERLYING.toLowerCase()}`),
  )
  const current = new Set(assets)
  return read('@aave-dao/aave-address-book/tokenlist.json').tokens.filter(
    ({ chainId, address, symbol }) =>
      current.has(`${chainId} ${address.toLowerCase()}`) && !symbol.startsWith('PT-'),
  )
}

type Market = { CHAIN_ID: number; ASSETS: Record<string, { UNDERLYING: string }> }

const markets: Market[] = [
  aave.AaveV3Ethereum,
  aave.AaveV3Optimism,
  aave.AaveV3BNB,
  aave.AaveV3Gnosis,
  aave.AaveV3Polygon,
  aave.AaveV3Base,
  aave.AaveV3Arbitrum,
  aave.AaveV3Avalanche,
  aave.AaveV3Linea,
]

const lists: Record<SourceName, Entry[]> = {
  aave: aaveReserves(),
  uniswap: read('@uniswap/default-token-list/build/uniswap-default.tokenlist.json').tokens,
  sushi: read('@sushiswap/default-token-list/build/sushiswap-default.tokenlist.json').tokens,
}

function read(file: string): { tokens: Entry[] } {
  const path = resolve(import.meta.dirname, '../../node_modules', file)
  return JSON.parse(readFileSync(path, 'utf8')) as { tokens: Entry[] }
}
