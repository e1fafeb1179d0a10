import type { Address } from '../../service/config.ts'
import { findPublicChain } from '../../src/domain/network/chains.ts'
import { type Priced, pegged, type Range, volatile } from './pools.ts'
import { findToken } from './tokens.ts'

/** Chains that the localnet can stand for. */
export type PublicChainId = 1 | 8453

/** FERN and MOSS are in no list; FERN trades with WETH, MOSS with USDC. */
export type PublicSymbol = 'WETH' | 'USDC' | 'USDT' | 'DAI' | 'USDbC' | 'FERN' | 'MOSS'

export type PublicToken = Priced & {
  symbol: PublicSymbol
  name: string
  contract: 'WETH9' | 'Token' | 'PermitToken' | 'UsdtLikeToken' | 'DaiLikeToken'
  /** Of the EIP-712 domain. */
  domainVersion?: string
  /** Whole tokens per funded account. */
  gift: bigint
}

export type PublicPool = {
  pair: readonly [PublicSymbol, PublicSymbol]
  /** Initial total. */
  usd: number
  /** Premium on the first token's price; below the fee, against arbitrage. */
  skewBps: number
} & ({ kind: 'v2' } | { kind: 'v3'; fee: number; ranges: readonly Range[] })

/** In the order of the chain's table. */
const stables: Record<PublicChainId, readonly PublicSymbol[]> = {
  1: ['USDC', 'USDT', 'DAI'],
  8453: ['USDC', 'USDbC'],
}

const dollar = { cents: 1_00n, gift: 25_000n }

/** Decimals and permits as on the public chains. */
const unplaced: readonly Omit<PublicToken, 'address'>[] = [
  { ...findToken('WETH'), symbol: 'WETH', contract: 'WETH9' },
  { ...findToken('USDC'), symbol: 'USDC', contract: 'PermitToken' },
  { ...findToken('USDT'), symbol: 'USDT', contract: 'UsdtLikeToken' },
  { ...findToken('DAI'), symbol: 'DAI', contract: 'DaiLikeToken' },
  {
    symbol: 'USDbC',
    name: 'USD Base Coin',
    decimals: 6,
    contract: 'PermitToken',
    domainVersion: '2',
    ...dollar,
  },
  { symbol: 'FERN', name: 'Fern', decimals: 18, contract: 'Token', cents: 2_50n, gift: 4_000n },
  {
    symbol: 'MOSS',
    name: 'Moss',
    decimals: 8,
    contract: 'PermitToken',
    domainVersion: '1',
    cents: 40n,
    gift: 10_000n,
  },
]

/** Returns the chain's tokens at the addresses of its table. */
export function publicTokens(chainId: PublicChainId): PublicToken[] {
  const { wrapped, stables: dollars = [] } = findPublicChain(chainId) ?? {}
  if (wrapped === undefined || dollars.length !== stables[chainId].length) {
    throw new Error(`The stables of chain ${chainId} are not those of its table.`)
  }
  const places: { [symbol: string]: Address | undefined } = {
    WETH: wrapped,
    FERN: '0xfe40fe40fe40fe40fe40fe40fe40fe40fe40fe40',
    MOSS: '0x1055105510551055105510551055105510551055',
  }
  stables[chainId].forEach((symbol, index) => {
    places[symbol] = dollars[index]
  })
  return unplaced.flatMap((token) => {
    const address = places[token.symbol]
    return address ? [{ ...token, address }] : []
  })
}

const everywhere: readonly PublicPool[] = [
  { kind: 'v3', pair: ['WETH', 'USDC'], fee: 100, usd: 4_000_000, skewBps: 0, ranges: volatile },
  { kind: 'v3', pair: ['WETH', 'USDC'], fee: 500, usd: 60_000_000, skewBps: 1, ranges: volatile },
  { kind: 'v3', pair: ['WETH', 'USDC'], fee: 3_000, usd: 25_000_000, skewBps: -7, ranges: volatile },
  { kind: 'v3', pair: ['WETH', 'USDC'], fee: 10_000, usd: 80_000, skewBps: 20, ranges: volatile },
  { kind: 'v3', pair: ['FERN', 'WETH'], fee: 3_000, usd: 900_000, skewBps: 12, ranges: volatile },
  { kind: 'v3', pair: ['MOSS', 'USDC'], fee: 10_000, usd: 300_000, skewBps: -20, ranges: volatile },
  { kind: 'v2', pair: ['WETH', 'USDC'], usd: 12_000_000, skewBps: 9 },
  { kind: 'v2', pair: ['FERN', 'WETH'], usd: 250_000, skewBps: -10 },
]

export const publicPools: Record<PublicChainId, readonly PublicPool[]> = {
  1: [
    ...everywhere,
    { kind: 'v3', pair: ['WETH', 'USDT'], fee: 500, usd: 15_000_000, skewBps: -1, ranges: volatile },
    { kind: 'v3', pair: ['WETH', 'USDT'], fee: 3_000, usd: 20_000_000, skewBps: 6, ranges: volatile },
    { kind: 'v3', pair: ['WETH', 'DAI'], fee: 3_000, usd: 10_000_000, skewBps: -4, ranges: volatile },
    { kind: 'v3', pair: ['USDC', 'USDT'], fee: 100, usd: 40_000_000, skewBps: 0, ranges: pegged },
    { kind: 'v3', pair: ['USDC', 'DAI'], fee: 100, usd: 20_000_000, skewBps: 0, ranges: pegged },
  ],
  8453: [
    ...everywhere,
    { kind: 'v3', pair: ['WETH', 'USDbC'], fee: 500, usd: 3_000_000, skewBps: -1, ranges: volatile },
    { kind: 'v3', pair: ['USDC', 'USDbC'], fee: 100, usd: 5_000_000, skewBps: 0, ranges: pegged },
  ],
}
