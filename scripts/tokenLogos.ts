import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tokens as metadata } from '@web3icons/common/metadata/tokens'
import { publicChains } from '../src/domain/network/chains.ts'
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

/**
 * Gives drawings to native tokens, and to contracts of the bundled lists and of the well-known tokens. A
 * symbol alone gives none: contracts that only call themselves so are not listed.
 */
export async function buildTokenLogos(): Promise<TokenLogos> {
  const listed = publicChains.flatMap(({ chainId }) => listedOn(chainId))
  const byContract = new Map(listed.map((one) => [one, drawingOfContract(one)] as const))
  const known = new Map<string, Drawing>()
  for (const [{ symbol }, drawing] of byContract) if (drawing) known.set(symbol, drawing)

  const drawings: string[] = []
  const tokens: TokenLogos['tokens'] = {}
  const place = async (chainId: number, address: Address, drawing: Drawing) => {
    const svg = await drawLogo(drawing)
    if (svg.length > maxDrawing) return
    if (!drawings.includes(svg)) drawings.push(svg)
    tokens[chainId] = { ...tokens[chainId], [address]: drawings.indexOf(svg) }
  }
  for (const { chainId, coin } of publicChains) {
    const drawing = nativeDrawings[coin.symbol]
    if (drawing) await place(chainId, nativeTokenAddress, drawing)
    for (const token of listed.filter((one) => one.chainId === chainId)) {
      const { address, symbol } = token
      const found =
        drawingsBySymbol[symbol] ?? byContract.get(token) ?? known.get(symbol) ?? drawingOfSymbol(symbol)
      if (found) await place(chainId, address, found)
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
