import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tokens as metadata } from '@web3icons/common/metadata/tokens'
import { findPublicChain, publicChains } from '../src/domain/network/chains.ts'
import { type Address, nativeTokenAddress } from '../src/domain/token/token.ts'
import { wellKnownOn } from '../src/domain/token/wellKnown.ts'
import type { BundledEntry } from './tokenLists.ts'
import { drawLogo } from './tokens/drawLogo.ts'
import { type Drawing, drawingsBySymbol, nativeDrawings, sameSymbols } from './tokens/logoDrawings.ts'

/** public/tokenLogos/logos.json; fields of src/ui/tokens/tokenLogos.ts. */
export type TokenLogos = {
  /** SVG texts. */
  drawings: string[]
  /** Index of the drawing, by chain and address. */
  tokens: { [chainId: number]: { [address: Address]: number } }
}

/** The package's names of chains (CoinGecko's). It knows no contracts on Unichain. */
const platforms: { [chainId: number]: string } = {
  1: 'ethereum',
  10: 'optimistic-ethereum',
  56: 'binance-smart-chain',
  100: 'xdai',
  137: 'polygon-pos',
  8453: 'base',
  42161: 'arbitrum-one',
  43114: 'avalanche',
  59144: 'linea',
}

/** Bytes; longer ones, traced from photographs, are left out. */
const maxDrawing = 20_000

type Listed = { chainId: number; address: Address; symbol: string }
/** `name`: the drawing's. */
type Drawn = Listed & { name: string }

/**
 * Gives drawings to native tokens, and to contracts of the bundled lists and of the well-known tokens. A
 * symbol alone gives none: contracts that only call themselves so are not listed. Of a chain's tokens that
 * share a drawing, its main one alone has it.
 */
export async function buildTokenLogos(): Promise<TokenLogos> {
  const listed = publicChains.flatMap(({ chainId }) => listedOn(chainId))
  const byContract = new Map(listed.map((one) => [one, drawingOfContract(one)] as const))
  const known = new Map<string, Drawing>()
  for (const [{ symbol }, drawing] of byContract) if (drawing) known.set(symbol, drawing)

  const drawings: string[] = []
  const tokens: TokenLogos['tokens'] = {}
  for (const { chainId, coin } of publicChains) {
    const native = { chainId, address: nativeTokenAddress, symbol: coin.symbol }
    const found = [
      { ...native, drawing: nativeDrawings[coin.symbol] },
      ...listed
        .filter((one) => one.chainId === chainId)
        .map((token) => {
          const { symbol } = token
          const special = drawingsBySymbol[symbol] ?? byContract.get(token)
          return { ...token, drawing: special ?? known.get(symbol) ?? drawingOfSymbol(symbol) }
        }),
    ]
    const drawn = new Map<string, Drawn[]>()
    for (const { drawing, ...token } of found) {
      const svg = drawing && (await drawLogo(drawing))
      if (svg && svg.length <= maxDrawing) {
        drawn.set(svg, [...(drawn.get(svg) ?? []), { ...token, name: drawing.name }])
      }
    }
    for (const [svg, alike] of drawn) {
      const { address } = findMain(alike)
      if (!drawings.includes(svg)) drawings.push(svg)
      tokens[chainId] = { ...tokens[chainId], [address]: drawings.indexOf(svg) }
    }
  }
  return { drawings, tokens }
}

/** Returns the file's text: a drawing and a chain per line, for readable differences. */
export function formatTokenLogos({ drawings, tokens }: TokenLogos): string {
  const chains = Object.entries(tokens).map(([chainId, of]) => `"${chainId}":${JSON.stringify(of)}`)
  const svgs = drawings.map((svg) => JSON.stringify(svg))
  return `{"drawings":[\n${svgs.join(',\n')}\n],"tokens":{\n${chains.join(',\n')}\n}}\n`
}

function listedOn(chainId: number): Listed[] {
  const path = resolve(import.meta.dirname, `../public/tokenLists/${chainId}.json`)
  const list: BundledEntry[] = JSON.parse(readFileSync(path, 'utf8'))
  const bundled = new Set(list.map(({ address }) => address))
  const others = wellKnownOn(chainId).filter(({ address }) => !bundled.has(address))
  return [...list, ...others].map(({ address, symbol }) => ({ chainId, address, symbol }))
}

/** Returns the native token, a stable or well-known one, another chain's native one, or the namesake. */
function findMain(alike: Drawn[]): Drawn {
  const isKnown = ({ chainId, address }: Drawn) =>
    findPublicChain(chainId)?.stables.includes(address) ||
    wellKnownOn(chainId).some((token) => token.address === address)
  return (
    alike.find(({ address }) => address === nativeTokenAddress) ??
    alike.find(isKnown) ??
    alike.find(({ symbol }) => symbol in nativeDrawings) ??
    alike.find(({ symbol, name }) => symbol === name) ??
    (alike[0] as Drawn)
  )
}

function drawingOfContract({ chainId, address }: Listed): Drawing | undefined {
  const platform = platforms[chainId]
  if (platform === undefined) return undefined
  return toDrawing(metadata.find(({ addresses }) => addresses[platform]?.toLowerCase() === address))
}

function drawingOfSymbol(symbol: string): Drawing | undefined {
  if (!sameSymbols.has(symbol)) return undefined
  return toDrawing(metadata.find((one) => one.symbol.toLowerCase() === symbol.toLowerCase()))
}

function toDrawing(entry: (typeof metadata)[number] | undefined): Drawing | undefined {
  if (entry === undefined || !entry.variants.includes('background')) return undefined
  const [kind, name] = entry.filePath.split(':')
  return (kind === 'token' || kind === 'network') && name !== undefined ? { kind, name } : undefined
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const path = resolve(import.meta.dirname, '../public/tokenLogos/logos.json')
  writeFileSync(path, formatTokenLogos(await buildTokenLogos()))
}
